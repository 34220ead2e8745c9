#include "debug_loop.h"

#define EVENT_LIMIT_MILLISECONDS 180000

static bool read_context(DWORD thread_id, CONTEXT *context)
{
    HANDLE thread = OpenThread(THREAD_GET_CONTEXT, FALSE, thread_id);
    if (thread == NULL)
        return false;
    context->ContextFlags = CONTEXT_ALL;
    bool read = GetThreadContext(thread, context);
    CloseHandle(thread);
    return read;
}

/* Wine ends a thread whose stack is full without a second chance: its dispatcher finds no room. */
static bool is_unhandled(const EXCEPTION_DEBUG_INFO *raised)
{
    return raised->dwFirstChance == 0 || raised->ExceptionRecord.ExceptionCode == EXCEPTION_STACK_OVERFLOW;
}

static void close_files_of(const DEBUG_EVENT *event)
{
    HANDLE file = event->dwDebugEventCode == CREATE_PROCESS_DEBUG_EVENT ? event->u.CreateProcessInfo.hFile
                : event->dwDebugEventCode == LOAD_DLL_DEBUG_EVENT       ? event->u.LoadDll.hFile
                                                                        : NULL;
    if (file != NULL)
        CloseHandle(file);
}

bool await_exception(DWORD process_id, bool wants_breakpoint, struct debugged_exception *exception)
{
    DEBUG_EVENT event;
    if (!DebugActiveProcess(process_id))
        return false;
    while (WaitForDebugEvent(&event, EVENT_LIMIT_MILLISECONDS)) {
        DWORD answer = DBG_CONTINUE;
        if (event.dwDebugEventCode == EXIT_PROCESS_DEBUG_EVENT)
            break;
        if (event.dwDebugEventCode == EXCEPTION_DEBUG_EVENT) {
            const EXCEPTION_DEBUG_INFO *raised = &event.u.Exception;
            bool is_breakpoint = raised->ExceptionRecord.ExceptionCode == EXCEPTION_BREAKPOINT;
            if (wants_breakpoint ? is_breakpoint : is_unhandled(raised)) {
                exception->thread_id = event.dwThreadId;
                exception->record = raised->ExceptionRecord;
                return read_context(event.dwThreadId, &exception->context);
            }
            answer = is_breakpoint ? DBG_CONTINUE : DBG_EXCEPTION_NOT_HANDLED;
        }
        close_files_of(&event);
        if (!ContinueDebugEvent(event.dwProcessId, event.dwThreadId, answer))
            break;
    }
    return false;
}
