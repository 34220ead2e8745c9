#ifndef DEBUG_LOOP_H
#define DEBUG_LOOP_H

#include <stdbool.h>
#include <windows.h>

/* An exception of another process, as a debugger gets it. */
struct debugged_exception {
    DWORD thread_id;
    EXCEPTION_RECORD record;
    CONTEXT context;
};

/* Attaches to the process as its debugger and lets it go on until an exception that no handler has taken (second chance), for which the process then stands;
 * or, where a breakpoint is wanted, until the one at which every process stops when a debugger comes. Ends with this program, and the process with it.
 * Returns false, with the last error set, when the process ends before. */
bool await_exception(DWORD process_id, bool wants_breakpoint, struct debugged_exception *exception);

#endif
