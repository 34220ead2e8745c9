/* Programs that are busy and healthy, and their twins that came to a stop after they had been busy for a while. */
#include "sample.h"
#include "scenes.h"
#include "standing.h"

#define CLIENTS 6
#define REPLY_MILLISECONDS 40
#define READERS 14
#define WRITE_MILLISECONDS 15
#define POLLERS 4
#define TICK_MILLISECONDS 10
#define ROUNDS_BEFORE_STOP 20
#define OWNER_PROCESSOR_MILLISECONDS 1500

static CRITICAL_SECTION section;
static HANDLE request, never_set;
static volatile LONG over; /* never set: the program ends as a whole */
static bool comes_to_a_stop;
static bool polls_by_sleep;
static volatile LONG rounds;
static volatile LONG ticks;
static volatile double result = 1.0;

static bool has_gone_round(const void *unused)
{
    (void)unused;
    return rounds >= ROUNDS_BEFORE_STOP;
}

static bool has_stopped(void)
{
    return comes_to_a_stop && rounds >= ROUNDS_BEFORE_STOP;
}

static void compute(DWORD milliseconds)
{
    for (ULONGLONG end = GetTickCount64() + milliseconds; GetTickCount64() < end;)
        for (int i = 0; i < 10000; i++)
            result = result * 1.0000001 + 0.5;
}

static HANDLE reply;

/* 25 replies a second; the twin's device answers no more. */
static DWORD WINAPI reply_to_requests(void *unused)
{
    (void)unused;
    while (!over) {
        WaitForSingleObject(request, INFINITE);
        if (has_stopped())
            WaitForSingleObject(never_set, INFINITE);
        Sleep(REPLY_MILLISECONDS);
        InterlockedIncrement(&rounds);
        SetEvent(reply);
    }
    return 0;
}

static DWORD WINAPI ask_device(void *unused)
{
    (void)unused;
    for (volatile LONG asked = 0; !over; asked++) {
        EnterCriticalSection(&section);
        SetEvent(request);
        WaitForSingleObject(reply, INFINITE);
        LeaveCriticalSection(&section);
        Sleep(1);
    }
    return 0;
}

static void play_clients(bool stops)
{
    comes_to_a_stop = stops;
    never_set = sample_event();
    request = CreateEventW(NULL, FALSE, FALSE, NULL);
    reply = CreateEventW(NULL, FALSE, FALSE, NULL);
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    sample_thread("device", reply_to_requests, NULL);
    for (int i = 0; i < CLIENTS; i++)
        sample_thread("client", ask_device, NULL);
    sample_wait_until("the clients to be served", has_gone_round, NULL);
    sample_wait_for_waiters(&section, CLIENTS - 1);
}

void scene_busy_clients(void)
{
    play_clients(false);
}

void scene_busy_clients_stopped(void)
{
    play_clients(true);
}

/* Whoever computes next takes the lock again soon; readers come in between. */
static DWORD WINAPI write_often(void *unused)
{
    (void)unused;
    while (!over) {
        EnterCriticalSection(&section);
        do
            compute(WRITE_MILLISECONDS);
        while (has_stopped());
        InterlockedIncrement(&rounds);
        LeaveCriticalSection(&section);
        Sleep(1);
    }
    return 0;
}

static DWORD WINAPI read_often(void *unused)
{
    (void)unused;
    for (volatile LONG read = 0; !over; read++) {
        EnterCriticalSection(&section);
        result = result + 0.5;
        LeaveCriticalSection(&section);
        Sleep(1);
    }
    return 0;
}

static void play_readers(bool stops)
{
    comes_to_a_stop = stops;
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    HANDLE owner = sample_thread("owner", write_often, NULL);
    for (int i = 0; i < READERS; i++)
        sample_thread("reader", read_often, NULL);
    sample_wait_until("the readers to be served", has_gone_round, NULL);
    if (stops)
        sample_wait_for_waiters(&section, READERS);
    sample_wait_for_processor_time(owner, OWNER_PROCESSOR_MILLISECONDS);
}

void scene_busy_readers(void)
{
    play_readers(false);
}

void scene_busy_readers_stopped(void)
{
    play_readers(true);
}

static DWORD WINAPI tick(void *unused)
{
    (void)unused;
    while (!has_stopped()) {
        Sleep(TICK_MILLISECONDS);
        InterlockedIncrement(&ticks);
    }
    WaitForSingleObject(never_set, INFINITE);
    return 0;
}

/* Sleep(0) gives up the time slice as SwitchToThread does. */
static void give_way(void)
{
    if (polls_by_sleep)
        Sleep(0);
    else
        SwitchToThread();
}

static DWORD WINAPI poll_for_tick(void *unused)
{
    (void)unused;
    while (!over) {
        EnterCriticalSection(&section);
        for (LONG seen = ticks; ticks == seen;)
            give_way();
        InterlockedIncrement(&rounds);
        LeaveCriticalSection(&section);
        Sleep(1);
    }
    return 0;
}

static void play_pollers(bool stops)
{
    comes_to_a_stop = stops;
    never_set = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    sample_thread("ticker", tick, NULL);
    for (int i = 0; i < POLLERS; i++)
        standing_except(sample_thread("poller", poll_for_tick, NULL));
    sample_wait_until("the pollers to go round", has_gone_round, NULL);
    if (stops)
        sample_wait_for_waiters(&section, POLLERS - 1);
}

void scene_busy_pollers(void)
{
    play_pollers(false);
}

void scene_busy_pollers_stopped(void)
{
    play_pollers(true);
}

void scene_busy_pollers_sleep(void)
{
    polls_by_sleep = true;
    play_pollers(false);
}

void scene_busy_pollers_sleep_stopped(void)
{
    polls_by_sleep = true;
    play_pollers(true);
}
