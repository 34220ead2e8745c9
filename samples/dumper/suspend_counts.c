#include "suspend_counts.h"

#include <dbghelp.h>
#include <stdlib.h>
#include <string.h>
#include <tlhelp32.h>

#define MOST_THREADS 4096
#define NOT_READ ((DWORD)-1)

struct suspend_counts {
    unsigned length;
    struct {
        DWORD thread_id;
        DWORD count;
    } entries[MOST_THREADS];
};

static DWORD count_of(DWORD thread_id)
{
    HANDLE thread = OpenThread(THREAD_SUSPEND_RESUME, FALSE, thread_id);
    if (thread == NULL)
        return NOT_READ;
    DWORD count = SuspendThread(thread);
    if (count != NOT_READ)
        ResumeThread(thread);
    CloseHandle(thread);
    return count;
}

struct suspend_counts *read_suspend_counts(DWORD process_id)
{
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    struct suspend_counts *counts = calloc(1, sizeof(*counts));
    if (list == INVALID_HANDLE_VALUE || counts == NULL) {
        free(counts);
        return NULL;
    }
    THREADENTRY32 entry = { .dwSize = sizeof(entry) };
    for (BOOL more = Thread32First(list, &entry); more && counts->length < MOST_THREADS; more = Thread32Next(list, &entry)) {
        if (entry.th32OwnerProcessID != process_id)
            continue;
        counts->entries[counts->length].thread_id = entry.th32ThreadID;
        counts->entries[counts->length].count = count_of(entry.th32ThreadID);
        counts->length++;
    }
    CloseHandle(list);
    return counts;
}

typedef LONG(NTAPI *process_function)(HANDLE process);

static bool call(const char *name, HANDLE process)
{
    process_function function = (process_function)(void *)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), name);
    return function != NULL && function(process) >= 0;
}

bool suspend_process(HANDLE process)
{
    return call("NtSuspendProcess", process);
}

void resume_process(HANDLE process)
{
    call("NtResumeProcess", process);
}

static bool read_at(HANDLE file, DWORD position, void *data, DWORD size)
{
    DWORD read;
    return SetFilePointer(file, (LONG)position, NULL, FILE_BEGIN) == position && ReadFile(file, data, size, &read, NULL) && read == size;
}

static bool write_at(HANDLE file, DWORD position, const void *data, DWORD size)
{
    DWORD written;
    return SetFilePointer(file, (LONG)position, NULL, FILE_BEGIN) == position && WriteFile(file, data, size, &written, NULL) && written == size;
}

static bool write_into_list(HANDLE file, DWORD list, const struct suspend_counts *counts)
{
    ULONG32 threads;
    if (!read_at(file, list, &threads, sizeof(threads)))
        return false;
    for (ULONG32 i = 0; i < threads && i < MOST_THREADS; i++) {
        DWORD position = list + sizeof(threads) + i * sizeof(MINIDUMP_THREAD);
        MINIDUMP_THREAD thread;
        if (!read_at(file, position, &thread, sizeof(thread)))
            return false;
        for (unsigned j = 0; j < counts->length; j++) {
            if (counts->entries[j].thread_id == thread.ThreadId)
                thread.SuspendCount = counts->entries[j].count;
        }
        if (!write_at(file, position, &thread, sizeof(thread)))
            return false;
    }
    return true;
}

bool write_suspend_counts(HANDLE file, const struct suspend_counts *counts)
{
    MINIDUMP_HEADER header;
    if (!read_at(file, 0, &header, sizeof(header)) || memcmp(&header.Signature, "MDMP", sizeof(header.Signature)) != 0)
        return false;
    for (ULONG32 i = 0; i < header.NumberOfStreams; i++) {
        MINIDUMP_DIRECTORY entry;
        if (!read_at(file, header.StreamDirectoryRva + i * sizeof(entry), &entry, sizeof(entry)))
            return false;
        if (entry.StreamType == ThreadListStream)
            return write_into_list(file, entry.Location.Rva, counts);
    }
    return false;
}

void free_suspend_counts(struct suspend_counts *counts)
{
    free(counts);
}
