// musl-hang SCENE: hangs for real in the locks of musl, or does not (the twins), and prints "ready" when its threads stand where they shall stand. The scenes
// stand in the table at the end; build it with musl-gcc.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { most_waiters = 8 };
static pthread_mutex_t lock_of_waiters = PTHREAD_MUTEX_INITIALIZER;
static int waiters[most_waiters];
static int waiter_count;

// Later systems, ARM64 among them, have no call of its own for pause.
#ifdef SYS_pause
static const long pause_call = SYS_pause;
#else
static const long pause_call = SYS_ppoll;
#endif

static void about_to_wait(void) {
    pthread_mutex_lock(&lock_of_waiters);
    waiters[waiter_count++] = (int)syscall(SYS_gettid);
    pthread_mutex_unlock(&lock_of_waiters);
}

// Whether a thread stands in a futex call that waits, or in pause: the first field of /proc/self/task/ID/syscall is its number, the third the operation.
static int stands_in_wait(int id) {
    char path[64];
    char line[256] = "";
    char number[32] = "";
    char operation[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", id);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    if (!fgets(line, sizeof line, file) || sscanf(line, "%31s %*s %31s", number, operation) != 2) {
        number[0] = 0;
    }
    fclose(file);
    const long call = atol(number);
    const unsigned long command = strtoul(operation, NULL, 16) & 127;
    return number[0] && (call == pause_call || (call == SYS_futex && (command == 0 || command == 6 || command == 9)));
}

static void sleep_briefly(void) {
    const struct timespec millisecond = {0, 1000000};
    nanosleep(&millisecond, NULL);
}

static void stay_ready(int expected) {
    for (;;) {
        int standing = 0;
        pthread_mutex_lock(&lock_of_waiters);
        for (int i = 0; i < waiter_count; i++) {
            standing += stands_in_wait(waiters[i]);
        }
        pthread_mutex_unlock(&lock_of_waiters);
        if (standing >= expected) {
            break;
        }
        sleep_briefly();
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        pause();
    }
}

static pthread_mutex_t locks[2];
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static pthread_t first_thread;

static void make_mutex(pthread_mutex_t *mutex, int type, int robust, int inherits) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    if (robust) {
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    }
    if (inherits) {
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    }
    pthread_mutex_init(mutex, &attributes);
}

static void start(void *(*run)(void *), void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, argument);
    pthread_detach(thread);
}

__attribute__((noinline)) static void take_second(pthread_mutex_t *mutex) {
    about_to_wait();
    pthread_mutex_lock(mutex);
    puts("the second lock was free");
}

static void *take_both(void *argument) {
    const size_t mine = (size_t)argument;
    pthread_mutex_lock(&locks[mine]);
    pthread_barrier_wait(&both);
    take_second(&locks[1 - mine]);
    return NULL;
}

static void cycle(int type, int robust, int inherits) {
    make_mutex(&locks[0], type, robust, inherits);
    make_mutex(&locks[1], type, robust, inherits);
    pthread_barrier_init(&both, NULL, 2);
    start(take_both, (void *)0);
    start(take_both, (void *)1);
    stay_ready(2);
}

static void recursive_cycle(void) { cycle(PTHREAD_MUTEX_RECURSIVE, 0, 0); }
static void checking_cycle(void) { cycle(PTHREAD_MUTEX_ERRORCHECK, 0, 0); }
static void robust_cycle(void) { cycle(PTHREAD_MUTEX_NORMAL, 1, 0); }

// A cycle that no one can see: musl keeps no owner in a normal mutex.
static void normal_cycle(void) { cycle(PTHREAD_MUTEX_NORMAL, 0, 0); }

// The kernel refuses the last wait of such a cycle, and the thread then waits for nothing, for ever.
static void inheriting_cycle(void) { cycle(PTHREAD_MUTEX_NORMAL, 0, 1); }
static void inheriting_recursive_cycle(void) { cycle(PTHREAD_MUTEX_RECURSIVE, 0, 1); }

static void *take_first(void *argument) {
    (void)argument;
    pthread_mutex_lock(&locks[0]);
    return NULL;
}

static void *wait_for_first(void *argument) {
    (void)argument;
    take_second(&locks[0]);
    return NULL;
}

static void orphan_of(int type, int inherits) {
    make_mutex(&locks[0], type, 0, inherits);
    pthread_create(&first_thread, NULL, take_first, NULL);
    pthread_join(first_thread, NULL);
    start(wait_for_first, NULL);
    stay_ready(1);
}

static void orphan(void) { orphan_of(PTHREAD_MUTEX_RECURSIVE, 0); }
static void inheriting_orphan(void) { orphan_of(PTHREAD_MUTEX_NORMAL, 1); }

static void *take_twice(void *argument) {
    pthread_mutex_lock(&locks[0]);
    return wait_for_first(argument);
}

static void inheriting_self(void) {
    make_mutex(&locks[0], PTHREAD_MUTEX_NORMAL, 0, 1);
    start(take_twice, NULL);
    stay_ready(1);
}

static void *join_first(void *argument) {
    (void)argument;
    pthread_mutex_lock(&locks[0]);
    pthread_barrier_wait(&both);
    about_to_wait();
    pthread_join(first_thread, NULL);
    return NULL;
}

static void *wait_after_barrier(void *argument) {
    pthread_barrier_wait(&both);
    return wait_for_first(argument);
}

static void join_under(int inherits) {
    make_mutex(&locks[0], PTHREAD_MUTEX_ERRORCHECK, 0, inherits);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&first_thread, NULL, wait_after_barrier, NULL);
    start(join_first, NULL);
    stay_ready(2);
}

static void join_under_lock(void) { join_under(0); }
static void join_under_inheriting(void) { join_under(1); }

static void *write_and_pause(void *argument) {
    (void)argument;
    pthread_rwlock_wrlock(&shared);
    pthread_barrier_wait(&both);
    about_to_wait();
    pause();
    return NULL;
}

static void *read_after_barrier(void *argument) {
    (void)argument;
    pthread_barrier_wait(&both);
    about_to_wait();
    pthread_rwlock_rdlock(&shared);
    return NULL;
}

static void writer_holds(void) {
    pthread_barrier_init(&both, NULL, 2);
    start(write_and_pause, NULL);
    start(read_after_barrier, NULL);
    stay_ready(2);
}

// Six threads that take both locks in one order, all the time.
static void *take_in_order(void *argument) {
    (void)argument;
    for (volatile unsigned long counted = 0;; counted++) {
        pthread_mutex_lock(&locks[0]);
        pthread_mutex_lock(&locks[1]);
        pthread_mutex_unlock(&locks[1]);
        pthread_mutex_unlock(&locks[0]);
        if (counted % 64 == 0) {
            sleep_briefly();
        }
    }
    return NULL;
}

static void busy_with(int type, int inherits) {
    make_mutex(&locks[0], PTHREAD_MUTEX_RECURSIVE, 0, inherits);
    make_mutex(&locks[1], type, 0, inherits);
    for (int i = 0; i < 6; i++) {
        start(take_in_order, NULL);
    }
    stay_ready(0);
}

static void busy(void) { busy_with(PTHREAD_MUTEX_ERRORCHECK, 0); }
static void inheriting_busy(void) { busy_with(PTHREAD_MUTEX_NORMAL, 1); }

// Threads that pass turns through a mutex which the kernel hands over: its next owner stands in the call until it runs.
static pthread_cond_t turn_passed = PTHREAD_COND_INITIALIZER;
static volatile unsigned turns;

static void *pass_turns(void *argument) {
    for (;;) {
        pthread_mutex_lock(&locks[0]);
        turns++;
        pthread_mutex_unlock(&locks[0]);
        pthread_cond_signal(&turn_passed);
    }
    return argument;
}

static void *take_turns(void *argument) {
    for (;;) {
        pthread_mutex_lock(&locks[0]);
        while (turns == 0) {
            pthread_cond_wait(&turn_passed, &locks[0]);
        }
        turns--;
        pthread_mutex_unlock(&locks[0]);
    }
    return argument;
}

static void inheriting_turns(void) {
    make_mutex(&locks[0], PTHREAD_MUTEX_NORMAL, 0, 1);
    start(pass_turns, NULL);
    for (int i = 0; i < 3; i++) {
        start(take_turns, NULL);
    }
    stay_ready(0);
}

// A robust mutex whose owner ends in turns, and which the next one repairs.
static void *end_with_first(void *argument) {
    (void)argument;
    if (pthread_mutex_lock(&locks[0]) == EOWNERDEAD) {
        pthread_mutex_consistent(&locks[0]);
    }
    return NULL;
}

static void *end_in_turns(void *argument) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, end_with_first, argument);
        pthread_join(thread, NULL);
    }
    return NULL;
}

static void robust_busy(void) {
    make_mutex(&locks[0], PTHREAD_MUTEX_NORMAL, 1, 0);
    for (int i = 0; i < 4; i++) {
        start(end_in_turns, NULL);
    }
    stay_ready(0);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"recursive-cycle", recursive_cycle}, {"checking-cycle", checking_cycle},   {"robust-cycle", robust_cycle}, {"normal-cycle", normal_cycle},
    {"orphan", orphan},                   {"join-under-lock", join_under_lock}, {"writer-holds", writer_holds}, {"busy", busy},
    {"join-under-inheriting", join_under_inheriting}, {"inheriting-cycle", inheriting_cycle}, {"inheriting-orphan", inheriting_orphan},
    {"inheriting-recursive-cycle", inheriting_recursive_cycle}, {"inheriting-self", inheriting_self}, {"inheriting-busy", inheriting_busy},
    {"inheriting-turns", inheriting_turns}, {"robust-busy", robust_busy},
};

int main(int count, char **arguments) {
    for (size_t i = 0; count == 2 && i < sizeof scenes / sizeof *scenes; i++) {
        if (strcmp(scenes[i].name, arguments[1]) == 0) {
            scenes[i].run();
        }
    }
    fprintf(stderr, "usage: musl-hang SCENE\n");
    return 2;
}
