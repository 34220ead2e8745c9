#include "nativelock.h"

#include <windows.h>

static CRITICAL_SECTION lock;

NATIVELOCK_API void nativelock_call(nativelock_callback callback)
{
    EnterCriticalSection(&lock);
    callback();
    LeaveCriticalSection(&lock);
}

/* Windows counts waiters from bit 2 downwards from -1; Wine counts entries up from -1, the owner's own included. */
NATIVELOCK_API int nativelock_waiters(void)
{
    LONG count = *(volatile const LONG *)&lock.LockCount;
    LONG entered = *(volatile const LONG *)&lock.RecursionCount;
    return count >= 0 ? count - entered + 1 : (int)((DWORD)(-1 - count) >> 2);
}

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void *reserved)
{
    (void)library;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        InitializeCriticalSection(&lock);
    return TRUE;
}
