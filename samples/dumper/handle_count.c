#include "handle_count.h"

#include <stdlib.h>
#include <string.h>

/* Information classes and status from the documented and reverse-engineered parts of winternl. */
#define PROCESS_HANDLE_COUNT_CLASS 20
#define SYSTEM_EXTENDED_HANDLE_CLASS 64
#define STATUS_LENGTH_MISMATCH ((LONG)0xC0000004)
#define FIRST_LIST_BYTES (1u << 20)
#define LARGEST_LIST_BYTES (1u << 28)

typedef LONG(NTAPI *query_process_function)(HANDLE, int, void *, ULONG, ULONG *);
typedef LONG(NTAPI *query_system_function)(int, void *, ULONG, ULONG *);

/* SYSTEM_HANDLE_TABLE_ENTRY_INFO_EX */
struct handle_entry {
    void *object;
    ULONG_PTR process_id;
    ULONG_PTR handle;
    ULONG granted_access;
    USHORT creator_index;
    USHORT type_index;
    ULONG attributes;
    ULONG reserved;
};

/* SYSTEM_HANDLE_INFORMATION_EX */
struct handle_list {
    ULONG_PTR count;
    ULONG_PTR reserved;
    struct handle_entry entries[];
};

static DWORD target_process_id;
static query_process_function query_process;

static struct handle_list *list_all_handles(void)
{
    query_system_function query_system = (query_system_function)(void *)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtQuerySystemInformation");
    for (ULONG size = FIRST_LIST_BYTES; query_system != NULL && size <= LARGEST_LIST_BYTES; size *= 2) {
        struct handle_list *list = malloc(size);
        if (list == NULL)
            return NULL;
        LONG status = query_system(SYSTEM_EXTENDED_HANDLE_CLASS, list, size, NULL);
        if (status >= 0)
            return list;
        free(list);
        if (status != STATUS_LENGTH_MISMATCH)
            return NULL;
    }
    return NULL;
}

static ULONG count_handles_of_target(void)
{
    struct handle_list *list = list_all_handles();
    ULONG count = 0;
    for (ULONG_PTR i = 0; list != NULL && i < list->count; i++)
        if (list->entries[i].process_id == target_process_id)
            count++;
    free(list);
    return count;
}

static LONG NTAPI query_process_with_handle_count(HANDLE process, int class, void *buffer, ULONG size, ULONG *needed)
{
    LONG status = query_process(process, class, buffer, size, needed);
    ULONG count = 0;
    if (class == PROCESS_HANDLE_COUNT_CLASS && status >= 0 && size >= sizeof(count) && memcmp(buffer, &count, sizeof(count)) == 0) {
        count = count_handles_of_target();
        memcpy(buffer, &count, sizeof(count));
    }
    return status;
}

static FARPROC WINAPI find_function(HMODULE module, const char *name)
{
    FARPROC function = GetProcAddress(module, name);
    bool by_name = (ULONG_PTR)name > 0xFFFF;
    if (function == NULL || !by_name || strcmp(name, "NtQueryInformationProcess") != 0)
        return function;
    query_process = (query_process_function)(void *)function;
    return (FARPROC)(void *)query_process_with_handle_count;
}

static bool replace(IMAGE_THUNK_DATA *slot, FARPROC function)
{
    DWORD protection;
    if (!VirtualProtect(&slot->u1.Function, sizeof(slot->u1.Function), PAGE_READWRITE, &protection))
        return false;
    slot->u1.Function = (ULONG_PTR)function;
    return VirtualProtect(&slot->u1.Function, sizeof(slot->u1.Function), protection, &protection) != 0;
}

static bool replace_import(char *image, const IMAGE_IMPORT_DESCRIPTOR *descriptor, const char *name, FARPROC function)
{
    const IMAGE_THUNK_DATA *names = (const IMAGE_THUNK_DATA *)(image + descriptor->OriginalFirstThunk);
    IMAGE_THUNK_DATA *slots = (IMAGE_THUNK_DATA *)(image + descriptor->FirstThunk);
    for (; names->u1.AddressOfData != 0; names++, slots++) {
        if (IMAGE_SNAP_BY_ORDINAL(names->u1.Ordinal))
            continue;
        const IMAGE_IMPORT_BY_NAME *imported = (const IMAGE_IMPORT_BY_NAME *)(image + names->u1.AddressOfData);
        if (strcmp((const char *)imported->Name, name) == 0)
            return replace(slots, function);
    }
    return false;
}

bool supply_handle_count(HMODULE writer, DWORD process_id)
{
    char *image = (char *)writer;
    const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(image + ((const IMAGE_DOS_HEADER *)image)->e_lfanew);
    DWORD imports = headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
    const IMAGE_IMPORT_DESCRIPTOR *descriptor = (const IMAGE_IMPORT_DESCRIPTOR *)(image + imports);

    target_process_id = process_id;
    for (; imports != 0 && descriptor->Name != 0; descriptor++)
        if (replace_import(image, descriptor, "GetProcAddress", (FARPROC)(void *)find_function))
            return true;
    return false;
}
