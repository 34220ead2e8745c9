#include "sample.h"
#include "standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_LIMIT_MILLISECONDS 180000

/* A thread that yields gets next to nothing while others compute; more than its start and its way into the loop take is enough to know that it is there. */
#define PROCESSOR_PATIENCE_MILLISECONDS 20000
#define STARVED_MILLISECONDS 30

#define POLL_MILLISECONDS 20

/* Offsets of FastPebLock and LoaderLock in the 64-bit PEB; source: PEB in System Informer's phnt headers (ntpebteb.h). */
#ifdef _WIN64
#define PEB_FAST_LOCK 0x38
#define PEB_LOADER_LOCK 0x110
#else
#define PEB_FAST_LOCK 0x1C
#define PEB_LOADER_LOCK 0xA0
#endif

struct processor_time_goal {
    HANDLE thread;
    unsigned milliseconds;
    ULONGLONG patient_until;
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

static bool is_wine;

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

/* Nobody waits for a sample whose lines nobody can read: a full disk, for example. */
static void require_heard(void)
{
    if (ferror(stdout))
        TerminateProcess(GetCurrentProcess(), SAMPLE_UNHEARD);
}

void sample_begin(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    allocate_ballast();
    printf("pid %lu\n", GetCurrentProcessId());
    require_heard();
    /* Wine exports this from its ntdll; Windows does not. Looked up now, because the lookup takes the loader lock. */
    is_wine = GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != NULL;
    standing_begin();
}

static void announce(const char *role, DWORD id, HANDLE thread)
{
    printf("thread %lu %s\n", id, role);
    standing_expect(thread, role);
}

HANDLE sample_thread(const char *role, LPTHREAD_START_ROUTINE start, void *argument)
{
    DWORD id;
    HANDLE thread = CreateThread(NULL, 0, start, argument, 0, &id);
    if (thread == NULL)
        sample_fail("CreateThread");
    announce(role, id, thread);
    return thread;
}

void sample_adopted_thread(const char *role, DWORD id)
{
    HANDLE thread = OpenThread(THREAD_ALL_ACCESS, FALSE, id);
    if (thread == NULL)
        sample_fail("OpenThread");
    announce(role, id, thread);
    CloseHandle(thread);
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
    ULONGLONG used = milliseconds_of(kernel) + milliseconds_of(user);
    return used >= goal->milliseconds || (GetTickCount64() > goal->patient_until && used >= STARVED_MILLISECONDS);
}

void sample_wait_for_processor_time(HANDLE thread, unsigned milliseconds)
{
    struct processor_time_goal goal = { thread, milliseconds, GetTickCount64() + PROCESSOR_PATIENCE_MILLISECONDS };
    sample_wait_until("a thread to use its processor time", has_used_processor, &goal);
    standing_except(thread);
}

/* Windows counts waiters from bit 2 downwards from -1; Wine, like Windows 2000, counts entries up from -1, the owner's own included. */
static int waiters_of(const CRITICAL_SECTION *section)
{
    LONG count = *(volatile const LONG *)&section->LockCount;
    LONG entered = *(volatile const LONG *)&section->RecursionCount;
    return count >= 0 ? count - entered + 1 : (int)((DWORD)(-1 - count) >> 2);
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

static const CRITICAL_SECTION *lock_of_process(size_t offset)
{
    /* The PEB's address stands at 0x60 of the TEB, at 0x30 of that of 32-bit code. In assembler, because GCC 12 takes NtCurrentTeb for an access out of bounds. */
    const char *peb;
#ifdef _WIN64
    __asm__("movq %%gs:0x60, %0" : "=r"(peb));
#else
    __asm__("movl %%fs:0x30, %0" : "=r"(peb));
#endif
    return *(CRITICAL_SECTION *const *)(peb + offset);
}

const CRITICAL_SECTION *sample_peb_lock(void)
{
    return lock_of_process(PEB_FAST_LOCK);
}

void sample_wait_for_loader_waiters(int waiters)
{
    if (is_wine)
        sample_wait_for_waiters(lock_of_process(PEB_LOADER_LOCK), waiters);
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
    standing_wait_for_all();
    printf("ready\n");
    require_heard();
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
