/* A library whose DllMain makes a thread and waits until that has filled the library's tables; the thread cannot begin before DllMain returns.
 *
 * The variable WAITPLUG of the environment changes it: "busy" computes in DllMain without end, "later" does not wait, "spin" polls with Sleep(0)
 * for the tables instead of waiting, "brief" polls for two seconds and makes no thread. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#define MODE_LENGTH 16
#define BRIEF_MILLISECONDS 2000

static HANDLE tables_are_filled;
static volatile LONG sum;
static volatile LONG filled;

static DWORD WINAPI fill_tables(void *unused)
{
    (void)unused;
    filled = 1;
    SetEvent(tables_are_filled);
    Sleep(INFINITE);
    return 0;
}

static __attribute__((noinline)) void initialize_tables(void)
{
    DWORD id = 0;
    tables_are_filled = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (CreateThread(NULL, 0, fill_tables, NULL, 0, &id) == NULL)
        return;
    printf("thread %lu new\n", id);
    fflush(stdout);
}

static __attribute__((noinline)) void compute_tables(void)
{
    for (;;)
        sum = sum * 3 + 1;
}

static __attribute__((noinline)) void poll_tables(ULONGLONG milliseconds)
{
    for (ULONGLONG begin = GetTickCount64(); !filled && GetTickCount64() - begin < milliseconds;)
        Sleep(0);
}

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *process_ends)
{
    char mode[MODE_LENGTH] = "";
    (void)module;
    (void)process_ends;
    if (reason != DLL_PROCESS_ATTACH)
        return TRUE;
    GetEnvironmentVariableA("WAITPLUG", mode, sizeof(mode));
    if (strcmp(mode, "busy") == 0)
        compute_tables();
    if (strcmp(mode, "brief") == 0) {
        poll_tables(BRIEF_MILLISECONDS);
        return TRUE;
    }
    initialize_tables();
    if (strcmp(mode, "spin") == 0)
        poll_tables(MAXDWORD);
    else if (strcmp(mode, "later") != 0)
        WaitForSingleObject(tables_are_filled, INFINITE);
    return TRUE;
}
