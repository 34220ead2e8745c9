/* dumper PID FILE FLAGS DBGCORE [COMMENT]: writes a minidump of another process with the given dbgcore.dll.
 *
 * The process is stopped while its dump is written, so that the dump is of one moment: dbgcore under Wine stops no thread. Before that the dumper reads each
 * thread's own suspend count, and writes it into the dump's thread list. With DUMPER_TORN in the environment it stops nothing and leaves the counts as the writer
 * records them (-1 under Wine): such a dump is torn, as of a writer that cannot stop the process.
 *
 * FLAGS is a MINIDUMP_TYPE value in C notation. COMMENT becomes the comment stream, as dump tools use it to say why they wrote the dump.
 * Exit status: 0 written, 1 refused (the reason is printed), 2 wrong arguments. */
#include "debug_loop.h"
#include "handle_count.h"
#include "suspend_counts.h"

#include <dbghelp.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

typedef BOOL(WINAPI *write_dump_function)(HANDLE, DWORD, HANDLE, MINIDUMP_TYPE, MINIDUMP_EXCEPTION_INFORMATION *, MINIDUMP_USER_STREAM_INFORMATION *,
                                          MINIDUMP_CALLBACK_INFORMATION *);

struct request {
    DWORD process_id;
    const wchar_t *file;
    MINIDUMP_TYPE flags;
    const wchar_t *writer;
    const wchar_t *comment;
    bool torn;
    bool has_exception;
    MINIDUMP_EXCEPTION_INFORMATION exception;
};

static int failed(const char *what)
{
    fprintf(stderr, "dumper: %s failed with error 0x%lx\n", what, GetLastError());
    return 1;
}

static BOOL write_to(HANDLE process, HANDLE file, const struct request *request, write_dump_function write_dump)
{
    MINIDUMP_EXCEPTION_INFORMATION exception = request->exception;
    MINIDUMP_EXCEPTION_INFORMATION *recorded = request->has_exception ? &exception : NULL;
    if (request->comment == NULL)
        return write_dump(process, request->process_id, file, request->flags, recorded, NULL, NULL);

    ULONG size = (ULONG)((wcslen(request->comment) + 1) * sizeof(wchar_t));
    MINIDUMP_USER_STREAM stream = { CommentStreamW, size, (void *)request->comment };
    MINIDUMP_USER_STREAM_INFORMATION streams = { 1, &stream };
    return write_dump(process, request->process_id, file, request->flags, recorded, &streams, NULL);
}

/* Writes the dump of the stopped process, with the counts that its threads had before. */
static BOOL write_stopped(HANDLE process, HANDLE file, const struct request *request, write_dump_function write_dump)
{
    struct suspend_counts *counts = read_suspend_counts(request->process_id);
    if (counts == NULL)
        return FALSE;
    if (!suspend_process(process)) {
        free_suspend_counts(counts);
        return FALSE;
    }
    BOOL written = write_to(process, file, request, write_dump);
    DWORD error = GetLastError();
    resume_process(process);
    written = written && write_suspend_counts(file, counts);
    free_suspend_counts(counts);
    SetLastError(error);
    return written;
}

static int dump(const struct request *request)
{
    HMODULE writer = LoadLibraryExW(request->writer, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (writer == NULL)
        return failed("loading dbgcore");
    if (!supply_handle_count(writer, request->process_id))
        return failed("reaching dbgcore's imports");
    write_dump_function write_dump = (write_dump_function)(void *)GetProcAddress(writer, "MiniDumpWriteDump");
    if (write_dump == NULL)
        return failed("finding MiniDumpWriteDump");

    HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, request->process_id);
    if (process == NULL)
        return failed("opening the process");
    HANDLE file = CreateFileW(request->file, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return failed("creating the file");
    BOOL written = request->torn ? write_to(process, file, request, write_dump) : write_stopped(process, file, request, write_dump);
    DWORD error = GetLastError();
    CloseHandle(file);
    CloseHandle(process);
    SetLastError(error);
    return written ? 0 : failed("MiniDumpWriteDump");
}

/* The exception that a crashed process keeps for one of its threads. */
static void use_kept_exception(struct request *request)
{
    const wchar_t *kept = _wgetenv(L"DUMPER_EXCEPTION");
    if (kept == NULL)
        return;
    wchar_t *colon;
    request->exception.ThreadId = wcstoul(kept, &colon, 10);
    request->exception.ExceptionPointers = (EXCEPTION_POINTERS *)(ULONG_PTR)_wcstoui64(colon + 1, NULL, 16);
    request->exception.ClientPointers = TRUE;
    request->has_exception = true;
}

/* The exception that a debugger gets; the process stands at it. */
static bool use_awaited_exception(struct request *request)
{
    static struct debugged_exception raised;
    static EXCEPTION_POINTERS pointers = { &raised.record, &raised.context };
    const wchar_t *wanted = _wgetenv(L"DUMPER_DEBUGGER");
    if (wanted == NULL)
        return true;
    if (!await_exception(request->process_id, wcscmp(wanted, L"breakpoint") == 0, &raised))
        return false;
    request->exception = (MINIDUMP_EXCEPTION_INFORMATION){ raised.thread_id, &pointers, FALSE };
    request->has_exception = true;
    return true;
}

int wmain(int count, wchar_t **arguments)
{
    if (count < 5 || count > 6) {
        fprintf(stderr, "usage: dumper PID FILE FLAGS DBGCORE [COMMENT]\n");
        return 2;
    }
    struct request request = {
        .process_id = wcstoul(arguments[1], NULL, 10),
        .file = arguments[2],
        .flags = (MINIDUMP_TYPE)wcstoul(arguments[3], NULL, 0),
        .writer = arguments[4],
        .comment = count > 5 ? arguments[5] : NULL,
        .torn = _wgetenv(L"DUMPER_TORN") != NULL,
    };
    use_kept_exception(&request);
    if (!use_awaited_exception(&request))
        return failed("waiting for the exception");
    return dump(&request);
}
