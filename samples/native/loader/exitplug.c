#include "exitplug.h"

#include <stdio.h>

#define LIMIT_MILLISECONDS 90000

static enum exitplug_wait how;
static SRWLOCK lock = SRWLOCK_INIT;
static HANDLE started;
static HANDLE work_is_done;

static DWORD WINAPI work_without_end(void *unused)
{
    (void)unused;
    AcquireSRWLockExclusive(&lock);
    SetEvent(started);
    Sleep(INFINITE);
    ReleaseSRWLockExclusive(&lock);
    SetEvent(work_is_done);
    return 0;
}

DWORD exitplug_start(enum exitplug_wait wait)
{
    DWORD id = 0;
    how = wait;
    started = CreateEventW(NULL, TRUE, FALSE, NULL);
    work_is_done = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (CreateThread(NULL, 0, work_without_end, NULL, 0, &id) != NULL)
        WaitForSingleObject(started, INFINITE);
    return id;
}

/* By now the system has ended the worker in the middle of its work. Nothing else can say that this thread is about to wait. */
static __attribute__((noinline)) void exitplug_wait_for_worker(void)
{
    printf("ready\n");
    if (how == EXITPLUG_LOCK)
        AcquireSRWLockExclusive(&lock);
    else if (how == EXITPLUG_EVENT)
        WaitForSingleObject(work_is_done, INFINITE);
    else
        WaitForSingleObject(work_is_done, LIMIT_MILLISECONDS);
}

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *process_ends)
{
    (void)module;
    if (reason == DLL_PROCESS_DETACH && process_ends != NULL)
        exitplug_wait_for_worker();
    return TRUE;
}
