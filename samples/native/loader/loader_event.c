/* loader-event: DllMain(DLL_PROCESS_ATTACH) waits, under the loader lock, for an event that a thread is to set which it has just made and which cannot begin
 * without the loader lock.
 *
 * Options: --busy     near miss: DllMain computes, and four threads that start queue behind it
 *          --healthy  twin: DllMain makes the thread and does not wait
 *          --spin     DllMain polls with Sleep(0) for what its new thread is to do
 *          --brief    twin: DllMain polls so for two seconds, and four threads that start queue behind it meanwhile */
#include "sample.h"
#include "standing.h"

#define STARTING 4
#define PROOF_MILLISECONDS 300

static HANDLE loading;
static HANDLE loaded;

static DWORD WINAPI load(void *unused)
{
    (void)unused;
    SetEvent(loading);
    LoadLibraryW(L"waitplug.dll");
    SetEvent(loaded);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI work(void *unused)
{
    (void)unused;
    Sleep(INFINITE);
    return 0;
}

int main(int count, char **arguments)
{
    sample_begin();
    sample_this_thread("main");
    loading = sample_event();
    loaded = sample_event();
    bool busy = sample_option(count, arguments, "--busy");
    bool healthy = sample_option(count, arguments, "--healthy");
    bool spin = sample_option(count, arguments, "--spin");
    bool brief = sample_option(count, arguments, "--brief");
    SetEnvironmentVariableW(L"WAITPLUG", busy ? L"busy" : healthy ? L"later" : spin ? L"spin" : brief ? L"brief" : L"");
    HANDLE loader = sample_running_thread("loading", load, NULL);
    sample_wait_for_event("the library to be loaded", loading);
    if (healthy) {
        sample_wait_for_event("the library to be loaded", loaded);
    } else if (busy) {
        sample_wait_for_processor_time(loader, PROOF_MILLISECONDS);
        for (int i = 0; i < STARTING; i++)
            sample_thread("starting", work, NULL);
        sample_wait_for_loader_waiters(STARTING);
    } else if (brief) {
        for (int i = 0; i < STARTING; i++)
            standing_except(sample_thread("starting", work, NULL));
        standing_except(loader);
    } else {
        if (spin)
            sample_wait_for_processor_time(loader, PROOF_MILLISECONDS);
        sample_wait_for_loader_waiters(1);
    }
    sample_ready();
}
