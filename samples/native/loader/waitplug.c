/* A library whose DllMain makes a thread and waits until that has filled the library's tables; the thread cannot begin before DllMain returns.
 *
 * The variable WAITPLUG of the environment changes it: "busy" computes in DllMain without end, "later" does not wait. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#define MODE_LENGTH 16

static HANDLE tables_are_filled;
static volatile LONG sum;

static DWORD WINAPI fill_tables(void *unused)
{
    (void)unused;
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
    initialize_tables();
    if (strcmp(mode, "later") != 0)
        WaitForSingleObject(tables_are_filled, INFINITE);
    return TRUE;
}
