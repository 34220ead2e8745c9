/* crash SCENE [--debugged]: a process that crashes in one of the ways listed in crash_scenes.h, on a thread "crashing".
 *
 * Alone, its filter for unhandled exceptions keeps the crash: it prints "address HEX exception", where the EXCEPTION_POINTERS lie, and "ready"; who dumps the
 * process then records the exception of the thread "crashing". With --debugged it is "ready" before, waits for a debugger and crashes as soon as there is one. */
#include "crash_scenes.h"
#include "sample.h"

#include <stdio.h>
#include <string.h>

#define POLL_MILLISECONDS 20

static const struct {
    const char *name;
    void (*play)(void);
} scenes[] = {
    { "crash-read", crash_read },
    { "crash-write", crash_write },
    { "crash-call", crash_call },
    { "crash-overflow", crash_overflow },
    { "crash-divide", crash_divide },
    { "crash-illegal", crash_illegal },
    { "crash-fast-fail", crash_fast_fail },
    { "crash-parameter", crash_parameter },
    { "crash-own", crash_own },
    { "crash-throw", crash_throw },
};

static EXCEPTION_POINTERS *volatile exception;
static HANDLE crashed;
static bool debugged;

/* The main thread speaks: this one does as little as it can. */
static LONG WINAPI keep_crash(EXCEPTION_POINTERS *pointers)
{
    exception = pointers;
    SetEvent(crashed);
    Sleep(INFINITE);
    return EXCEPTION_EXECUTE_HANDLER;
}

static DWORD WINAPI crash(void *argument)
{
    for (int waited = 0; debugged && !IsDebuggerPresent() && waited < SAMPLE_LIFETIME_MILLISECONDS; waited += POLL_MILLISECONDS)
        Sleep(POLL_MILLISECONDS);
    scenes[(ULONG_PTR)argument].play();
    sample_fail("crashing");
}

static void start(size_t scene)
{
    DWORD id;
    HANDLE thread = CreateThread(NULL, 0, crash, (void *)scene, CREATE_SUSPENDED, &id);
    if (thread == NULL)
        sample_fail("CreateThread");
    printf("thread %lu crashing\n", id);
    SetUnhandledExceptionFilter(keep_crash);
    ResumeThread(thread);
    if (!debugged) {
        sample_wait_for_event("the crash", crashed);
        sample_address("exception", exception);
    }
}

int main(int count, char **arguments)
{
    debugged = sample_option(count, arguments, "--debugged");
    crashed = sample_event();
    for (size_t i = 0; count >= 2 && i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        if (strcmp(arguments[1], scenes[i].name) != 0)
            continue;
        sample_begin();
        sample_this_thread("main");
        start(i);
        sample_ready();
    }
    if (count == 2 && strcmp(arguments[1], "crash-handled") == 0) {
        sample_begin();
        sample_this_thread("main");
        handled_then_hang();
        sample_ready();
    }
    printf("failed: no such scene\n");
    return 2;
}
