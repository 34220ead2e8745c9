#include "sample.h"
#include "scenes.h"
#include "standing.h"

#define WAITERS 3

static CRITICAL_SECTION section;
static HANDLE taken;
static volatile LONG sum;

/* Computes with the lock, until somebody stops it. */
static __attribute__((noinline)) void grow_queue(void)
{
    for (;;)
        sum = sum * 3 + 1;
}

static DWORD WINAPI own_and_compute(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(taken);
    grow_queue();
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI compute(void *unused)
{
    (void)unused;
    SetEvent(taken);
    grow_queue();
    return 0;
}

static DWORD WINAPI own_and_wait(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(taken);
    Sleep(SAMPLE_LIFETIME_MILLISECONDS);
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI enter_and_leave(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    return 0;
}

static HANDLE start_and_wait(const char *role, LPTHREAD_START_ROUTINE start)
{
    ResetEvent(taken);
    HANDLE thread = sample_running_thread(role, start, NULL);
    sample_wait_for_event("a thread to begin", taken);
    return thread;
}

static void suspend(HANDLE thread)
{
    if (SuspendThread(thread) == (DWORD)-1)
        sample_fail("SuspendThread");
    standing_except(thread);
}

static void start_waiters(void)
{
    for (int i = 0; i < WAITERS; i++)
        sample_running_thread("waiter", enter_and_leave, NULL);
    sample_wait_for_waiters(&section, WAITERS);
}

void scene_suspended_owner(void)
{
    taken = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    suspend(start_and_wait("owner", own_and_compute));
    start_waiters();
}

void scene_suspended_owner_healthy(void)
{
    taken = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    suspend(start_and_wait("suspended", compute));
    start_and_wait("owner", own_and_wait);
    start_waiters();
}
