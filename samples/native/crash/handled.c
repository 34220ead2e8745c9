#include "crash_scenes.h"
#include "sample.h"

/* Length of "movl $1, (%rcx)". */
#define WRITE_LENGTH 6

struct step {
    CRITICAL_SECTION *own;
    CRITICAL_SECTION *other;
    HANDLE own_taken;
    HANDLE other_taken;
};

static CRITICAL_SECTION sections[2];
static volatile LONG handled;

static LONG CALLBACK skip_write(EXCEPTION_POINTERS *pointers)
{
    if (pointers->ExceptionRecord->ExceptionCode != EXCEPTION_ACCESS_VIOLATION)
        return EXCEPTION_CONTINUE_SEARCH;
    pointers->ContextRecord->Rip += WRITE_LENGTH;
    handled = 1;
    return EXCEPTION_CONTINUE_EXECUTION;
}

static DWORD WINAPI take_both(void *argument)
{
    const struct step *step = argument;
    EnterCriticalSection(step->own);
    SetEvent(step->own_taken);
    sample_wait_for_event("the other thread", step->other_taken);
    EnterCriticalSection(step->other);
    return 0;
}

void handled_then_hang(void)
{
    void *handler = AddVectoredExceptionHandler(1, skip_write);
    __asm__ volatile("movl $1, (%%rcx)" : : "c"((ULONG_PTR)8) : "memory");
    RemoveVectoredExceptionHandler(handler);
    if (handled == 0)
        sample_fail("handling the exception");

    static struct step steps[2];
    HANDLE taken[] = { sample_event(), sample_event() };
    for (int i = 0; i < 2; i++)
        InitializeCriticalSection(&sections[i]);
    for (int i = 0; i < 2; i++) {
        steps[i] = (struct step){ &sections[i], &sections[1 - i], taken[i], taken[1 - i] };
        sample_thread(i == 0 ? "first" : "second", take_both, &steps[i]);
    }
    sample_wait_for_waiters(&sections[0], 1);
    sample_wait_for_waiters(&sections[1], 1);
}
