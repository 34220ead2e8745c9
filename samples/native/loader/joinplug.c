#include "joinplug.h"

static HANDLE started;
static HANDLE stop;
static HANDLE worker;
static HANDLE joining;

static DWORD WINAPI work_until_stopped(void *unused)
{
    (void)unused;
    SetEvent(started);
    WaitForSingleObject(stop, INFINITE);
    return 0;
}

DWORD joinplug_start(HANDLE joining_event)
{
    DWORD id = 0;
    joining = joining_event;
    started = CreateEventW(NULL, TRUE, FALSE, NULL);
    stop = CreateEventW(NULL, TRUE, FALSE, NULL);
    worker = CreateThread(NULL, 0, work_until_stopped, NULL, 0, &id);
    /* A worker that has not started yet would wait for the loader lock in its own thread attach instead of in its exit. */
    if (worker != NULL)
        WaitForSingleObject(started, INFINITE);
    return id;
}

__attribute__((noinline)) void joinplug_stop(void)
{
    SetEvent(stop);
    SetEvent(joining);
    WaitForSingleObject(worker, INFINITE);
    CloseHandle(worker);
    worker = NULL;
}

/* Runs under the loader lock, which the worker needs in order to end. */
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *process_ends)
{
    (void)module;
    if (reason == DLL_PROCESS_DETACH && process_ends == NULL && worker != NULL)
        joinplug_stop();
    return TRUE;
}
