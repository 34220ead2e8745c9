#include "sample.h"
#include "ui_scenes.h"
#include "ui_window.h"

static struct window_thread first, second;
static HANDLE never_set, called_back;
static CRITICAL_SECTION outer, inner;
static HANDLE has_inner, has_outer;

static void wait_for_event_or_sent_messages(void)
{
    while (MsgWaitForMultipleObjects(1, &never_set, FALSE, INFINITE, QS_SENDMESSAGE) == WAIT_OBJECT_0 + 1) {
        MSG message;
        PeekMessageW(&message, NULL, 0, 0, PM_NOREMOVE);
    }
}

static void wait_for_event_or_any_message(void)
{
    while (MsgWaitForMultipleObjects(1, &never_set, FALSE, INFINITE, QS_ALLINPUT) == WAIT_OBJECT_0 + 1) {
        MSG message;
        while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE))
            DispatchMessageW(&message);
    }
}

static void sleep_without_end(void)
{
    Sleep(INFINITE);
}

static void wait_without_end(void)
{
    SetEvent(called_back);
    WaitForSingleObject(never_set, INFINITE);
}

static void call_second(void)
{
    SendMessageW(second.window, WM_CALL, 0, 0);
}

static void call_first(void)
{
    SendMessageW(first.window, WM_CALL, 0, 0);
}

static void play_handler(void (*handler)(void))
{
    never_set = sample_event();
    start_window("ui", &first, handler);
    enter_handler(&first);
}

void ui_scene_message_wait(void)
{
    play_handler(wait_for_event_or_sent_messages);
}

void ui_scene_message_wait_loop(void)
{
    play_handler(wait_for_event_or_any_message);
}

void ui_scene_sleep(void)
{
    play_handler(sleep_without_end);
}

void ui_scene_reentry(void)
{
    never_set = sample_event();
    called_back = sample_event();
    second.call_handler = call_first;
    start_window("second", &second, run_message_loop);
    first.call_handler = wait_without_end;
    start_window("ui", &first, call_second);
    enter_handler(&first);
    sample_wait_for_event("the first window to be called back", called_back);
}

static DWORD WINAPI take_inner_then_outer(void *unused)
{
    (void)unused;
    EnterCriticalSection(&inner);
    SetEvent(has_inner);
    WaitForSingleObject(has_outer, INFINITE);
    EnterCriticalSection(&outer);
    return 0;
}

static void take_outer_then_inner(void)
{
    EnterCriticalSection(&outer);
    SetEvent(has_outer);
    EnterCriticalSection(&inner);
}

void ui_scene_cycle(void)
{
    InitializeCriticalSection(&outer);
    InitializeCriticalSection(&inner);
    sample_address("outer", &outer);
    sample_address("inner", &inner);
    has_inner = sample_event();
    has_outer = sample_event();
    sample_thread("worker", take_inner_then_outer, NULL);
    sample_wait_for_event("the worker to take its lock", has_inner);
    start_window("ui", &first, take_outer_then_inner);
    enter_handler(&first);
    sample_wait_for_waiters(&inner, 1);
    sample_wait_for_waiters(&outer, 1);
}
