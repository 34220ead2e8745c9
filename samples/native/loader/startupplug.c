#include "startupplug.h"

void *volatile __scrt_native_startup_lock;

/* NT_TIB.StackBase, the second field of the thread environment block. In assembler, because GCC 12 takes NtCurrentTeb for an access out of bounds. */
static void *stack_base(void)
{
    void *base;
#ifdef _WIN64
    __asm__("movq %%gs:8, %0" : "=r"(base));
#else
    __asm__("movl %%fs:4, %0" : "=r"(base));
#endif
    return base;
}

/* Spins until the lock is free and returns false, or returns true when it is this thread's already. The owner is known by the base of its stack. */
__attribute__((noinline)) bool __scrt_acquire_startup_lock(void)
{
    void *self = stack_base();
    void *owner;
    while ((owner = InterlockedCompareExchangePointer(&__scrt_native_startup_lock, self, NULL)) != NULL)
        if (owner == self)
            return true;
    return false;
}

void __scrt_release_startup_lock(bool is_nested)
{
    if (!is_nested)
        InterlockedExchangePointer(&__scrt_native_startup_lock, NULL);
}

static void enter(void)
{
    __scrt_release_startup_lock(__scrt_acquire_startup_lock());
}

static void store(void *value)
{
    InterlockedExchangePointer(&__scrt_native_startup_lock, value);
}

/* Not inlined, so that it stands on the stack as an initialiser of a C++ object does. */
__attribute__((noinline)) static void run_initialisers(HMODULE program)
{
    struct startup_scene *scene = (struct startup_scene *)(void *)GetProcAddress(program, "startup_scene");
    if (scene == NULL)
        return;
    scene->enter = enter;
    scene->store = store;
    scene->lock = &__scrt_native_startup_lock;
    SetEvent(scene->initialising);
    if (scene->section != NULL)
        EnterCriticalSection(scene->section);
    if (scene->event != NULL)
        WaitForSingleObject(scene->event, INFINITE);
}

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved)
{
    (void)module;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH) {
        bool is_nested = __scrt_acquire_startup_lock();
        run_initialisers(GetModuleHandleW(NULL));
        __scrt_release_startup_lock(is_nested);
    }
    return TRUE;
}
