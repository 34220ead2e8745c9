#include "sample.h"
#include "ui_scenes.h"
#include "ui_window.h"

#define COMPUTE_MILLISECONDS 3000
#define SHORT_MILLISECONDS 250
#define PUMP_MILLISECONDS 50
#define SLOW_MILLISECONDS 60000

static struct window_thread first, second;
static HANDLE never_set, worker;
static CRITICAL_SECTION section;
static HANDLE owner_has_lock;
static volatile double result = 1.0;
static volatile LONG stop;

static void wait_without_end(void)
{
    WaitForSingleObject(never_set, INFINITE);
}

static void wait_in_short_steps(void)
{
    while (WaitForSingleObject(never_set, SHORT_MILLISECONDS) == WAIT_TIMEOUT)
        continue;
}

static void want_lock(void)
{
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
}

static void send_to_second(void)
{
    SendMessageW(second.window, WM_APP, 0, 0);
}

static void wait_for_worker(void)
{
    WaitForSingleObject(worker, INFINITE);
}

static void compute(void)
{
    while (!stop)
        result = result * 1.0000001 + 0.5;
}

void ui_scene_idle(void)
{
    start_window("ui", &first, wait_without_end);
}

void ui_scene_modal(void)
{
    start_window("ui", &first, run_message_loop);
    enter_handler(&first);
}

void ui_scene_event(void)
{
    never_set = sample_event();
    start_window("ui", &first, wait_without_end);
    enter_handler(&first);
}

void ui_scene_event_short(void)
{
    never_set = sample_event();
    start_window("ui", &first, wait_in_short_steps);
    enter_handler(&first);
}

void ui_scene_hung(void)
{
    first.shown = WS_VISIBLE;
    ui_scene_event();
}

static void compute_and_pump(void)
{
    for (;;) {
        for (DWORD begin = GetTickCount(); GetTickCount() - begin < PUMP_MILLISECONDS;)
            result = result * 1.0000001 + 0.5;
        MSG message;
        while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE))
            DispatchMessageW(&message);
    }
}

void ui_scene_hung_pumping(void)
{
    first.shown = WS_VISIBLE;
    HANDLE thread = start_window("ui", &first, compute_and_pump);
    enter_handler(&first);
    sample_wait_for_processor_time(thread, SHORT_MILLISECONDS);
}

static DWORD WINAPI own_for(void *milliseconds)
{
    EnterCriticalSection(&section);
    SetEvent(owner_has_lock);
    Sleep((DWORD)(ULONG_PTR)milliseconds);
    LeaveCriticalSection(&section);
    return 0;
}

static void play_lock(DWORD milliseconds)
{
    owner_has_lock = sample_event();
    InitializeCriticalSection(&section);
    sample_address("lock", &section);
    sample_thread("owner", own_for, (void *)(ULONG_PTR)milliseconds);
    sample_wait_for_event("the owner to take its lock", owner_has_lock);
    start_window("ui", &first, want_lock);
    enter_handler(&first);
    sample_wait_for_waiters(&section, 1);
}

void ui_scene_lock(void)
{
    play_lock(INFINITE);
}

void ui_scene_lock_slow_owner(void)
{
    play_lock(SLOW_MILLISECONDS);
}

void ui_scene_send(void)
{
    never_set = sample_event();
    start_window("second", &second, wait_without_end);
    enter_handler(&second);
    start_window("ui", &first, send_to_second);
    enter_handler(&first);
}

static DWORD WINAPI report_to_window(void *go)
{
    WaitForSingleObject(go, INFINITE);
    return (DWORD)SendMessageW(first.window, WM_APP, 0, 0);
}

void ui_scene_join(void)
{
    HANDLE go = sample_event();
    worker = sample_thread("worker", report_to_window, go);
    start_window("ui", &first, wait_for_worker);
    enter_handler(&first);
    SetEvent(go);
}

void ui_scene_compute(void)
{
    HANDLE thread = start_window("ui", &first, compute);
    enter_handler(&first);
    sample_wait_for_processor_time(thread, COMPUTE_MILLISECONDS);
}

static DWORD WINAPI ask_user32_and_wait(void *event)
{
    GetDesktopWindow();
    MSG message;
    PeekMessageW(&message, NULL, 0, 0, PM_NOREMOVE);
    WaitForSingleObject(event, INFINITE);
    return 0;
}

void ui_scene_none(void)
{
    sample_thread("ui", ask_user32_and_wait, sample_event());
}
