/*
 * Where the shell allows the program less than the runtime needs to begin with, the runtime ends by a signal, before any of the program's own code. It is said
 * here in one line, with what to do.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Runs failed by chance below 600 MB and with 6 descriptors (glibc 2.36, .NET 10.0.12); a living process and a folder of dumps need more descriptors. */
#define LEAST_ADDRESS_SPACE (1024UL << 20)
#define LEAST_DESCRIPTORS 16UL

static void require(int resource, unsigned long least, unsigned long unit, const char *what, const char *option)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= least)
        return;
    char line[200];
    int length = snprintf(line, sizeof line, "dumpanalyze: the system allows it %lu %s and it needs %lu; allow more (ulimit -%s %lu)\n",
        (unsigned long)limit.rlim_cur / unit, what, least / unit, option, least / (unit == 1 ? 1 : 1024));
    if (length > 0)
        (void)!write(STDERR_FILENO, line, (size_t)length);
    _exit(1);
}

__attribute__((constructor)) static void check_limits(void)
{
    require(RLIMIT_NOFILE, LEAST_DESCRIPTORS, 1, "open files", "n");
    require(RLIMIT_AS, LEAST_ADDRESS_SPACE, 1UL << 20, "MiB of address space", "v");
}
