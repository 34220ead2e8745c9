/* What every sample shares: the lines that a test reads, a bounded life, and proof that the wanted state was reached.
 *
 * Output, one fact a line: "pid N", "thread ID ROLE", "address HEX NAME", then "ready" once the state holds. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <windows.h>

/* Longest life of a sample; long enough for whatever looks at it on a busy machine, short enough that a forgotten one does no harm. */
#define SAMPLE_LIFETIME_MILLISECONDS 600000

/* Exit status of a sample that could not print its lines (EX_IOERR of sysexits.h). */
#define SAMPLE_UNHEARD 74

/* Prints the process id. With SAMPLE_BALLAST_MEBIBYTES in the environment it first allocates and fills that much memory. */
void sample_begin(void);

/* Creates a thread and prints its id with its role; ends the process when the system refuses. */
HANDLE sample_thread(const char *role, LPTHREAD_START_ROUTINE start, void *argument);

/* The same, and returns only when the thread is past its DllMain calls and inside its start routine. */
HANDLE sample_running_thread(const char *role, LPTHREAD_START_ROUTINE start, void *argument);

/* Treats a thread that a library created like one of sample_thread. */
void sample_adopted_thread(const char *role, DWORD id);

/* Prints the calling thread's id with its role. */
void sample_this_thread(const char *role);

/* Prints the address of a lock or another object that a test wants to compare. */
void sample_address(const char *name, const volatile void *address);

/* Polls the condition until it holds; ends the process with an error after three minutes. */
void sample_wait_until(const char *what, bool (*condition)(const void *), const void *argument);

/* Waits until the thread has used that much processor time, user and kernel together; on a busy machine it is content after 20 s with 30 ms, because the dump
 * records what the thread got, and ends the process with an error after three minutes without them. From then on the thread counts as one that runs without end. */
void sample_wait_for_processor_time(HANDLE thread, unsigned milliseconds);

/* Waits until that many threads are blocked in the critical section, counted from its LockCount. */
void sample_wait_for_waiters(const CRITICAL_SECTION *section, int waiters);

/* Waits until that many threads are blocked in the loader lock. Windows 10 and later keep them waiting for load ownership instead, which counts nobody:
 * there it returns at once. */
void sample_wait_for_loader_waiters(int waiters);

/* The lock of the process environment block (FastPebLock). */
const CRITICAL_SECTION *sample_peb_lock(void);

/* Waits until the event is set; ends the process with an error after three minutes. */
void sample_wait_for_event(const char *what, HANDLE event);

/* Creates a manual-reset event; ends the process when the system refuses. */
HANDLE sample_event(void);

/* Prints an error and ends the process. */
__declspec(noreturn) void sample_fail(const char *what);

/* Waits until every thread of sample_thread and sample_adopted_thread has ended, runs without end, or stands in the system call of its wait (standing.h);
 * then prints "ready", sleeps for the rest of the sample's life and ends the process without running any exit code. */
__declspec(noreturn) void sample_ready(void);

/* True when the option stands among the program's arguments. */
bool sample_option(int count, char **arguments, const char *option);

#endif
