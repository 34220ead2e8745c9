/* posix-mutexes: two threads of a program of mingw-w64 that take two plain mutexes of winpthreads, crossed; such mutexes store no owner.
 *
 * Options: --apart  twin: each thread sleeps with its own mutex */
#include <pthread.h>

#include "sample.h"

#define PLACES 2

/* A thread of a pair holds its own mutex and wants the other one, or only sleeps with it. */
struct place {
    pthread_mutex_t own;
    pthread_mutex_t *next;
    HANDLE taken;
};

static struct place places[PLACES];
static HANDLE go;

static __attribute__((noinline)) void transfer(struct place *place)
{
    pthread_mutex_lock(&place->own);
    SetEvent(place->taken);
    WaitForSingleObject(go, INFINITE);
    if (place->next != NULL)
        pthread_mutex_lock(place->next);
    else
        Sleep(SAMPLE_LIFETIME_MILLISECONDS);
    pthread_mutex_unlock(&place->own);
}

static DWORD WINAPI take_mutexes(void *argument)
{
    transfer(argument);
    return 0;
}

int main(int count, char **arguments)
{
    bool apart = sample_option(count, arguments, "--apart");

    sample_begin();
    sample_this_thread("main");
    go = sample_event();
    for (int i = 0; i < PLACES; i++) {
        pthread_mutex_init(&places[i].own, NULL);
        places[i].next = apart ? NULL : &places[1 - i].own;
        places[i].taken = sample_event();
        sample_thread(i == 0 ? "first" : "second", take_mutexes, &places[i]);
        sample_wait_for_event("a mutex to be taken", places[i].taken);
    }
    SetEvent(go);
    sample_ready();
}
