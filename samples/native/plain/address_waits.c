#include "sample.h"
#include "scenes.h"

#define SRW_PLACES 2
#define ALLOCATING 5
#define TIMED_MILLISECONDS 90000

/* A thread of a pair holds its own lock and wants the other one. */
struct srw_place {
    SRWLOCK own;
    SRWLOCK *next;
    HANDLE taken;
};

static struct srw_place srw_places[SRW_PLACES];
static HANDLE go;
static volatile LONG going;

/* Keeps the addresses of both locks, as code does that releases what it took. */
static __attribute__((noinline)) void hold_and_take(SRWLOCK *own, SRWLOCK *next, HANDLE taken)
{
    AcquireSRWLockExclusive(own);
    SetEvent(taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&going);
    if (next != NULL)
        AcquireSRWLockExclusive(next);
    else
        Sleep(SAMPLE_LIFETIME_MILLISECONDS);
    if (next != NULL)
        ReleaseSRWLockExclusive(next);
    ReleaseSRWLockExclusive(own);
}

static DWORD WINAPI take_srw_locks(void *argument)
{
    struct srw_place *place = argument;
    hold_and_take(&place->own, place->next, place->taken);
    return 0;
}

static bool all_go(const void *threads)
{
    return going == *(const LONG *)threads;
}

static void play_srw_locks(bool crossed)
{
    static const LONG threads = SRW_PLACES;
    go = sample_event();
    for (int i = 0; i < SRW_PLACES; i++) {
        InitializeSRWLock(&srw_places[i].own);
        srw_places[i].next = i == 0 || crossed ? &srw_places[1 - i].own : NULL;
        srw_places[i].taken = sample_event();
        sample_address(i == 0 ? "lock-of-first" : "lock-of-second", &srw_places[i].own);
        sample_thread(i == 0 ? "first" : "second", take_srw_locks, &srw_places[i]);
        sample_wait_for_event("a lock to be taken", srw_places[i].taken);
    }
    SetEvent(go);
    sample_wait_until("threads to go on to their last wait", all_go, &threads);
}

void scene_srw_cycle(void)
{
    play_srw_locks(true);
}

void scene_srw_cycle_slow_owner(void)
{
    play_srw_locks(false);
}

static volatile LONG word = 7;

static DWORD WINAPI wait_on_word(void *unused)
{
    (void)unused;
    LONG seen = 7;
    WaitOnAddress(&word, &seen, sizeof(seen), INFINITE);
    return 0;
}

static DWORD WINAPI wait_on_word_for_a_while(void *unused)
{
    (void)unused;
    LONG seen = 7;
    WaitOnAddress(&word, &seen, sizeof(seen), TIMED_MILLISECONDS);
    return 0;
}

static CONDITION_VARIABLE never_woken = CONDITION_VARIABLE_INIT;
static SRWLOCK guard = SRWLOCK_INIT;

static DWORD WINAPI wait_for_condition(void *unused)
{
    (void)unused;
    AcquireSRWLockExclusive(&guard);
    SleepConditionVariableSRW(&never_woken, &guard, INFINITE, 0);
    ReleaseSRWLockExclusive(&guard);
    return 0;
}

void scene_address_waits(void)
{
    sample_address("word", &word);
    sample_address("condition", &never_woken);
    sample_running_thread("endless", wait_on_word, NULL);
    sample_running_thread("timed", wait_on_word_for_a_while, NULL);
    sample_running_thread("condition", wait_for_condition, NULL);
}

static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
static CRITICAL_SECTION section;
static HANDLE initialising;
static HANDLE section_is_taken;

enum once_kind { ONCE_CROSSED, ONCE_SELF, ONCE_SLOW };
static enum once_kind kind;

static BOOL CALLBACK initialise(INIT_ONCE *again, void *parameter, void **context)
{
    (void)context;
    SetEvent(initialising);
    if (kind == ONCE_CROSSED) {
        WaitForSingleObject(section_is_taken, INFINITE);
        EnterCriticalSection(&section);
        LeaveCriticalSection(&section);
    } else if (kind == ONCE_SELF) {
        InitOnceExecuteOnce(again, initialise, parameter, NULL);
    } else {
        Sleep(SAMPLE_LIFETIME_MILLISECONDS);
    }
    return TRUE;
}

static DWORD WINAPI initialise_once(void *unused)
{
    (void)unused;
    InitOnceExecuteOnce(&once, initialise, NULL, NULL);
    return 0;
}

static DWORD WINAPI take_section_and_initialise(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(section_is_taken);
    WaitForSingleObject(initialising, INFINITE);
    InitOnceExecuteOnce(&once, initialise, NULL, NULL);
    LeaveCriticalSection(&section);
    return 0;
}

static void play_once(enum once_kind which)
{
    kind = which;
    initialising = sample_event();
    section_is_taken = sample_event();
    InitializeCriticalSection(&section);
    sample_address("once", &once);
    sample_address("section", &section);
    sample_thread("initialising", initialise_once, NULL);
    sample_wait_for_event("the initialisation to begin", initialising);
    if (which != ONCE_SELF)
        sample_thread("waiting", take_section_and_initialise, NULL);
    if (which == ONCE_CROSSED)
        sample_wait_for_waiters(&section, 1);
}

void scene_init_once(void)
{
    play_once(ONCE_CROSSED);
}

void scene_init_once_self(void)
{
    play_once(ONCE_SELF);
}

void scene_init_once_slow(void)
{
    play_once(ONCE_SLOW);
}

static HANDLE heap;
static HANDLE heap_is_locked;
static DWORD heap_limit;

static DWORD WINAPI lock_heap_and_wait(void *never_set)
{
    HeapLock(heap);
    SetEvent(heap_is_locked);
    WaitForSingleObject(never_set, heap_limit);
    HeapUnlock(heap);
    return 0;
}

static DWORD WINAPI allocate(void *unused)
{
    (void)unused;
    WaitForSingleObject(heap_is_locked, INFINITE);
    HeapFree(heap, 0, HeapAlloc(heap, 0, 16));
    return 0;
}

/* A heap of its own: the threads of the C runtime need the process' one. */
static void play_heap(DWORD limit)
{
    heap = HeapCreate(0, 0, 0);
    heap_limit = limit;
    heap_is_locked = sample_event();
    sample_address("heap", heap);
    for (int i = 0; i < ALLOCATING; i++)
        sample_running_thread("allocating", allocate, NULL);
    sample_thread("owner", lock_heap_and_wait, sample_event());
    sample_wait_for_event("the heap to be locked", heap_is_locked);
}

void scene_heap_lock(void)
{
    play_heap(INFINITE);
}

void scene_heap_lock_healthy(void)
{
    play_heap(TIMED_MILLISECONDS);
}
