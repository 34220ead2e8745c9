/* A library that takes the place of a data-access library and leaves a trace when any program loads it: a file beside it, its own name with ".loaded" behind.
 * FILLER pads its image, so that its size can be made that of the library whose place it takes. */
#include <stdio.h>
#include <string.h>

#ifndef FILLER
#define FILLER 1
#endif

char planted_filler[FILLER];

static void leave_trace(const char *library)
{
    char path[2048];
    snprintf(path, sizeof path, "%s.loaded", library);
    FILE *trace = fopen(path, "w");
    if (trace != NULL)
        fclose(trace);
}

#ifdef _WIN32
#include <windows.h>

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void *reserved)
{
    (void)reserved;
    char path[MAX_PATH] = "";
    if (reason == DLL_PROCESS_ATTACH && GetModuleFileNameA(library, path, sizeof path) > 0)
        leave_trace(path);
    return TRUE;
}
#else
#include <dlfcn.h>
#include <unistd.h>

__attribute__((constructor)) static void on_load(void)
{
    Dl_info self;
    char path[2048];
    if (dladdr((void *)on_load, &self) == 0)
        return;
    /* It may have been loaded by the path of a descriptor, which is a link to the file. */
    ssize_t length = readlink(self.dli_fname, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    leave_trace(length > 0 ? path : self.dli_fname);
}
#endif
