/* A library that enters itself into auditplug's register while it is being loaded, under the loader lock. */
#include "auditplug.h"

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved)
{
    (void)module;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        auditplug_register();
    return TRUE;
}
