/* Waits for kernel objects: threads, processes, several objects at once. Threads have no owner but themselves, and their handles tell who they are, so that these cycles show in any full dump. */
#include "sample.h"
#include "scenes.h"

#include <stdio.h>

#define MANY MAXIMUM_WAIT_OBJECTS

static HANDLE go;
static HANDLE section_taken;
static CRITICAL_SECTION section;
static HANDLE objects[MANY];
static DWORD object_count;
static HANDLE mutex;
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

static void prepare(void)
{
    go = sample_event();
    section_taken = sample_event();
    InitializeCriticalSection(&section);
    sample_address("section", &section);
}

/* A thread that needs the section before it can end. */
static DWORD WINAPI end_after_section(void *unused)
{
    (void)unused;
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI join_under_section(void *thread)
{
    EnterCriticalSection(&section);
    SetEvent(section_taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    WaitForSingleObject(thread, INFINITE);
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI join_alertably_under_section(void *thread)
{
    EnterCriticalSection(&section);
    SetEvent(section_taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    WaitForSingleObjectEx(thread, INFINITE, TRUE);
    LeaveCriticalSection(&section);
    return 0;
}

static void play_join(LPTHREAD_START_ROUTINE join)
{
    prepare();
    HANDLE joined = sample_running_thread("joined", end_after_section, NULL);
    sample_running_thread("joiner", join, joined);
    sample_wait_for_event("the section to be taken", section_taken);
    let_go(2);
    sample_wait_for_waiters(&section, 1);
}

void scene_join_section(void)
{
    play_join(join_under_section);
}

void scene_join_section_alertable(void)
{
    play_join(join_alertably_under_section);
}

static DWORD WINAPI wait_all_under_section(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(section_taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    WaitForMultipleObjects(MANY, objects, TRUE, INFINITE);
    LeaveCriticalSection(&section);
    return 0;
}

static DWORD WINAPI wait_any_under_section(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(section_taken);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    WaitForMultipleObjects(object_count, objects, FALSE, INFINITE);
    LeaveCriticalSection(&section);
    return 0;
}

/* 63 events that are set and one thread that is not able to end. */
void scene_wait_all(void)
{
    prepare();
    for (DWORD i = 0; i < MANY - 1; i++) {
        objects[i] = sample_event();
        SetEvent(objects[i]);
    }
    objects[MANY - 1] = sample_running_thread("joined", end_after_section, NULL);
    sample_running_thread("joiner", wait_all_under_section, NULL);
    sample_wait_for_event("the section to be taken", section_taken);
    let_go(2);
    sample_wait_for_waiters(&section, 1);
}

static void wait_for_any_of(DWORD threads, DWORD events)
{
    prepare();
    for (DWORD i = 0; i < threads; i++)
        objects[i] = sample_running_thread("joined", end_after_section, NULL);
    for (DWORD i = 0; i < events; i++)
        objects[threads + i] = sample_event();
    object_count = threads + events;
    sample_running_thread("joiner", wait_any_under_section, NULL);
    sample_wait_for_event("the section to be taken", section_taken);
    let_go((LONG)threads + 1);
    sample_wait_for_waiters(&section, (int)threads);
}

void scene_wait_any(void)
{
    wait_for_any_of(3, 0);
}

void scene_wait_any_open(void)
{
    wait_for_any_of(2, 1);
}

static DWORD WINAPI take_mutex_then_section(void *unused)
{
    (void)unused;
    WaitForSingleObject(mutex, INFINITE);
    InterlockedIncrement(&arrived);
    WaitForSingleObject(go, INFINITE);
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    ReleaseMutex(mutex);
    return 0;
}

static DWORD WINAPI take_section_then_mutex(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(section_taken);
    InterlockedIncrement(&arrived);
    WaitForSingleObject(go, INFINITE);
    InterlockedIncrement(&arrived);
    WaitForSingleObject(mutex, INFINITE);
    ReleaseMutex(mutex);
    LeaveCriticalSection(&section);
    return 0;
}

void scene_mutex_section(void)
{
    LONG both = 2;
    prepare();
    mutex = CreateMutexW(NULL, FALSE, NULL);
    if (mutex == NULL)
        sample_fail("CreateMutex");
    sample_thread("mutex-owner", take_mutex_then_section, NULL);
    sample_thread("section-owner", take_section_then_mutex, NULL);
    sample_wait_until("both locks to be taken", have_arrived, &both);
    let_go(3);
    sample_wait_for_waiters(&section, 1);
}

static DWORD WINAPI join_itself(void *unused)
{
    (void)unused;
    WaitForSingleObject(GetCurrentThread(), INFINITE);
    return 0;
}

void scene_self_join(void)
{
    sample_running_thread("joiner", join_itself, NULL);
}

static DWORD WINAPI wait_for_object(void *object)
{
    WaitForSingleObject(object, INFINITE);
    return 0;
}

/* The child sleeps, and ends with its parent: see scene_child. */
void scene_process_wait(void)
{
    wchar_t program[MAX_PATH], command[MAX_PATH + 32];
    STARTUPINFOW startup = { .cb = sizeof(startup) };
    PROCESS_INFORMATION child;
    GetModuleFileNameW(NULL, program, MAX_PATH);
    _snwprintf(command, MAX_PATH + 32, L"\"%ls\" child %lu", program, GetCurrentProcessId());
    if (!CreateProcessW(program, command, NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &startup, &child))
        sample_fail("CreateProcess");
    sample_address("child-process", (const void *)(ULONG_PTR)child.dwProcessId);
    sample_running_thread("waiter", wait_for_object, child.hProcess);
}

void scene_child(unsigned long parent)
{
    HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, parent);
    if (process != NULL)
        WaitForSingleObject(process, SAMPLE_LIFETIME_MILLISECONDS);
    ExitProcess(0);
}

static DWORD WINAPI read_pipe(void *pipe)
{
    char byte;
    DWORD read;
    ReadFile(pipe, &byte, 1, &read, NULL);
    return 0;
}

static DWORD WINAPI sleep_alertably(void *unused)
{
    (void)unused;
    SleepEx(INFINITE, TRUE);
    return 0;
}

/* Threads that wait for what comes from outside: bytes of a pipe, a client, an asynchronous call. */
void scene_outside(void)
{
    HANDLE reading, writing;
    if (!CreatePipe(&reading, &writing, NULL, 0))
        sample_fail("CreatePipe");
    sample_running_thread("reader", read_pipe, reading);
    sample_running_thread("alertable", sleep_alertably, NULL);
}
