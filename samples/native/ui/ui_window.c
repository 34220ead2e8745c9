#include "ui_window.h"

#include "sample.h"

static LRESULT CALLBACK handle_message(HWND window, UINT message, WPARAM first_argument, LPARAM second_argument)
{
    struct window_thread *thread = (struct window_thread *)GetWindowLongPtrW(window, GWLP_USERDATA);
    if (message == WM_HANG && thread != NULL) {
        SetEvent(thread->in_handler);
        thread->handler();
        return 0;
    }
    if (message == WM_CALL && thread != NULL && thread->call_handler != NULL) {
        thread->call_handler();
        return 0;
    }
    return DefWindowProcW(window, message, first_argument, second_argument);
}

void run_message_loop(void)
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
    thread->window = CreateWindowW(L"dump-ui-sample", L"sample", WS_OVERLAPPEDWINDOW | thread->shown, 0, 0, 200, 200, NULL, NULL, NULL, NULL);
    if (thread->window == NULL)
        sample_fail("CreateWindow");
    SetWindowLongPtrW(thread->window, GWLP_USERDATA, (LONG_PTR)thread);
    SetEvent(thread->has_window);
    run_message_loop();
    return 0;
}

HANDLE start_window(const char *role, struct window_thread *thread, void (*handler)(void))
{
    WNDCLASSW class = { .lpfnWndProc = handle_message, .lpszClassName = L"dump-ui-sample" };
    RegisterClassW(&class); /* fails for the second window, which does no harm */
    thread->handler = handler;
    thread->has_window = sample_event();
    thread->in_handler = sample_event();
    HANDLE started = sample_thread(role, pump_messages, thread);
    sample_wait_for_event("a window", thread->has_window);
    return started;
}

void enter_handler(struct window_thread *thread)
{
    PostMessageW(thread->window, WM_HANG, 0, 0);
    sample_wait_for_event("a handler to be entered", thread->in_handler);
}
