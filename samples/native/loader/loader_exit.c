/* loader-exit: a thread exits and spins in a library's TLS callback, under the loader lock, for a spin lock whose holder waits for the loader.
 *
 * Options: --owner-word      the lock word holds the owner's thread id instead of 1
 *          --victims         two more threads exit, two more load a library and two start: they queue behind the deadlock
 *          --slow-owner      near miss: the holder of the spin lock computes for 100 s and needs no loader
 *          --healthy         twin: the holder loads its backend before any thread exits; nothing waits */
#include "mathplug.h"
#include "sample.h"

#define SLOW_MILLISECONDS 100000
#define SPIN_PROOF_MILLISECONDS 1500
#define VICTIM_PAIRS 2

/* The thread that waits for the loader in the deadlock itself. */
#define LOADING 1

static struct mathplug_events events;
static HANDLE exit_now;
static HANDLE victims_go;
static HANDLE transformed;

static DWORD WINAPI transform(void *unused)
{
    (void)unused;
    mathplug_transform();
    return 0;
}

static DWORD WINAPI transform_and_stay(void *unused)
{
    (void)unused;
    mathplug_transform();
    SetEvent(transformed);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI transform_slowly(void *unused)
{
    (void)unused;
    mathplug_transform_slowly(SLOW_MILLISECONDS);
    Sleep(INFINITE);
    return 0;
}

static DWORD WINAPI exit_when_told(void *unused)
{
    (void)unused;
    WaitForSingleObject(exit_now, INFINITE);
    return 0;
}

static DWORD WINAPI victim_exit(void *unused)
{
    (void)unused;
    WaitForSingleObject(victims_go, INFINITE);
    return 0;
}

static DWORD WINAPI victim_load(void *unused)
{
    (void)unused;
    WaitForSingleObject(victims_go, INFINITE);
    LoadLibraryW(L"wininet.dll");
    return 0;
}

/* New threads would themselves queue behind the loader lock, so these exist before the deadlock does. */
static void create_victims(void)
{
    for (int i = 0; i < VICTIM_PAIRS; i++) {
        sample_running_thread("victim-exit", victim_exit, NULL);
        sample_running_thread("victim-load", victim_load, NULL);
    }
}

static void let_victims_go(void)
{
    SetEvent(victims_go);
    for (int i = 0; i < VICTIM_PAIRS; i++)
        sample_thread("victim-start", victim_exit, NULL);
    sample_wait_for_loader_waiters(LOADING + 3 * VICTIM_PAIRS);
}

static void reach_deadlock(HANDLE exiting, bool victims)
{
    SetEvent(exit_now);
    sample_wait_for_event("a thread to reach the TLS callback", events.thread_exiting);
    SetEvent(events.continue_load);
    if (victims)
        let_victims_go();
    else
        sample_wait_for_loader_waiters(LOADING);
    sample_wait_for_processor_time(exiting, SPIN_PROOF_MILLISECONDS);
    sample_ready();
}

static void reach_slow_owner(HANDLE exiting)
{
    SetEvent(exit_now);
    sample_wait_for_processor_time(exiting, SPIN_PROOF_MILLISECONDS);
    sample_ready();
}

static void reach_health(HANDLE exiting)
{
    SetEvent(events.continue_load);
    sample_wait_for_event("the backend to load", transformed);
    SetEvent(exit_now);
    sample_wait_for_event("the exiting thread to end", exiting);
    sample_ready();
}

int main(int count, char **arguments)
{
    bool slow = sample_option(count, arguments, "--slow-owner");
    bool healthy = sample_option(count, arguments, "--healthy");
    bool victims = sample_option(count, arguments, "--victims");
    bool owner_word = sample_option(count, arguments, "--owner-word");

    sample_begin();
    sample_this_thread("main");
    events = (struct mathplug_events){ sample_event(), sample_event(), sample_event() };
    exit_now = sample_event();
    victims_go = sample_event();
    transformed = sample_event();
    mathplug_initialize(owner_word ? MATHPLUG_LOCK_WORD_THREAD_ID : MATHPLUG_LOCK_WORD_ONE, &events);
    sample_address("spin-lock", mathplug_lock_address());

    HANDLE exiting = sample_running_thread("exiting", exit_when_told, NULL);
    if (victims)
        create_victims();
    sample_thread("loading", slow ? transform_slowly : healthy ? transform_and_stay : transform, NULL);
    sample_wait_for_event("the spin lock to be taken", events.lock_taken);

    if (slow)
        reach_slow_owner(exiting);
    if (healthy)
        reach_health(exiting);
    reach_deadlock(exiting, victims);
}
