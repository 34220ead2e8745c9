#include "sample.h"
#include "scenes.h"

#define WAIT_LIMIT_MILLISECONDS 90000
#define RETRY_MILLISECONDS 25

/* A thread that owns one mutex and wants another one. */
struct mutex_place {
    HANDLE own;
    HANDLE next;
    DWORD limit;
    HANDLE taken;
};

static HANDLE go;

/* Threads that have gone on to the wait that their scene is about. */
static volatile LONG arrived;

static bool have_arrived(const void *wanted)
{
    return arrived == *(const LONG *)wanted;
}

static void let_go(LONG threads)
{
    SetEvent(go);
    sample_wait_until("threads to go on to their last wait", have_arrived, &threads);
}

static DWORD WINAPI take_mutexes(void *argument)
{
    struct mutex_place *place = argument;
    WaitForSingleObject(place->own, INFINITE);
    SetEvent(place->taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    if (WaitForSingleObject(place->next, place->limit) == WAIT_OBJECT_0)
        ReleaseMutex(place->next);
    ReleaseMutex(place->own);
    Sleep(INFINITE);
    return 0;
}

static HANDLE free_mutex(void)
{
    HANDLE mutex = CreateMutexW(NULL, FALSE, NULL);
    if (mutex == NULL)
        sample_fail("CreateMutex");
    return mutex;
}

static void cross_mutexes(DWORD limit, const char *first_role, const char *second_role)
{
    static struct mutex_place places[2];
    HANDLE first = free_mutex(), second = free_mutex();
    places[0] = (struct mutex_place){ first, second, limit, sample_event() };
    places[1] = (struct mutex_place){ second, first, limit, sample_event() };
    sample_thread(first_role, take_mutexes, &places[0]);
    sample_thread(second_role, take_mutexes, &places[1]);
    sample_wait_for_event("the first mutex to be taken", places[0].taken);
    sample_wait_for_event("the second mutex to be taken", places[1].taken);
}

void scene_mutex_cycle(void)
{
    go = sample_event();
    cross_mutexes(INFINITE, "first", "second");
    let_go(2);
}

struct retry_place {
    CRITICAL_SECTION *own;
    CRITICAL_SECTION *next;
    HANDLE taken;
};

static CRITICAL_SECTION left, right;

static DWORD WINAPI retry_with_pauses(void *argument)
{
    struct retry_place *place = argument;
    EnterCriticalSection(place->own);
    SetEvent(place->taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    while (!TryEnterCriticalSection(place->next))
        Sleep(RETRY_MILLISECONDS);
    LeaveCriticalSection(place->next);
    LeaveCriticalSection(place->own);
    return 0;
}

/* Both pairs look crossed, but each waiter gives up or tries again: a stall at most, and nothing to be called a deadlock. */
void scene_timed_wait(void)
{
    static struct retry_place places[2];
    go = sample_event();
    cross_mutexes(WAIT_LIMIT_MILLISECONDS, "timed-first", "timed-second");
    InitializeCriticalSection(&left);
    InitializeCriticalSection(&right);
    sample_address("left", &left);
    sample_address("right", &right);
    places[0] = (struct retry_place){ &left, &right, sample_event() };
    places[1] = (struct retry_place){ &right, &left, sample_event() };
    sample_thread("retry-left", retry_with_pauses, &places[0]);
    sample_thread("retry-right", retry_with_pauses, &places[1]);
    sample_wait_for_event("the left lock to be taken", places[0].taken);
    sample_wait_for_event("the right lock to be taken", places[1].taken);
    let_go(4);
}

static CONDITION_VARIABLE work_arrived = CONDITION_VARIABLE_INIT;
static CRITICAL_SECTION queue_lock;
static SRWLOCK table_lock = SRWLOCK_INIT;
static CONDITION_VARIABLE table_changed = CONDITION_VARIABLE_INIT;

static DWORD WINAPI wait_for_event_without_end(void *event)
{
    WaitForSingleObject(event, INFINITE);
    return 0;
}

static DWORD WINAPI wait_for_several_events(void *unused)
{
    (void)unused;
    HANDLE events[] = { sample_event(), sample_event(), sample_event() };
    WaitForMultipleObjects(sizeof(events) / sizeof(events[0]), events, FALSE, INFINITE);
    return 0;
}

static DWORD WINAPI wait_for_work(void *unused)
{
    (void)unused;
    EnterCriticalSection(&queue_lock);
    SleepConditionVariableCS(&work_arrived, &queue_lock, INFINITE);
    LeaveCriticalSection(&queue_lock);
    return 0;
}

static DWORD WINAPI wait_for_table(void *unused)
{
    (void)unused;
    AcquireSRWLockExclusive(&table_lock);
    SleepConditionVariableSRW(&table_changed, &table_lock, INFINITE, 0);
    ReleaseSRWLockExclusive(&table_lock);
    return 0;
}

static DWORD WINAPI sleep_without_end(void *unused)
{
    (void)unused;
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI wait_for_completion(void *port)
{
    DWORD bytes;
    ULONG_PTR key;
    OVERLAPPED *operation;
    GetQueuedCompletionStatus(port, &bytes, &key, &operation, INFINITE);
    return 0;
}

static void CALLBACK finish_at_once(PTP_CALLBACK_INSTANCE instance, void *done, PTP_WORK work)
{
    (void)instance;
    (void)work;
    SetEvent(done);
}

static void leave_an_idle_pool_thread(void)
{
    HANDLE done = sample_event();
    PTP_WORK work = CreateThreadpoolWork(finish_at_once, done, NULL);
    if (work == NULL)
        sample_fail("CreateThreadpoolWork");
    SubmitThreadpoolWork(work);
    sample_wait_for_event("the pool to run its work", done);
}

void scene_idle(void)
{
    InitializeCriticalSection(&queue_lock);
    sample_running_thread("event", wait_for_event_without_end, sample_event());
    sample_running_thread("events", wait_for_several_events, NULL);
    sample_running_thread("condition", wait_for_work, NULL);
    sample_running_thread("shared-condition", wait_for_table, NULL);
    sample_running_thread("sleeper", sleep_without_end, NULL);
    sample_running_thread("completion", wait_for_completion, CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0));
    leave_an_idle_pool_thread();
}
