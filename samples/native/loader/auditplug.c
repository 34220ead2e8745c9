#include "auditplug.h"

/* A library that the process has not loaded yet. */
#define EXPORT_LIBRARY L"winhttp.dll"

static enum auditplug_lock lock_kind;
static CRITICAL_SECTION section;
static volatile LONG spin_word;
static struct auditplug_events host;
static volatile LONG registers_threads;
static volatile LONG registered_threads;

void auditplug_initialize(enum auditplug_lock kind, const struct auditplug_events *events)
{
    lock_kind = kind;
    host = *events;
    InitializeCriticalSection(&section);
    InterlockedExchange(&registers_threads, 1);
}

__attribute__((noinline)) static void lock_register(void)
{
    if (lock_kind == AUDITPLUG_CRITICAL_SECTION) {
        EnterCriticalSection(&section);
        return;
    }
    while (InterlockedCompareExchange(&spin_word, 1, 0) != 0)
        SwitchToThread();
}

__attribute__((noinline)) static void unlock_register(void)
{
    if (lock_kind == AUDITPLUG_CRITICAL_SECTION)
        LeaveCriticalSection(&section);
    else
        InterlockedExchange(&spin_word, 0);
}

void auditplug_register_threads(bool wanted)
{
    InterlockedExchange(&registers_threads, wanted);
}

__attribute__((noinline)) void auditplug_register(void)
{
    SetEvent(host.in_dll_main);
    lock_register();
    registered_threads++;
    unlock_register();
}

__attribute__((noinline)) void auditplug_export(void)
{
    lock_register();
    SetEvent(host.lock_taken);
    WaitForSingleObject(host.continue_load, INFINITE);
    HMODULE library = LoadLibraryW(EXPORT_LIBRARY);
    if (library != NULL)
        registered_threads++;
    unlock_register();
}

__attribute__((noinline)) void auditplug_export_slowly(DWORD milliseconds)
{
    lock_register();
    SetEvent(host.lock_taken);
    Sleep(milliseconds);
    unlock_register();
}

const volatile void *auditplug_lock_address(void)
{
    return lock_kind == AUDITPLUG_CRITICAL_SECTION ? (const volatile void *)&section : (const volatile void *)&spin_word;
}

/* Runs under the loader lock. */
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved)
{
    (void)module;
    (void)reserved;
    if (reason == DLL_THREAD_ATTACH && registers_threads)
        auditplug_register();
    return TRUE;
}
