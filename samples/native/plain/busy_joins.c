/* A busy program whose owner of a lock waits, over and over, for the end of a new thread. */
#include "sample.h"
#include "scenes.h"

#define PASSERS 3
#define PIECE_MILLISECONDS 40
#define ROUNDS_BEFORE_READY 20

static CRITICAL_SECTION section;
static volatile LONG rounds;
static volatile LONG over; /* never set: the program ends as a whole */

static bool has_gone_round(const void *unused)
{
    (void)unused;
    return rounds >= ROUNDS_BEFORE_READY;
}

static DWORD WINAPI work_for_a_while(void *unused)
{
    (void)unused;
    Sleep(PIECE_MILLISECONDS);
    return 0;
}

static DWORD WINAPI join_in_turns(void *unused)
{
    (void)unused;
    while (!over) {
        EnterCriticalSection(&section);
        HANDLE worker = CreateThread(NULL, 0, work_for_a_while, NULL, 0, NULL);
        if (worker == NULL)
            sample_fail("CreateThread");
        WaitForSingleObject(worker, INFINITE);
        CloseHandle(worker);
        LeaveCriticalSection(&section);
        InterlockedIncrement(&rounds);
        Sleep(1);
    }
    return 0;
}

static DWORD WINAPI pass_in_turns(void *unused)
{
    (void)unused;
    while (!over) {
        EnterCriticalSection(&section);
        LeaveCriticalSection(&section);
        Sleep(1);
    }
    return 0;
}

void scene_join_section_healthy(void)
{
    InitializeCriticalSection(&section);
    sample_address("section", &section);
    sample_thread("joiner", join_in_turns, NULL);
    for (int i = 0; i < PASSERS; i++)
        sample_thread("passer", pass_in_turns, NULL);
    sample_wait_until("the joiner to go round", has_gone_round, NULL);
}
