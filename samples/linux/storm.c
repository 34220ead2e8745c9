// Targets that give whoever stops their threads a hard time. A counter in a file shows that they run on.
//
//   storm beat FILE [MEGABYTES]   counts, with that much memory touched
//   storm exec FILE               executes itself again and again, from a thread that is not the first
//   storm fork FILE               starts threads and children again and again
//   storm threads FILE COUNT      counts beside COUNT threads that sleep
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile uint64_t *beats;
static char **arguments;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void *sleeper(void *unused)
{
    for (;;)
    {
        pause();
    }

    return unused;
}

static void start(void *(*body)(void *), void *argument, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    if (pthread_create(&thread, &attributes, body, argument) != 0)
    {
        fail("pthread_create");
    }

    pthread_detach(thread);
}

static void *executes(void *unused)
{
    usleep((useconds_t)(*beats * 7919 % 1000));
    execv("/proc/self/exe", arguments);
    fail("execv");
    return unused;
}

static void *short_lived(void *unused)
{
    usleep(500);
    return unused;
}

static void count(void)
{
    for (;;)
    {
        ++*beats;
        usleep(1000);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
    {
        return 2;
    }

    int file = open(argv[2], O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, sizeof(uint64_t)) != 0)
    {
        fail(argv[2]);
    }

    void *shared = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED)
    {
        fail("mmap");
    }

    beats = shared;
    arguments = argv;
    size_t number = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    if (strcmp(argv[1], "exec") == 0)
    {
        ++*beats;
        for (int i = 0; i < 50; i++)
        {
            start(sleeper, NULL, 65536);
        }

        start(executes, NULL, 65536);
        sleeper(NULL);
    }
    else if (strcmp(argv[1], "fork") == 0)
    {
        for (;;)
        {
            ++*beats;
            start(short_lived, NULL, 65536);
            pid_t child = fork();
            if (child == 0)
            {
                _exit(0);
            }

            usleep(200);
            while (waitpid(-1, NULL, WNOHANG) > 0)
            {
            }
        }
    }
    else if (strcmp(argv[1], "threads") == 0)
    {
        for (size_t i = 0; i < number; i++)
        {
            start(sleeper, NULL, 16384);
        }
    }
    else if (number > 0)
    {
        // Nothing that could be left out of a core as never touched, or as equal to a file.
        unsigned char *memory = malloc(number << 20);
        for (size_t i = 0; memory != NULL && i < number << 20; i += 512)
        {
            memory[i] = (unsigned char)(i >> 9) | 1;
        }
    }

    count();
}
