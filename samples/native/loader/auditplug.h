/* A library that registers every thread under a lock, from DllMain, and that also loads another library while holding that lock. */
#ifndef AUDITPLUG_H
#define AUDITPLUG_H

#include <stdbool.h>
#include <windows.h>

/* Which kind of lock guards the register of threads. */
enum auditplug_lock {
    AUDITPLUG_CRITICAL_SECTION,
    AUDITPLUG_SPIN_LOCK
};

struct auditplug_events {
    HANDLE lock_taken;     /* set by the library: the export holds the lock */
    HANDLE in_dll_main;    /* set by the library: DllMain is about to take the lock */
    HANDLE continue_load;  /* set by the host: load the library now */
};

#ifdef AUDITPLUG_BUILDING
#define AUDITPLUG_API __declspec(dllexport)
#else
#define AUDITPLUG_API __declspec(dllimport)
#endif

/* Prepares the library; before this call DllMain registers nothing. */
AUDITPLUG_API void auditplug_initialize(enum auditplug_lock kind, const struct auditplug_events *events);

/* Chooses whether DllMain registers starting threads; it does so from the preparation on. */
AUDITPLUG_API void auditplug_register_threads(bool wanted);

/* Enters the caller into the register, under the lock. */
AUDITPLUG_API void auditplug_register(void);

/* Takes the lock and loads a library while holding it. */
AUDITPLUG_API void auditplug_export(void);

/* Takes the lock and writes for that long while holding it, without loading anything. */
AUDITPLUG_API void auditplug_export_slowly(DWORD milliseconds);

/* The lock: a critical section or the spin lock's word. */
AUDITPLUG_API const volatile void *auditplug_lock_address(void);

#endif
