/* RTL_RESOURCE, ntdll's reader/writer lock of before Windows Vista: winternl.h does not declare it. */
#include "sample.h"
#include "scenes.h"

#include <stdbool.h>

#define SLOW_MILLISECONDS 60000

struct resource {
    CRITICAL_SECTION section;
    HANDLE shared_semaphore;
    ULONG shared_waiters;
    HANDLE exclusive_semaphore;
    volatile ULONG exclusive_waiters;
    LONG active;
    HANDLE owner;
    ULONG reserved[8];
};

void WINAPI RtlInitializeResource(struct resource *resource);
BYTE WINAPI RtlAcquireResourceExclusive(struct resource *resource, BYTE waits);
BYTE WINAPI RtlAcquireResourceShared(struct resource *resource, BYTE waits);
void WINAPI RtlReleaseResource(struct resource *resource);

static struct resource resources[2];
static HANDLE taken[2];
static HANDLE both_taken;

static bool is_waited_for(const void *resource)
{
    return ((const struct resource *)resource)->exclusive_waiters > 0;
}

static DWORD WINAPI take_own_then_other(void *argument)
{
    ULONG_PTR own = (ULONG_PTR)argument;
    RtlAcquireResourceExclusive(&resources[own], TRUE);
    SetEvent(taken[own]);
    WaitForSingleObject(both_taken, INFINITE);
    RtlAcquireResourceExclusive(&resources[1 - own], TRUE);
    RtlReleaseResource(&resources[1 - own]);
    RtlReleaseResource(&resources[own]);
    return 0;
}

static DWORD WINAPI own_second_slowly(void *unused)
{
    (void)unused;
    RtlAcquireResourceExclusive(&resources[1], TRUE);
    SetEvent(taken[1]);
    Sleep(SLOW_MILLISECONDS);
    RtlReleaseResource(&resources[1]);
    return 0;
}

static DWORD WINAPI read_second_slowly(void *unused)
{
    (void)unused;
    RtlAcquireResourceShared(&resources[1], TRUE);
    SetEvent(taken[1]);
    Sleep(SLOW_MILLISECONDS);
    RtlReleaseResource(&resources[1]);
    return 0;
}

static void play(LPTHREAD_START_ROUTINE second, bool crosses)
{
    both_taken = sample_event();
    for (int i = 0; i < 2; i++) {
        RtlInitializeResource(&resources[i]);
        taken[i] = sample_event();
    }
    sample_address("first-resource", &resources[0]);
    sample_address("second-resource", &resources[1]);
    sample_thread("first", take_own_then_other, (void *)0);
    sample_thread("second", second, (void *)1);
    for (int i = 0; i < 2; i++)
        sample_wait_for_event("a resource to be taken", taken[i]);
    SetEvent(both_taken);
    sample_wait_until("a thread to wait for the second resource", is_waited_for, &resources[1]);
    if (crosses)
        sample_wait_until("a thread to wait for the first resource", is_waited_for, &resources[0]);
}

void scene_resource_cycle(void)
{
    play(take_own_then_other, true);
}

void scene_resource_cycle_slow_owner(void)
{
    play(own_second_slowly, false);
}

void scene_resource_cycle_readers(void)
{
    play(read_second_slowly, false);
}
