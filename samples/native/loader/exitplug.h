/* A library whose DllMain waits for its worker thread while the process exits. */
#ifndef EXITPLUG_H
#define EXITPLUG_H

#include <windows.h>

#ifdef EXITPLUG_BUILDING
#define EXITPLUG_API __declspec(dllexport)
#else
#define EXITPLUG_API __declspec(dllimport)
#endif

enum exitplug_wait {
    EXITPLUG_EVENT,  /* for an event that the worker would set when it ends its work */
    EXITPLUG_LOCK,   /* for an SRW lock that the worker holds */
    EXITPLUG_LIMITED /* for the event, with a time limit */
};

/* Starts the worker, which takes the lock and works without end; returns its thread id, 0 when the system refuses. */
EXITPLUG_API DWORD exitplug_start(enum exitplug_wait wait);

#endif
