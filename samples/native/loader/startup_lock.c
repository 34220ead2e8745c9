/* startup-lock: a thread loads a library whose initialiser waits for ever, under the startup lock of the library's C runtime, for which another thread spins.
 *
 * Without options the initialiser waits for a critical section that the spinning thread holds.
 * Options: --event    it waits for an event that nobody sets
 *          --stranger near miss: it has ended, and the lock holds a value that is the base of no stack
 *          --healthy  twin: it has ended, and the other thread gets the lock */
#include "startupplug.h"

#include "sample.h"

#define SPIN_PROOF_MILLISECONDS 1500

__declspec(dllexport) struct startup_scene startup_scene;

static CRITICAL_SECTION section;
static HANDLE entering;
static HANDLE go_on;
static HANDLE loaded;
static HANDLE entered;

static DWORD WINAPI load(void *unused)
{
    (void)unused;
    if (LoadLibraryW(L"startupplug.dll") == NULL)
        sample_fail("LoadLibrary");
    SetEvent(loaded);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI enter(void *unused)
{
    (void)unused;
    EnterCriticalSection(&section);
    SetEvent(entering);
    WaitForSingleObject(go_on, INFINITE);
    startup_scene.enter();
    SetEvent(entered);
    Sleep(INFINITE);
    return 0;
}

int main(int count, char **arguments)
{
    bool event = sample_option(count, arguments, "--event");
    bool stranger = sample_option(count, arguments, "--stranger");
    bool healthy = sample_option(count, arguments, "--healthy");

    sample_begin();
    sample_this_thread("main");
    InitializeCriticalSection(&section);
    entering = sample_event();
    go_on = sample_event();
    loaded = sample_event();
    entered = sample_event();
    startup_scene.initialising = sample_event();
    if (event)
        startup_scene.event = sample_event();
    else if (!stranger && !healthy)
        startup_scene.section = &section;

    /* First, because a thread starts under the loader lock. */
    HANDLE spinning = sample_running_thread("entering", enter, NULL);
    sample_wait_for_event("the section to be taken", entering);
    sample_running_thread("loading", load, NULL);
    sample_wait_for_event("the initialiser to run", startup_scene.initialising);
    sample_address("lock", startup_scene.lock);
    if (stranger || healthy)
        sample_wait_for_event("the library to load", loaded);
    if (stranger)
        startup_scene.store((void *)0x12340000);
    SetEvent(go_on);
    if (healthy)
        sample_wait_for_event("the lock to be taken", entered);
    else
        sample_wait_for_processor_time(spinning, SPIN_PROOF_MILLISECONDS);
    sample_ready();
}
