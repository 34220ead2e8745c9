/*
 * Lets a program that is linked on this machine run with every C library that .NET itself runs with (glibc 2.27, as Microsoft's own builds): functions that
 * newer ones have under a newer version as well are asked for under the version that all of them have. Each --wrap option of archive-linux-x64.pubxml has a
 * line here. Which versions they are: glibc's own Versions files; `objdump -T` shows what the program asks for in the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/types.h>

#define OLD(type, name, version, parameters, arguments) \
    extern type old_##name parameters; \
    __asm__(".symver old_" #name ", " #name "@GLIBC_" version); \
    type __wrap_##name parameters; \
    type __wrap_##name parameters { return old_##name arguments; }

OLD(double, log, "2.2.5", (double x), (x))
OLD(double, pow, "2.2.5", (double x, double y), (x, y))
OLD(int, dladdr, "2.2.5", (const void *address, Dl_info *info), (address, info))
OLD(int, dlclose, "2.2.5", (void *handle), (handle))
OLD(char *, dlerror, "2.2.5", (void), ())
OLD(void *, dlopen, "2.2.5", (const char *file, int mode), (file, mode))
OLD(void *, dlsym, "2.2.5", (void *handle, const char *name), (handle, name))
OLD(int, shm_open, "2.2.5", (const char *name, int flags, mode_t mode), (name, flags, mode))
OLD(int, shm_unlink, "2.2.5", (const char *name), (name))
OLD(int, pthread_attr_getstack, "2.2.5", (const pthread_attr_t *attributes, void **address, size_t *size), (attributes, address, size))
OLD(int, pthread_attr_setstacksize, "2.2.5", (pthread_attr_t *attributes, size_t size), (attributes, size))
OLD(int, pthread_condattr_setclock, "2.3.3", (pthread_condattr_t *attributes, clockid_t clock), (attributes, clock))
OLD(int, pthread_create, "2.2.5", (pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
    (thread, attributes, start, argument))
OLD(int, pthread_getattr_np, "2.2.5", (pthread_t thread, pthread_attr_t *attributes), (thread, attributes))
OLD(int, pthread_key_create, "2.2.5", (pthread_key_t *key, void (*destroy)(void *)), (key, destroy))
OLD(int, pthread_kill, "2.2.5", (pthread_t thread, int number), (thread, number))
OLD(int, pthread_mutexattr_destroy, "2.2.5", (pthread_mutexattr_t *attributes), (attributes))
OLD(int, pthread_mutexattr_init, "2.2.5", (pthread_mutexattr_t *attributes), (attributes))
OLD(int, pthread_mutexattr_settype, "2.2.5", (pthread_mutexattr_t *attributes, int type), (attributes, type))
OLD(int, pthread_once, "2.2.5", (pthread_once_t *once, void (*run)(void)), (once, run))
OLD(int, pthread_rwlock_rdlock, "2.2.5", (pthread_rwlock_t *lock), (lock))
OLD(int, pthread_rwlock_unlock, "2.2.5", (pthread_rwlock_t *lock), (lock))
OLD(int, pthread_rwlock_wrlock, "2.2.5", (pthread_rwlock_t *lock), (lock))
OLD(int, pthread_setname_np, "2.12", (pthread_t thread, const char *name), (thread, name))
OLD(int, pthread_setspecific, "2.2.5", (pthread_key_t key, const void *value), (key, value))
OLD(int, pthread_sigmask, "2.2.5", (int how, const sigset_t *set, sigset_t *old), (how, set, old))

typedef void initializer(int, char **, char **);

extern void _init(void);
extern initializer *__init_array_start[] __attribute__((visibility("hidden")));
extern initializer *__init_array_end[] __attribute__((visibility("hidden")));

/* Before 2.34 a program brings what runs its initializers; one linked on a newer machine has nothing there. */
static void initialize(int count, char **arguments, char **environment)
{
    _init();
    for (initializer **next = __init_array_start; next < __init_array_end; next++) {
        (*next)(count, arguments, environment);
    }
}

extern int old_start(int (*main)(int, char **, char **), int count, char **arguments, initializer *init, void (*fini)(void), void (*rtld_fini)(void), void *stack);
__asm__(".symver old_start, __libc_start_main@GLIBC_2.2.5");

int __wrap___libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, initializer *init, void (*fini)(void), void (*rtld_fini)(void),
    void *stack);

int __wrap___libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, initializer *init, void (*fini)(void), void (*rtld_fini)(void),
    void *stack)
{
    return old_start(main, count, arguments, init != NULL ? init : initialize, fini, rtld_fini, stack);
}
