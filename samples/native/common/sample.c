#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_LIMIT_MILLISECONDS 30000
#define POLL_MILLISECONDS 20

struct processor_time_goal {
    HANDLE thread;
    unsigned milliseconds;
};

struct running_thread {
    LPTHREAD_START_ROUTINE start;
    void *argument;
    HANDLE running;
};

struct waiter_goal {
    const CRITICAL_SECTION *section;
    int waiters;
};

/* Memory of changing content, so that a full dump gets the size that a measurement asks for. */
static void allocate_ballast(void)
{
    char text[16];
    if (GetEnvironmentVariableA("SAMPLE_BALLAST_MEBIBYTES", text, sizeof(text)) == 0)
        return;
    SIZE_T words = (SIZE_T)atoi(text) * (1 << 20) / sizeof(unsigned);
    unsigned *ballast = VirtualAlloc(NULL, words * sizeof(unsigned), MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    if (ballast == NULL)
        sample_fail("VirtualAlloc of the ballast");
    for (SIZE_T i = 0; i < words; i++)
        ballast[i] = (unsigned)i * 2654435761u;
}

void sample_begin(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    allocate_ballast();
    printf("pid %lu\n", GetCurrentProcessId());
}

HANDLE sample_thread(const char *role, LPTHREAD_START_ROUTINE start, void *argument)
{
    DWORD id;
    HANDLE thread = CreateThread(NULL, 0, start, argument, 0, &id);
    if (thread == NULL)
        sample_fail("CreateThread");
    printf("thread %lu %s\n", id, role);
    return thread;
}

static DWORD WINAPI announce_and_start(void *started)
{
    struct running_thread thread = *(struct running_thread *)started;
    SetEvent(thread.running);
    return thread.start(thread.argument);
}

HANDLE sample_running_thread(const char *role, LPTHREAD_START_ROUTINE start, void *argument)
{
    struct running_thread running = { start, argument, sample_event() };
    HANDLE thread = sample_thread(role, announce_and_start, &running);
    sample_wait_for_event("a thread to start", running.running);
    CloseHandle(running.running);
    return thread;
}

void sample_this_thread(const char *role)
{
    printf("thread %lu %s\n", GetCurrentThreadId(), role);
}

void sample_address(const char *name, const volatile void *address)
{
    printf("address %llx %s\n", (unsigned long long)(ULONG_PTR)address, name);
}

void sample_wait_until(const char *what, bool (*condition)(const void *), const void *argument)
{
    for (int waited = 0; !condition(argument); waited += POLL_MILLISECONDS) {
        if (waited >= STATE_LIMIT_MILLISECONDS)
            sample_fail(what);
        Sleep(POLL_MILLISECONDS);
    }
}

static ULONGLONG milliseconds_of(FILETIME time)
{
    ULARGE_INTEGER ticks = { .u = { time.dwLowDateTime, time.dwHighDateTime } };
    return ticks.QuadPart / 10000;
}

static bool has_used_processor(const void *argument)
{
    const struct processor_time_goal *goal = argument;
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes(goal->thread, &created, &ended, &kernel, &user))
        sample_fail("GetThreadTimes");
    return milliseconds_of(kernel) + milliseconds_of(user) >= goal->milliseconds;
}

void sample_wait_for_processor_time(HANDLE thread, unsigned milliseconds)
{
    struct processor_time_goal goal = { thread, milliseconds };
    sample_wait_until("a thread to use its processor time", has_used_processor, &goal);
}

/* Windows counts waiters from bit 2 downwards from -1; Wine, like Windows 2000, counts lockers up from -1. */
static int waiters_of(const CRITICAL_SECTION *section)
{
    LONG count = *(volatile const LONG *)&section->LockCount;
    return count >= 0 ? count : (int)((DWORD)(-1 - count) >> 2);
}

static bool has_waiters(const void *argument)
{
    const struct waiter_goal *goal = argument;
    return waiters_of(goal->section) == goal->waiters;
}

void sample_wait_for_waiters(const CRITICAL_SECTION *section, int waiters)
{
    struct waiter_goal goal = { section, waiters };
    sample_wait_until("threads to block in a critical section", has_waiters, &goal);
}

void sample_wait_for_event(const char *what, HANDLE event)
{
    if (WaitForSingleObject(event, STATE_LIMIT_MILLISECONDS) != WAIT_OBJECT_0)
        sample_fail(what);
}

HANDLE sample_event(void)
{
    HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (event == NULL)
        sample_fail("CreateEvent");
    return event;
}

void sample_fail(const char *what)
{
    printf("failed: %s\n", what);
    TerminateProcess(GetCurrentProcess(), 1);
    __builtin_unreachable();
}

void sample_ready(void)
{
    Sleep(SAMPLE_SETTLE_MILLISECONDS);
    printf("ready\n");
    Sleep(SAMPLE_LIFETIME_MILLISECONDS);
    TerminateProcess(GetCurrentProcess(), 0);
    __builtin_unreachable();
}

bool sample_option(int count, char **arguments, const char *option)
{
    for (int i = 1; i < count; i++)
        if (strcmp(arguments[i], option) == 0)
            return true;
    return false;
}
