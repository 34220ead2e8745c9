#include "sample.h"
#include "scenes.h"

/* Exported by ntdll, in no public header. */
NTSYSAPI void NTAPI RtlAcquirePebLock(void);
NTSYSAPI void NTAPI RtlReleasePebLock(void);

#define MANY_WAITERS 5
#define FEW_WAITERS 2

static CRITICAL_SECTION section;
static HANDLE owner_has_lock;
static HANDLE never_set;

static DWORD WINAPI own_and_wait_without_end(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(owner_has_lock);
    WaitForSingleObject(never_set, INFINITE);
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI own_and_wait_for_a_while(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(owner_has_lock);
    WaitForSingleObject(never_set, SAMPLE_LIFETIME_MILLISECONDS);
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

static void play_owner(LPTHREAD_START_ROUTINE own, int waiters)
{
    owner_has_lock = sample_event();
    never_set = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    sample_thread("owner", own, NULL);
    sample_wait_for_event("the owner to take its lock", owner_has_lock);
    for (int i = 0; i < waiters; i++)
        sample_running_thread("waiter", enter_and_leave, NULL);
    sample_wait_for_waiters(&section, waiters);
}

void scene_head_blocker(void)
{
    play_owner(own_and_wait_without_end, MANY_WAITERS);
}

void scene_head_blocker_healthy(void)
{
    play_owner(own_and_wait_for_a_while, MANY_WAITERS);
}

void scene_head_blocker_few(void)
{
    play_owner(own_and_wait_without_end, FEW_WAITERS);
}

static DWORD WINAPI own_peb_lock_and_wait_without_end(void *unused)
{
    (void)unused;
    RtlAcquirePebLock();
    SetEvent(owner_has_lock);
    WaitForSingleObject(never_set, INFINITE);
    RtlReleasePebLock();
    return 0;
}

static DWORD WINAPI ask_for_current_directory(void *unused)
{
    (void)unused;
    wchar_t directory[MAX_PATH];
    WaitForSingleObject(owner_has_lock, INFINITE);
    return GetCurrentDirectoryW(MAX_PATH, directory);
}

/* Threads take the PEB lock while they start, so all of them start before it is held. */
void scene_head_blocker_peb_lock(void)
{
    owner_has_lock = sample_event();
    never_set = sample_event();
    sample_address("lock", sample_peb_lock());
    for (int i = 0; i < MANY_WAITERS; i++)
        sample_running_thread("waiter", ask_for_current_directory, NULL);
    sample_thread("owner", own_peb_lock_and_wait_without_end, NULL);
    sample_wait_for_waiters(sample_peb_lock(), MANY_WAITERS);
}
