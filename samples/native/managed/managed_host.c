/* managed-host RUNTIME_DIRECTORY PROGRAM.dll [ARGUMENTS]: runs a managed program on exactly that runtime, without an installed .NET.
 *
 * RUNTIME_DIRECTORY holds the native and the managed files of a runtime side by side. The host's interface is that of coreclrhost.h
 * (dotnet/runtime, src/coreclr/hosts/inc), which has been the same since .NET Core 2.0.
 * Exit status: the program's; 2 wrong arguments; 3 the runtime did not start (the reason is printed). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define LONGEST_PATH 1024
#define TRUSTED_CAPACITY (256 * 1024)

typedef int(WINAPI *initialize_function)(const char *program, const char *domain, int count, const char **keys, const char **values, void **host, unsigned *domain_id);
typedef int(WINAPI *execute_function)(void *host, unsigned domain_id, int count, const char **arguments, const char *program, unsigned *exit_code);

static int failed(const char *what, unsigned code)
{
    fprintf(stderr, "managed-host: %s failed with 0x%08x\n", what, code);
    return 3;
}

/* Appends every DLL of a directory to the list of trusted assemblies. The runtime skips those that are none. */
static void trust_directory(char *list, const char *directory)
{
    char pattern[LONGEST_PATH + 8];
    snprintf(pattern, sizeof pattern, "%s\\*.dll", directory);
    WIN32_FIND_DATAA entry;
    HANDLE search = FindFirstFileA(pattern, &entry);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        size_t used = strlen(list);
        snprintf(list + used, TRUSTED_CAPACITY - used, "%s\\%s;", directory, entry.cFileName);
    } while (FindNextFileA(search, &entry));
    FindClose(search);
}

static int run(const char *runtime, const char *program, int count, const char **arguments)
{
    static char trusted[TRUSTED_CAPACITY];
    char library[LONGEST_PATH + 16], home[LONGEST_PATH], search[2 * LONGEST_PATH + 8];
    snprintf(library, sizeof library, "%s\\coreclr.dll", runtime);
    snprintf(home, sizeof home, "%s", program);
    *strrchr(home, '\\') = '\0';
    snprintf(trusted, sizeof trusted, "%s;", program);
    trust_directory(trusted, runtime);
    snprintf(search, sizeof search, "%s;%s;", home, runtime);

    HMODULE runtime_library = LoadLibraryExA(library, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (runtime_library == NULL)
        return failed("loading coreclr.dll", GetLastError());
    initialize_function initialize = (initialize_function)(void *)GetProcAddress(runtime_library, "coreclr_initialize");
    execute_function execute = (execute_function)(void *)GetProcAddress(runtime_library, "coreclr_execute_assembly");
    if (initialize == NULL || execute == NULL)
        return failed("finding the host's functions", GetLastError());

    const char *keys[] = { "TRUSTED_PLATFORM_ASSEMBLIES", "APP_PATHS", "NATIVE_DLL_SEARCH_DIRECTORIES", "APP_CONTEXT_BASE_DIRECTORY", "System.Globalization.Invariant" };
    const char *values[] = { trusted, home, search, home, "true" };
    void *host = NULL;
    unsigned domain_id = 0, exit_code = 0;
    int result = initialize(program, "managed-host", sizeof keys / sizeof keys[0], keys, values, &host, &domain_id);
    if (result < 0)
        return failed("coreclr_initialize", (unsigned)result);
    result = execute(host, domain_id, count, arguments, program, &exit_code);
    return result < 0 ? failed("coreclr_execute_assembly", (unsigned)result) : (int)exit_code;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: managed-host RUNTIME_DIRECTORY PROGRAM.dll [ARGUMENTS]\n");
        return 2;
    }
    char runtime[LONGEST_PATH], program[LONGEST_PATH];
    if (GetFullPathNameA(arguments[1], sizeof runtime, runtime, NULL) >= sizeof runtime || GetFullPathNameA(arguments[2], sizeof program, program, NULL) >= sizeof program) {
        fprintf(stderr, "managed-host: a path is longer than %d characters\n", LONGEST_PATH - 1);
        return 2;
    }
    return run(runtime, program, count - 3, (const char **)arguments + 3);
}
