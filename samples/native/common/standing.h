/* Proof that blocked threads have arrived: a thread stands when its instruction pointer lies in a system call that waits. */
#ifndef STANDING_H
#define STANDING_H

#include <windows.h>

/* Finds the system calls; to be called before any thread can hold the loader lock, which finding them takes. */
void standing_begin(void);

/* Takes a new thread into the list of those that standing_wait_for_all waits for; its role names it when it never arrives. */
void standing_expect(HANDLE thread, const char *role);

/* Takes the thread out again: it is meant to run. */
void standing_except(HANDLE thread);

/* Waits until each listed thread has ended or stands; ends the process with an error after the time limit of sample_wait_until. */
void standing_wait_for_all(void);

#endif
