/* A numeric library with one process-wide spin lock, as large mathematics libraries have.
 *
 * The library frees per-thread buffers when a thread exits, under the spin lock and from a TLS callback, which means under the loader lock.
 * It also loads its processor-specific backend on first use, while holding the same spin lock. Together that is a deadlock. */
#ifndef MATHPLUG_H
#define MATHPLUG_H

#include <windows.h>

/* What the lock word holds while the lock is taken. */
enum mathplug_lock_word {
    MATHPLUG_LOCK_WORD_ONE,      /* the value 1: the holder is not recorded */
    MATHPLUG_LOCK_WORD_THREAD_ID /* the id of the holding thread */
};

/* Signals between the library and its host, so that the host can steer the two threads into the deadlock. */
struct mathplug_events {
    HANDLE lock_taken;      /* set by the library: the transform holds the spin lock */
    HANDLE thread_exiting;  /* set by the library: a thread is in the TLS callback, under the loader lock */
    HANDLE continue_load;   /* set by the host: load the backend now */
};

#ifdef MATHPLUG_BUILDING
#define MATHPLUG_API __declspec(dllexport)
#else
#define MATHPLUG_API __declspec(dllimport)
#endif

/* Prepares the library; before this call the TLS callback does nothing. */
MATHPLUG_API void mathplug_initialize(enum mathplug_lock_word word, const struct mathplug_events *events);

/* Takes the spin lock and loads the backend while holding it. */
MATHPLUG_API void mathplug_transform(void);

/* Takes the spin lock and computes for that long while holding it, without loading anything. */
MATHPLUG_API void mathplug_transform_slowly(DWORD milliseconds);

/* Frees the calling thread's buffers, under the spin lock. */
MATHPLUG_API void mathplug_free_buffers(void);

/* Takes and releases the spin lock. */
MATHPLUG_API void mathplug_lock(void);
MATHPLUG_API void mathplug_unlock(void);

/* The spin lock's word; zero while the lock is free. */
MATHPLUG_API const volatile LONG *mathplug_lock_address(void);

#endif
