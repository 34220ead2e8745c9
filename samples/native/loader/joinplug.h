/* A library with a worker thread that it stops and joins when it is unloaded. */
#ifndef JOINPLUG_H
#define JOINPLUG_H

#include <windows.h>

#ifdef JOINPLUG_BUILDING
#define JOINPLUG_API __declspec(dllexport)
#else
#define JOINPLUG_API __declspec(dllimport)
#endif

/* Starts the worker and returns its thread id, 0 when the system refuses. The event is set when the library begins to join the worker. */
JOINPLUG_API DWORD joinplug_start(HANDLE joining_event);

/* Stops the worker and waits for its end. Unloading the library does the same when this was not called before. */
JOINPLUG_API void joinplug_stop(void);

#endif
