/* loader-attach: a starting thread waits in DllMain(DLL_THREAD_ATTACH), under the loader lock, for a lock whose holder loads a library.
 *
 * Options: --process-attach  a thread waits in DllMain(DLL_PROCESS_ATTACH) of a library that it loads, instead of a starting thread
 *          --spin            a spin lock instead of a critical section
 *          --slow-owner      near miss: the holder of the lock writes for 60 s and needs no loader
 *          --healthy         twin: the holder releases the lock before the thread starts; nothing waits */
#include "auditplug.h"
#include "sample.h"

#define SLOW_MILLISECONDS 60000
#define SPIN_PROOF_MILLISECONDS 1500

static struct auditplug_events events;
static HANDLE started;
static HANDLE prepared;
static HANDLE exported;
static HANDLE attached;

static void wait_until_prepared(void)
{
    SetEvent(started);
    WaitForSingleObject(prepared, INFINITE);
}

static DWORD WINAPI export_records(void *unused)
{
    (void)unused;
    wait_until_prepared();
    auditplug_export();
    SetEvent(exported);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI export_slowly(void *unused)
{
    (void)unused;
    wait_until_prepared();
    auditplug_export_slowly(SLOW_MILLISECONDS);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI worker(void *unused)
{
    (void)unused;
    SetEvent(attached);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI load_startplug(void *unused)
{
    (void)unused;
    LoadLibraryW(L"startplug.dll");
    SetEvent(attached);
    Sleep(INFINITE);
    return 0;
}

/* Starts a thread; while the lock is held and threads are registered, its start routine is not reached. */
static HANDLE create_attaching_thread(bool process_attach)
{
    if (!process_attach)
        return sample_thread("attaching", worker, NULL);
    auditplug_register_threads(false);
    return sample_thread("attaching", load_startplug, NULL);
}

static void wait_for_attaching_thread(HANDLE attaching, bool spinning)
{
    sample_wait_for_event("the new thread to reach DllMain", events.in_dll_main);
    if (spinning)
        sample_wait_for_processor_time(attaching, SPIN_PROOF_MILLISECONDS);
    else
        sample_wait_for_waiters((const CRITICAL_SECTION *)auditplug_lock_address(), 1);
}

int main(int count, char **arguments)
{
    bool spinning = sample_option(count, arguments, "--spin");
    bool slow = sample_option(count, arguments, "--slow-owner");
    bool process_attach = sample_option(count, arguments, "--process-attach");
    bool healthy = sample_option(count, arguments, "--healthy");

    sample_begin();
    sample_this_thread("main");
    started = sample_event();
    prepared = sample_event();
    exported = sample_event();
    attached = sample_event();
    events = (struct auditplug_events){ sample_event(), sample_event(), sample_event() };
    /* Before the library is prepared: this thread, too, starts through its DllMain. */
    sample_thread("loading", slow ? export_slowly : export_records, NULL);
    sample_wait_for_event("the loading thread to start", started);
    auditplug_initialize(spinning ? AUDITPLUG_SPIN_LOCK : AUDITPLUG_CRITICAL_SECTION, &events);
    sample_address("lock", auditplug_lock_address());
    SetEvent(prepared);
    sample_wait_for_event("the lock to be taken", events.lock_taken);

    if (healthy) {
        SetEvent(events.continue_load);
        sample_wait_for_event("the library to load", exported);
        create_attaching_thread(process_attach);
        sample_wait_for_event("the new thread to be past DllMain", attached);
        sample_ready();
    }
    wait_for_attaching_thread(create_attaching_thread(process_attach), spinning);
    SetEvent(events.continue_load);
    if (!slow)
        sample_wait_for_loader_waiters(1);
    sample_ready();
}
