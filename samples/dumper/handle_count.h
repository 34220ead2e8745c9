#ifndef HANDLE_COUNT_H
#define HANDLE_COUNT_H

#include <stdbool.h>
#include <windows.h>

/* Makes the loaded dump writer see the target's true number of handles.
 *
 * The writer asks NtQueryInformationProcess for the count before it lists handles. Wine 8 answers that question with success and 0, so the
 * dump would carry no handles. The list itself Wine can give; only the count is supplied here, the format stays the writer's own.
 * Returns false when the writer does not import GetProcAddress, through which it finds the system function. */
bool supply_handle_count(HMODULE writer, DWORD process_id);

#endif
