#include "sample.h"
#include "ui_scenes.h"

#define WM_HANG (WM_APP + 1)
#define COMPUTE_MILLISECONDS 3000
#define SHORT_MILLISECONDS 250
#define SLOW_MILLISECONDS 60000

/* A window with the thread that pumps its messages; the handler is what the window procedure runs for WM_HANG. */
struct window_thread {
    void (*handler)(void);
    HWND window;
    HANDLE has_window;
    HANDLE in_handler;
};

static struct window_thread first, second;
static HANDLE never_set, worker;
static CRITICAL_SECTION section;
static HANDLE owner_has_lock;
static volatile double result = 1.0;
static volatile LONG stop;

static LRESULT CALLBACK handle_message(HWND window, UINT message, WPARAM first_argument, LPARAM second_argument)
{
    struct window_thread *thread = (struct window_thread *)GetWindowLongPtrW(window, GWLP_USERDATA);
    if (message == WM_HANG && thread != NULL) {
        SetEvent(thread->in_handler);
        thread->handler();
        return 0;
    }
    return DefWindowProcW(window, message, first_argument, second_argument);
}

static void run_message_loop(void)
{
    MSG message;
    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
}

static DWORD WINAPI pump_messages(void *argument)
{
    struct window_thread *thread = argument;
    thread->window = CreateWindowW(L"dump-ui-sample", L"sample", WS_OVERLAPPEDWINDOW, 0, 0, 200, 200, NULL, NULL, NULL, NULL);
    if (thread->window == NULL)
        sample_fail("CreateWindow");
    SetWindowLongPtrW(thread->window, GWLP_USERDATA, (LONG_PTR)thread);
    SetEvent(thread->has_window);
    run_message_loop();
    return 0;
}

static HANDLE start_window(const char *role, struct window_thread *thread, void (*handler)(void))
{
    WNDCLASSW class = { .lpfnWndProc = handle_message, .lpszClassName = L"dump-ui-sample" };
    RegisterClassW(&class); /* fails for the second window, which does no harm */
    *thread = (struct window_thread){ handler, NULL, sample_event(), sample_event() };
    HANDLE started = sample_thread(role, pump_messages, thread);
    sample_wait_for_event("a window", thread->has_window);
    return started;
}

static void enter_handler(struct window_thread *thread)
{
    PostMessageW(thread->window, WM_HANG, 0, 0);
    sample_wait_for_event("a handler to be entered", thread->in_handler);
}

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
