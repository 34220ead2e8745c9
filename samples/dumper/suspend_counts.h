#ifndef SUSPEND_COUNTS_H
#define SUSPEND_COUNTS_H

#include <stdbool.h>
#include <windows.h>

/* The suspend counts that threads have by themselves, before this program stops the process. */
struct suspend_counts;

/* Reads the count of each thread of the process: SuspendThread returns it, and ResumeThread takes back what that added. NULL when the system refuses. */
struct suspend_counts *read_suspend_counts(DWORD process_id);

/* Stops all threads of the process (NtSuspendProcess), so that the dump is of one moment; resume_process lets them go. */
bool suspend_process(HANDLE process);
void resume_process(HANDLE process);

/* Writes the counts into the thread list of the dump, whose writer has recorded -1 for each thread under Wine, or counts that include its own stop. A thread
 * that was not there before the stop keeps what the writer recorded. Returns false when the file is no dump with a thread list. */
bool write_suspend_counts(HANDLE file, const struct suspend_counts *counts);

void free_suspend_counts(struct suspend_counts *counts);

#endif
