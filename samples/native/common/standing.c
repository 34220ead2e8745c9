#include "standing.h"

#include "sample.h"

#include <stdbool.h>
#include <stdio.h>

#define MOST_THREADS 64
#define WAIT_CALLS 12

/* A system-call stub of 64-bit ntdll or win32u, on Windows 10 as in Wine; a blocked thread's instruction pointer is inside it, behind the syscall. */
#define STUB_BYTES 0x20

struct expected_thread {
    HANDLE thread;
    const char *role;
};

static struct expected_thread expected[MOST_THREADS];
static int expected_count;
static ULONG_PTR wait_calls[WAIT_CALLS];

void standing_expect(HANDLE thread, const char *role)
{
    HANDLE kept;
    if (expected_count == MOST_THREADS)
        sample_fail("more threads than standing.c can list");
    /* The scene may close its own handle. */
    if (!DuplicateHandle(GetCurrentProcess(), thread, GetCurrentProcess(), &kept, 0, FALSE, DUPLICATE_SAME_ACCESS))
        sample_fail("DuplicateHandle");
    expected[expected_count++] = (struct expected_thread){ kept, role };
}

void standing_except(HANDLE thread)
{
    DWORD id = GetThreadId(thread);
    for (int i = 0; i < expected_count; i++) {
        if (GetThreadId(expected[i].thread) == id) {
            CloseHandle(expected[i].thread);
            expected[i] = expected[--expected_count];
            return;
        }
    }
}

void standing_begin(void)
{
    static const char *const names[WAIT_CALLS] = {
        "NtWaitForSingleObject", "NtWaitForMultipleObjects", "NtWaitForAlertByThreadId", "NtWaitForKeyedEvent",
        "NtDelayExecution",      "NtRemoveIoCompletion",     "NtRemoveIoCompletionEx",
        "NtReadFile",
        /* Of win32u, in programs with windows. */
        "NtUserGetMessage",      "NtUserWaitMessage",        "NtUserMsgWaitForMultipleObjectsEx", "NtUserMessageCall",
    };
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll"), win32u = GetModuleHandleW(L"win32u.dll");
    for (int i = 0; i < WAIT_CALLS; i++) {
        HMODULE module = names[i][2] == 'U' ? win32u : ntdll;
        wait_calls[i] = module == NULL ? 0 : (ULONG_PTR)(void *)GetProcAddress(module, names[i]);
    }
}

static bool is_in_wait(ULONG_PTR instruction_pointer)
{
    for (int i = 0; i < WAIT_CALLS; i++)
        if (wait_calls[i] != 0 && instruction_pointer > wait_calls[i] && instruction_pointer < wait_calls[i] + STUB_BYTES)
            return true;
    return false;
}

/* The registers of a thread that is not suspended may be anything. */
static bool stands(HANDLE thread)
{
    CONTEXT context = { .ContextFlags = CONTEXT_CONTROL };
    if (SuspendThread(thread) == (DWORD)-1)
        return WaitForSingleObject(thread, 0) == WAIT_OBJECT_0;
    BOOL known = GetThreadContext(thread, &context);
    ResumeThread(thread);
#ifdef _WIN64
    return known && is_in_wait(context.Rip);
#else
    return known && is_in_wait(context.Eip);
#endif
}

static bool has_ended_or_stands(const void *thread)
{
    return WaitForSingleObject((HANDLE)thread, 0) == WAIT_OBJECT_0 || stands((HANDLE)thread);
}

void standing_wait_for_all(void)
{
    for (int i = 0; i < expected_count; i++) {
        char what[64];
        snprintf(what, sizeof(what), "thread '%s' to stand in its wait", expected[i].role);
        sample_wait_until(what, has_ended_or_stands, expected[i].thread);
    }
}
