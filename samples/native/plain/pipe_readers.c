/* A lock held while a pipe is read synchronously. */
#include "sample.h"
#include "scenes.h"

#define READERS 5
#define PACKET_MILLISECONDS 40
#define ROUNDS_BEFORE_STOP 20

static CRITICAL_SECTION section;
static HANDLE reading, writing;
static bool comes_to_a_stop;
static volatile LONG packets;
static volatile LONG over; /* never set: the program ends as a whole */

static bool have_read(const void *unused)
{
    (void)unused;
    return packets >= ROUNDS_BEFORE_STOP;
}

static __attribute__((noinline)) bool receive_packet(void)
{
    char packet;
    DWORD count;
    return ReadFile(reading, &packet, sizeof(packet), &count, NULL);
}

static DWORD WINAPI read_in_turns(void *unused)
{
    (void)unused;
    while (!over) {
        EnterCriticalSection(&section);
        bool received = receive_packet();
        LeaveCriticalSection(&section);
        if (!received)
            sample_fail("ReadFile");
        InterlockedIncrement(&packets);
        Sleep(1);
    }
    return 0;
}

static DWORD WINAPI write_packets(void *unused)
{
    (void)unused;
    while (!comes_to_a_stop || packets < ROUNDS_BEFORE_STOP) {
        DWORD count;
        Sleep(PACKET_MILLISECONDS);
        WriteFile(writing, "", 1, &count, NULL);
    }
    Sleep(INFINITE);
    return 0;
}

static void play_readers(bool stops)
{
    comes_to_a_stop = stops;
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    if (!CreatePipe(&reading, &writing, NULL, 0))
        sample_fail("CreatePipe");
    sample_thread("writer", write_packets, NULL);
    for (int i = 0; i < READERS; i++)
        sample_thread("reader", read_in_turns, NULL);
    sample_wait_until("packets to be read", have_read, NULL);
    sample_wait_for_waiters(&section, READERS - 1);
}

void scene_pipe_readers(void)
{
    play_readers(true);
}

void scene_pipe_readers_healthy(void)
{
    play_readers(false);
}
