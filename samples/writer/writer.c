/* labwriter.dll: MiniDumpWriteDump for tests of dumpanalyze live, which take it with --dump-writer.
 *
 * LAB_WRITER names the dbgcore.dll that writes; it is told the number of handles, of which Wine says that there are none.
 * With LAB_WRITER_STANDS in the environment nothing is written: the threads of the process are suspended once more, as the writer of Windows itself does it
 * (dbgcore under Wine stops no thread), a file of that name is made, and the call never returns. Whoever waits for the file finds the writer in the middle of
 * its work. LAB_WRITER_COPY names a file that gets a copy of the first dump, which dumpanalyze itself does not keep. */
#include "../dumper/handle_count.h"

#include <dbghelp.h>
#include <stdio.h>
#include <tlhelp32.h>
#include <windows.h>

#define LONGEST_PATH 1024

typedef BOOL(WINAPI *write_dump_function)(HANDLE, DWORD, HANDLE, MINIDUMP_TYPE, MINIDUMP_EXCEPTION_INFORMATION *, MINIDUMP_USER_STREAM_INFORMATION *,
                                          MINIDUMP_CALLBACK_INFORMATION *);

static void suspend_threads(DWORD process_id)
{
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry = { .dwSize = sizeof(entry) };
    for (BOOL more = Thread32First(list, &entry); more; more = Thread32Next(list, &entry)) {
        HANDLE thread = entry.th32OwnerProcessID == process_id ? OpenThread(THREAD_SUSPEND_RESUME, FALSE, entry.th32ThreadID) : NULL;
        if (thread != NULL) {
            SuspendThread(thread);
            CloseHandle(thread);
        }
    }
    CloseHandle(list);
}

static void stand(const wchar_t *marker, DWORD process_id)
{
    suspend_threads(process_id);
    CloseHandle(CreateFileW(marker, GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL));
    Sleep(INFINITE);
}

static void copy(HANDLE file, const wchar_t *path)
{
    static char block[1 << 20];
    DWORD count;
    HANDLE target = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (target == INVALID_HANDLE_VALUE)
        return;
    SetFilePointer(file, 0, NULL, FILE_BEGIN);
    while (ReadFile(file, block, sizeof(block), &count, NULL) && count > 0)
        WriteFile(target, block, count, &count, NULL);
    CloseHandle(target);
}

__declspec(dllexport) BOOL WINAPI MiniDumpWriteDump(HANDLE process, DWORD process_id, HANDLE file, MINIDUMP_TYPE type,
                                                    MINIDUMP_EXCEPTION_INFORMATION *exception,
                                                    MINIDUMP_USER_STREAM_INFORMATION *streams, MINIDUMP_CALLBACK_INFORMATION *callback)
{
    static wchar_t path[LONGEST_PATH];
    if (GetEnvironmentVariableW(L"LAB_WRITER_STANDS", path, LONGEST_PATH) > 0)
        stand(path, process_id);
    if (GetEnvironmentVariableW(L"LAB_WRITER", path, LONGEST_PATH) == 0)
        return FALSE;
    HMODULE writer = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (writer == NULL || !supply_handle_count(writer, process_id))
        return FALSE;
    write_dump_function write_dump = (write_dump_function)(void *)GetProcAddress(writer, "MiniDumpWriteDump");
    if (write_dump == NULL || !write_dump(process, process_id, file, type, exception, streams, callback))
        return FALSE;
    if (GetEnvironmentVariableW(L"LAB_WRITER_COPY", path, LONGEST_PATH) > 0)
        copy(file, path);
    return TRUE;
}
