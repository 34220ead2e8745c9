/* Callbacks of the thread pool that others wait for under a lock. */
#include "sample.h"
#include "scenes.h"

#define CALLBACKS 2
#define CALLBACK_MILLISECONDS 40
#define ROUNDS_BEFORE_READY 20

static CRITICAL_SECTION section;
static PTP_WORK work, other_work;
static HANDLE go;
static volatile LONG in_callback;
static volatile LONG rounds;
static volatile LONG over; /* never set: the program ends as a whole */

static bool all_have_begun(const void *unused)
{
    (void)unused;
    return in_callback == CALLBACKS;
}

static bool has_gone_round(const void *unused)
{
    (void)unused;
    return rounds >= ROUNDS_BEFORE_READY;
}

static PTP_WORK work_of(PTP_WORK_CALLBACK callback)
{
    PTP_WORK made = CreateThreadpoolWork(callback, NULL, NULL);
    if (made == NULL)
        sample_fail("CreateThreadpoolWork");
    return made;
}

static void CALLBACK take_lock_in_callback(PTP_CALLBACK_INSTANCE instance, void *context, PTP_WORK which)
{
    (void)instance;
    (void)context;
    (void)which;
    sample_adopted_thread("callback", GetCurrentThreadId());
    InterlockedIncrement(&in_callback);
    WaitForSingleObject(go, INFINITE);
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
}

static __attribute__((noinline)) void drain_callbacks(void)
{
    WaitForThreadpoolWorkCallbacks(work, FALSE);
}

static DWORD WINAPI own_and_drain(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    for (int i = 0; i < CALLBACKS; i++)
        SubmitThreadpoolWork(work);
    sample_wait_until("the callbacks to begin", all_have_begun, NULL);
    SetEvent(go);
    drain_callbacks();
    LeaveCriticalSection(&section);
    return 0;
}

static void prepare(void)
{
    go = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
}

void scene_pool_callbacks(void)
{
    prepare();
    work = work_of(take_lock_in_callback);
    sample_address("work", work);
    sample_thread("owner", own_and_drain, NULL);
    sample_wait_for_waiters(&section, CALLBACKS);
}

static void CALLBACK work_for_a_while(PTP_CALLBACK_INSTANCE instance, void *context, PTP_WORK which)
{
    (void)instance;
    (void)context;
    (void)which;
    Sleep(CALLBACK_MILLISECONDS);
}

static void CALLBACK pass_through_lock(PTP_CALLBACK_INSTANCE instance, void *context, PTP_WORK which)
{
    (void)instance;
    (void)context;
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    SubmitThreadpoolWork(which);
}

static DWORD WINAPI drain_in_turns(void *unused)
{
    (void)unused;
    while (!over) {
        EnterCriticalSection(&section);
        for (int i = 0; i < CALLBACKS; i++)
            SubmitThreadpoolWork(work);
        drain_callbacks();
        LeaveCriticalSection(&section);
        InterlockedIncrement(&rounds);
        Sleep(1);
    }
    return 0;
}

void scene_pool_callbacks_healthy(void)
{
    prepare();
    work = work_of(work_for_a_while);
    other_work = work_of(pass_through_lock);
    sample_address("work", work);
    sample_address("other-work", other_work);
    for (int i = 0; i < CALLBACKS; i++)
        SubmitThreadpoolWork(other_work);
    sample_thread("owner", drain_in_turns, NULL);
    sample_wait_until("the owner to go round", has_gone_round, NULL);
}
