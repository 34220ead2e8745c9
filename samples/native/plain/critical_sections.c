#include "sample.h"
#include "scenes.h"

#define RING_LARGEST 3
#define ORPHAN_WAITERS 2
#define SLOW_MILLISECONDS 60000

/* A thread of a ring owns its own section and wants the next one. */
struct ring_place {
    CRITICAL_SECTION *own;
    CRITICAL_SECTION *next;
    HANDLE taken;
};

static CRITICAL_SECTION sections[RING_LARGEST];
static struct ring_place places[RING_LARGEST];
static HANDLE all_taken;

static DWORD WINAPI take_own_then_next(void *argument)
{
    struct ring_place *place = argument;
    EnterCriticalSection(place->own);
    SetEvent(place->taken);
    WaitForSingleObject(all_taken, INFINITE);
    EnterCriticalSection(place->next);
    LeaveCriticalSection(place->next);
    LeaveCriticalSection(place->own);
    return 0;
}

static void play_ring(int size)
{
    static const char *const roles[RING_LARGEST] = { "first", "second", "third" };
    static const char *const names[RING_LARGEST] = { "lock-of-first", "lock-of-second", "lock-of-third" };
    all_taken = sample_event();
    for (int i = 0; i < size; i++) {
        InitializeCriticalSection(&sections[i]);
        sample_address(names[i], &sections[i]);
    }
    for (int i = 0; i < size; i++) {
        places[i] = (struct ring_place){ &sections[i], &sections[(i + 1) % size], sample_event() };
        sample_thread(roles[i], take_own_then_next, &places[i]);
        sample_wait_for_event("a lock to be taken", places[i].taken);
    }
    SetEvent(all_taken);
    for (int i = 0; i < size; i++)
        sample_wait_for_waiters(&sections[i], 1);
}

void scene_cs_cycle2(void)
{
    play_ring(2);
}

void scene_cs_cycle3(void)
{
    play_ring(3);
}

static DWORD WINAPI enter_and_leave(void *section)
{
    EnterCriticalSection(section);
    LeaveCriticalSection(section);
    return 0;
}

static DWORD WINAPI enter_and_end(void *section)
{
    EnterCriticalSection(section);
    return 0;
}

void scene_cs_orphan(void)
{
    InitializeCriticalSection(&sections[0]);
    sample_address("lock", &sections[0]);
    HANDLE owner = sample_thread("ended-owner", enter_and_end, &sections[0]);
    sample_wait_for_event("the owner to end", owner);
    CloseHandle(owner);
    for (int i = 0; i < ORPHAN_WAITERS; i++)
        sample_thread("waiter", enter_and_leave, &sections[0]);
    sample_wait_for_waiters(&sections[0], ORPHAN_WAITERS);
}

static HANDLE owner_has_locks;

static DWORD WINAPI own_first_slowly(void *unused)
{
    (void)unused;
    EnterCriticalSection(&sections[0]);
    SetEvent(owner_has_locks);
    Sleep(SLOW_MILLISECONDS);
    LeaveCriticalSection(&sections[0]);
    return 0;
}

void scene_slow_owner(void)
{
    owner_has_locks = sample_event();
    InitializeCriticalSection(&sections[0]);
    sample_address("lock", &sections[0]);
    sample_thread("owner", own_first_slowly, NULL);
    sample_wait_for_event("the owner to take its lock", owner_has_locks);
    sample_thread("waiter", enter_and_leave, &sections[0]);
    sample_thread("waiter", enter_and_leave, &sections[0]);
    sample_wait_for_waiters(&sections[0], 2);
}

static DWORD WINAPI own_both_slowly(void *unused)
{
    (void)unused;
    EnterCriticalSection(&sections[0]);
    EnterCriticalSection(&sections[1]);
    SetEvent(owner_has_locks);
    Sleep(SLOW_MILLISECONDS);
    LeaveCriticalSection(&sections[1]);
    LeaveCriticalSection(&sections[0]);
    return 0;
}

static DWORD WINAPI own_third_and_want_first(void *unused)
{
    (void)unused;
    EnterCriticalSection(&sections[2]);
    EnterCriticalSection(&sections[0]);
    LeaveCriticalSection(&sections[0]);
    LeaveCriticalSection(&sections[2]);
    return 0;
}

/* The owner sleeps with two locks; one thread wants the first, another the second, and a third queues behind one of those. */
void scene_diamond(void)
{
    static const char *const names[RING_LARGEST] = { "first-of-owner", "second-of-owner", "lock-of-left" };
    owner_has_locks = sample_event();
    for (int i = 0; i < RING_LARGEST; i++) {
        InitializeCriticalSection(&sections[i]);
        sample_address(names[i], &sections[i]);
    }
    sample_thread("owner", own_both_slowly, NULL);
    sample_wait_for_event("the owner to take its locks", owner_has_locks);
    sample_thread("left", own_third_and_want_first, NULL);
    sample_thread("right", enter_and_leave, &sections[1]);
    sample_wait_for_waiters(&sections[0], 1);
    sample_wait_for_waiters(&sections[1], 1);
    sample_thread("behind-left", enter_and_leave, &sections[2]);
    sample_wait_for_waiters(&sections[2], 1);
}
