#include "mathplug.h"

/* A library that the process has not loaded yet, standing for the processor-specific backend. */
#define BACKEND L"winhttp.dll"

static volatile LONG lock_word;
static enum mathplug_lock_word lock_word_holds;
static struct mathplug_events host;
static volatile LONG initialized;

void mathplug_initialize(enum mathplug_lock_word word, const struct mathplug_events *events)
{
    lock_word_holds = word;
    host = *events;
    InterlockedExchange(&initialized, 1);
}

__attribute__((noinline)) void mathplug_lock(void)
{
    LONG taken = lock_word_holds == MATHPLUG_LOCK_WORD_THREAD_ID ? (LONG)GetCurrentThreadId() : 1;
    while (InterlockedCompareExchange(&lock_word, taken, 0) != 0)
        SwitchToThread();
}

__attribute__((noinline)) void mathplug_unlock(void)
{
    InterlockedExchange(&lock_word, 0);
}

__attribute__((noinline)) static void load_backend(void)
{
    HMODULE backend = LoadLibraryW(BACKEND);
    if (backend != NULL)
        InterlockedIncrement(&initialized);
}

__attribute__((noinline)) void mathplug_transform(void)
{
    mathplug_lock();
    SetEvent(host.lock_taken);
    WaitForSingleObject(host.continue_load, INFINITE);
    load_backend();
    mathplug_unlock();
}

__attribute__((noinline)) void mathplug_transform_slowly(DWORD milliseconds)
{
    mathplug_lock();
    SetEvent(host.lock_taken);
    Sleep(milliseconds);
    mathplug_unlock();
}

__attribute__((noinline)) void mathplug_free_buffers(void)
{
    mathplug_lock();
    mathplug_unlock();
}

const volatile LONG *mathplug_lock_address(void)
{
    return &lock_word;
}

/* Runs under the loader lock whenever a thread of the process exits, whether it used this library or not. */
static void NTAPI thread_callback(void *module, DWORD reason, void *reserved)
{
    (void)module;
    (void)reserved;
    if (reason != DLL_THREAD_DETACH || !initialized)
        return;
    SetEvent(host.thread_exiting);
    mathplug_free_buffers();
}

/* The C runtime's callbacks lie in .CRT$XLA and .CRT$XLZ; a pointer sorted between them is called by the loader. */
__attribute__((section(".CRT$XLB"), used)) static PIMAGE_TLS_CALLBACK registered_callback = thread_callback;

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved)
{
    (void)module;
    (void)reason;
    (void)reserved;
    return TRUE;
}
