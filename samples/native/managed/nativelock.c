#include "nativelock.h"

#include <windows.h>

static CRITICAL_SECTION lock;

NATIVELOCK_API void nativelock_call(nativelock_callback callback)
{
    EnterCriticalSection(&lock);
    callback();
    LeaveCriticalSection(&lock);
}

/* LockCount counts down by four for each waiter, the low bits say whether the lock is free and whether a waiter was woken; Wine counts up by one from the first owner. */
NATIVELOCK_API int nativelock_waiters(void)
{
    LONG count = lock.LockCount;
    return count >= 0 ? count : (-1 - count) >> 2;
}

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void *reserved)
{
    (void)library;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        InitializeCriticalSection(&lock);
    return TRUE;
}
