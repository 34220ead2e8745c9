#include "sample.h"
#include "scenes.h"

#define WAITERS 20
#define OWNER_MILLISECONDS 3000
#define RUNAWAY_MILLISECONDS 6000

static CRITICAL_SECTION section;
static HANDLE owner_has_lock;
static volatile double result = 1.0;
static volatile LONG stop;

static DWORD WINAPI own_and_compute(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(owner_has_lock);
    while (!stop)
        result = result * 1.0000001 + 0.5;
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI want_lock(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    return 0;
}

void scene_spin_owner(void)
{
    owner_has_lock = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    HANDLE owner = sample_thread("owner", own_and_compute, NULL);
    sample_wait_for_event("the owner to take its lock", owner_has_lock);
    for (int i = 0; i < WAITERS; i++)
        sample_thread("waiter", want_lock, NULL);
    sample_wait_for_waiters(&section, WAITERS);
    sample_wait_for_processor_time(owner, OWNER_MILLISECONDS);
}

static DWORD WINAPI yield_without_end(void *unused)
{
    (void)unused;
    while (!stop)
        SwitchToThread();
    return 0;
}

static DWORD WINAPI wait_without_end(void *event)
{
    WaitForSingleObject(event, INFINITE);
    return 0;
}

void scene_runaway(void)
{
    sample_running_thread("idle", wait_without_end, sample_event());
    sample_wait_for_processor_time(sample_thread("runaway", yield_without_end, NULL), RUNAWAY_MILLISECONDS);
}
