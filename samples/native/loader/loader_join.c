/* loader-join: DllMain(DLL_PROCESS_DETACH) waits, under the loader lock, for a thread that cannot end without the loader lock.
 *
 * Options: --victims   two more threads exit and queue behind the loader lock
 *          --healthy   twin: the worker is joined before the library is unloaded */
#include "joinplug.h"
#include "sample.h"

#define VICTIMS 2

typedef DWORD (*start_function)(HANDLE);
typedef void (*stop_function)(void);

static HMODULE library;
static HANDLE joining;
static HANDLE unloaded;
static HANDLE victims_go;
static bool stop_first;

static DWORD WINAPI unload(void *unused)
{
    (void)unused;
    if (stop_first)
        ((stop_function)(void *)GetProcAddress(library, "joinplug_stop"))();
    FreeLibrary(library);
    SetEvent(unloaded);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI victim(void *unused)
{
    (void)unused;
    WaitForSingleObject(victims_go, INFINITE);
    return 0;
}

int main(int count, char **arguments)
{
    sample_begin();
    sample_this_thread("main");
    stop_first = sample_option(count, arguments, "--healthy");
    joining = sample_event();
    unloaded = sample_event();
    victims_go = sample_event();

    library = LoadLibraryW(L"joinplug.dll");
    if (library == NULL)
        sample_fail("LoadLibrary joinplug.dll");
    DWORD worker = ((start_function)(void *)GetProcAddress(library, "joinplug_start"))(joining);
    if (worker == 0)
        sample_fail("joinplug_start");
    sample_adopted_thread("joined", worker);
    int victims = sample_option(count, arguments, "--victims") ? VICTIMS : 0;
    for (int i = 0; i < victims; i++)
        sample_running_thread("victim", victim, NULL);

    sample_thread("joining", unload, NULL);
    sample_wait_for_event("the library to join its worker", joining);
    SetEvent(victims_go);
    if (stop_first)
        sample_wait_for_event("the library to unload", unloaded);
    else
        sample_wait_for_loader_waiters(1 + victims);
    sample_ready();
}
