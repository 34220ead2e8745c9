/* Windows with the threads that pump their messages, for the scenes. */
#ifndef UI_WINDOW_H
#define UI_WINDOW_H

#include <windows.h>

/* What a window procedure runs its two handlers for. */
#define WM_HANG (WM_APP + 1)
#define WM_CALL (WM_APP + 2)

/* A window with the thread that pumps its messages; the handlers are what the window procedure runs for WM_HANG and WM_CALL. */
struct window_thread {
    void (*handler)(void);
    void (*call_handler)(void); /* or NULL */
    HWND window;
    DWORD shown; /* WS_VISIBLE for a window that is shown, else 0 */
    HANDLE has_window;
    HANDLE in_handler;
};

/* Starts the thread and returns when its window is there. */
HANDLE start_window(const char *role, struct window_thread *thread, void (*handler)(void));

/* Posts WM_HANG and returns when the handler runs. */
void enter_handler(struct window_thread *thread);

/* GetMessage and DispatchMessage until WM_QUIT. */
void run_message_loop(void);

#endif
