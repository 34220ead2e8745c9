/* A library that starts like those of Microsoft's C runtime: it holds a startup lock of its own while its initialisers run. The names are that runtime's. */
#ifndef STARTUPPLUG_H
#define STARTUPPLUG_H

#include <stdbool.h>
#include <windows.h>

/* What the library and its program share; the program exports it as "startup_scene". */
struct startup_scene {
    /* What the initialiser waits for: a critical section, an event, or neither. */
    CRITICAL_SECTION *section;
    HANDLE event;
    /* Set by the initialiser, under the lock, before it waits. */
    HANDLE initialising;
    /* Filled by the initialiser: takes and gives back the lock, or stores any value in it; its address. */
    void (*enter)(void);
    void (*store)(void *value);
    const volatile void *lock;
};

#endif
