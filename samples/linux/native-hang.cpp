// native-hang SCENE [ARGUMENT]: hangs for real in the locks of the C library on Linux, or does not (the twins), and prints "ready" when all of its threads
// stand where they shall stand. The scenes stand in the table at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

// Thread ids that are known to be on their way into a wait.
std::mutex waiters_lock;
std::vector<pid_t> waiters;

void about_to_wait() {
    const std::lock_guard<std::mutex> guard(waiters_lock);
    waiters.push_back(static_cast<pid_t>(syscall(SYS_gettid)));
}

// The fields of /proc/self/task/ID/syscall are the number and the arguments of the system call that a thread stands in: a futex operation that waits, or
// another call that this program only makes to wait.
bool stands_in_wait(pid_t id) {
    std::ifstream file("/proc/self/task/" + std::to_string(id) + "/syscall");
    std::string number;
    std::string word;
    std::string operation;
    if (!(file >> number >> word >> operation)) {
        return false;
    }
    const unsigned long command = std::strtoul(operation.c_str(), nullptr, 16) & 127;
    for (const long call : {SYS_pause, SYS_flock, SYS_read, SYS_wait4, SYS_poll, SYS_clock_nanosleep}) {
        if (number == std::to_string(call)) {
            return true;
        }
    }
    return (number == std::to_string(SYS_futex) && (command == 0 || command == 6 || command == 9 || command == 13));
}

void await_waiters(size_t count) {
    for (;;) {
        std::vector<pid_t> known;
        {
            const std::lock_guard<std::mutex> guard(waiters_lock);
            known = waiters;
        }
        size_t standing = 0;
        for (const pid_t id : known) {
            standing += stands_in_wait(id) ? 1 : 0;
        }
        if (standing >= count) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

[[noreturn]] void stay_ready() {
    std::puts("ready");
    std::fflush(stdout);
    for (;;) {
        pause();
    }
}

// Passes when all of its threads have come, so that each holds its first lock before any asks for the second.
class Meeting {
public:
    explicit Meeting(int count) : missing_(count) {}
    void meet() {
        --missing_;
        while (missing_ > 0) {
            std::this_thread::yield();
        }
    }

private:
    std::atomic<int> missing_;
};

pthread_mutex_t make_mutex(int type, bool robust = false, bool inherits = false) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    if (robust) {
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    }
    if (inherits) {
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    }
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    return mutex;
}

__attribute__((noinline)) void take_second(pthread_mutex_t* mutex) {
    about_to_wait();
    pthread_mutex_lock(mutex);
    std::puts("the second lock was free");
}

void cycle(std::vector<pthread_mutex_t> mutexes) {
    static std::vector<pthread_mutex_t> locks;
    locks = std::move(mutexes);
    const size_t count = locks.size();
    static Meeting meeting(static_cast<int>(count));
    for (size_t i = 0; i < count; i++) {
        std::thread([i, count] {
            pthread_mutex_lock(&locks[i]);
            meeting.meet();
            take_second(&locks[(i + 1) % count]);
        }).detach();
    }
    await_waiters(count);
    stay_ready();
}

std::vector<pthread_mutex_t> copies(size_t count, int type, bool robust = false, bool inherits = false) {
    std::vector<pthread_mutex_t> made;
    for (size_t i = 0; i < count; i++) {
        made.push_back(make_mutex(type, robust, inherits));
    }
    return made;
}

void self_deadlock(const std::string&) {
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    std::thread([] {
        pthread_mutex_lock(&mutex);
        take_second(&mutex);
    }).detach();
    await_waiters(1);
    stay_ready();
}

// The owner has ended; a robust lock would have told the next one.
void orphan(const std::string&) {
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    std::thread([] { pthread_mutex_lock(&mutex); }).join();
    std::thread([] { take_second(&mutex); }).detach();
    await_waiters(1);
    stay_ready();
}

void writers(const std::string&) {
    static std::shared_mutex first;
    static std::shared_mutex second;
    static Meeting meeting(2);
    const auto run = [](std::shared_mutex& mine, std::shared_mutex& other, bool shared) {
        mine.lock();
        meeting.meet();
        about_to_wait();
        shared ? other.lock_shared() : other.lock();
    };
    std::thread([run] { run(first, second, true); }).detach();
    std::thread([run] { run(second, first, false); }).detach();
    await_waiters(2);
    stay_ready();
}

// A reader holds the lock and never comes back: the writer waits, and nobody can tell for whom.
void reader_holds(const std::string&) {
    static std::shared_mutex lock;
    static Meeting meeting(2);
    std::thread([] {
        lock.lock_shared();
        meeting.meet();
        about_to_wait();
        pause();
    }).detach();
    std::thread([] {
        meeting.meet();
        about_to_wait();
        lock.lock();
    }).detach();
    await_waiters(2);
    stay_ready();
}

void* join_other(void* other) {
    about_to_wait();
    pthread_join(*static_cast<pthread_t*>(other), nullptr);
    return nullptr;
}

// One joins the other, which waits for a lock that the first one holds.
void join_under_lock(const std::string&) {
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    static pthread_t worker;
    std::thread([] {
        pthread_mutex_lock(&mutex);
        pthread_create(&worker, nullptr, [](void*) -> void* {
            take_second(&mutex);
            return nullptr;
        }, nullptr);
        join_other(&worker);
    }).detach();
    await_waiters(2);
    stay_ready();
}

// A stream's own lock: one thread is inside of it, another prints.
void stream_cycle(const std::string&) {
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    static FILE* stream = std::fopen("/dev/null", "w");
    static Meeting meeting(2);
    std::thread([] {
        flockfile(stream);
        meeting.meet();
        take_second(&mutex);
    }).detach();
    std::thread([] {
        pthread_mutex_lock(&mutex);
        meeting.meet();
        about_to_wait();
        std::fputs("hello", stream);
    }).detach();
    await_waiters(2);
    stay_ready();
}

// The child has only the thread that forked; a lock that another one held stays held.
void forked(const std::string&) {
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    static Meeting meeting(2);
    std::thread([] {
        pthread_mutex_lock(&mutex);
        meeting.meet();
        pause();
    }).detach();
    meeting.meet();
    const pid_t child = fork();
    if (child == 0) {
        std::thread([] { take_second(&mutex); }).detach();
        await_waiters(1);
        std::printf("process %d\n", static_cast<int>(getpid()));
        stay_ready();
    }
    waitpid(child, nullptr, 0);
}

void load(const std::string& library) {
    if (dlopen(library.c_str(), RTLD_NOW) == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        std::exit(2);
    }
}

void lost_condition(const std::string&) {
    static std::mutex mutex;
    static std::condition_variable condition;
    for (int i = 0; i < 3; i++) {
        std::thread([] {
            std::unique_lock<std::mutex> lock(mutex);
            about_to_wait();
            condition.wait(lock, [] { return false; });
        }).detach();
    }
    await_waiters(3);
    stay_ready();
}

void short_barrier(const std::string&) {
    static pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 3);
    for (int i = 0; i < 2; i++) {
        std::thread([] {
            about_to_wait();
            std::printf("%d\n", pthread_barrier_wait(&barrier));
        }).detach();
    }
    await_waiters(2);
    stay_ready();
}

void empty_semaphore(const std::string&) {
    static sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    std::thread([] {
        about_to_wait();
        std::printf("%d\n", sem_wait(&semaphore));
    }).detach();
    await_waiters(1);
    stay_ready();
}

int never_made() {
    about_to_wait();
    pause();
    return 1;
}

__attribute__((noinline)) void use_static() {
    about_to_wait();
    static const int value = never_made();
    std::printf("%d\n", value);
}

// One thread runs the initialiser of a local static variable and stays in it, others wait for it.
void static_init(const std::string&) {
    for (int i = 0; i < 2; i++) {
        std::thread(use_static).detach();
    }
    await_waiters(3);
    stay_ready();
}

Meeting between_statics(2);
int first_static(bool nested);
int second_static(bool nested);

int made_with(int (*other)(bool)) {
    between_statics.meet();
    about_to_wait();
    return other(true);
}

__attribute__((noinline)) int first_static(bool) {
    static const int value = made_with(second_static);
    return value;
}

__attribute__((noinline)) int second_static(bool) {
    static const int value = made_with(first_static);
    return value;
}

// Each of two static variables needs the other one.
void static_cycle(const std::string&) {
    std::thread([] { std::printf("%d\n", first_static(false)); }).detach();
    std::thread([] { std::printf("%d\n", second_static(false)); }).detach();
    await_waiters(2);
    stay_ready();
}

void stuck_once(const std::string&) {
    static std::once_flag flag;
    for (int i = 0; i < 2; i++) {
        std::thread([] {
            about_to_wait();
            std::call_once(flag, [] { never_made(); });
        }).detach();
    }
    await_waiters(3);
    stay_ready();
}

// The same, done: nobody waits.
void initialised(const std::string&) {
    static std::once_flag flag;
    static std::atomic<int> done{0};
    for (int i = 0; i < 4; i++) {
        std::thread([] {
            static const pid_t made = getpid();
            std::call_once(flag, [] { done = made > 0 ? 0 : 1; });
            about_to_wait();
            pause();
        }).detach();
    }
    await_waiters(4);
    stay_ready();
}

// A child that ends with its parent.
pid_t fork_bound() {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(0);
        }
    }
    return child;
}

// A child process holds the lock of a file.
void locked_file(const std::string&) {
    static char name[] = "/tmp/native-hang-XXXXXX";
    static int file = mkstemp(name);
    int held[2];
    if (file < 0 || pipe(held) != 0) {
        std::exit(2);
    }
    if (fork_bound() == 0) {
        const int own = open(name, O_RDWR);
        flock(own, LOCK_EX);
        unlink(name);
        char byte = 1;
        if (write(held[1], &byte, 1) == 1) {
            pause();
        }
        _exit(0);
    }
    char byte = 0;
    if (read(held[0], &byte, 1) != 1) {
        std::exit(2);
    }
    std::thread([] {
        about_to_wait();
        std::printf("%d\n", flock(file, LOCK_EX));
    }).detach();
    await_waiters(1);
    stay_ready();
}

// Waits of which the system call alone says what they are for.
void calls(const std::string&) {
    static int empty[2];
    if (pipe(empty) != 0) {
        std::exit(2);
    }
    static pid_t child = fork_bound();
    if (child == 0) {
        pause();
        _exit(0);
    }
    std::thread([] {
        about_to_wait();
        char byte = 0;
        std::printf("%zd\n", read(empty[0], &byte, 1));
    }).detach();
    std::thread([] {
        about_to_wait();
        std::printf("%d\n", waitpid(child, nullptr, 0));
    }).detach();
    std::thread([] {
        about_to_wait();
        pollfd wanted{empty[0], POLLIN, 0};
        poll(&wanted, 1, -1);
    }).detach();
    std::thread([] {
        about_to_wait();
        std::this_thread::sleep_for(std::chrono::hours(1));
    }).detach();
    await_waiters(4);
    stay_ready();
}

// Conditions, semaphores and barriers that always come, used all the time.
void busy_signals(const std::string&) {
    static std::mutex mutex;
    static std::condition_variable condition;
    static bool turn = false;
    static sem_t tokens;
    static pthread_barrier_t barrier;
    static std::atomic<long> rounds{0};
    sem_init(&tokens, 0, 1);
    pthread_barrier_init(&barrier, nullptr, 2);
    for (int i = 0; i < 2; i++) {
        std::thread([i] {
            for (;;) {
                {
                    std::unique_lock<std::mutex> lock(mutex);
                    condition.wait(lock, [i] { return turn == (i == 0); });
                    turn = !turn;
                    condition.notify_all();
                }
                sem_wait(&tokens);
                sem_post(&tokens);
                pthread_barrier_wait(&barrier);
                rounds++;
            }
        }).detach();
    }
    while (rounds < 100) {
        std::this_thread::yield();
    }
    stay_ready();
}

// Waits with a limit end by themselves.
void timed(const std::string&) {
    static std::timed_mutex locks[2];
    static Meeting meeting(2);
    for (size_t i = 0; i < 2; i++) {
        std::thread([i] {
            locks[i].lock();
            meeting.meet();
            about_to_wait();
            locks[1 - i].try_lock_for(std::chrono::hours(1));
        }).detach();
    }
    await_waiters(2);
    stay_ready();
}

// Two locks in one order, all the time, by many: always somebody waits, and never for ever.
// Asks for the time without an end while two others wait for its lock; the time is told by the library that the kernel maps.
__attribute__((noinline)) void hold_and_ask_for_the_time(pthread_mutex_t* mutex) {
    pthread_mutex_lock(mutex);
    timespec now{};
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
}

void spin_owner(const std::string&) {
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    std::thread([] { hold_and_ask_for_the_time(&mutex); }).detach();
    while (pthread_mutex_trylock(&mutex) == 0) {
        pthread_mutex_unlock(&mutex);
        std::this_thread::yield();
    }
    for (int i = 0; i < 2; i++) {
        std::thread([] { take_second(&mutex); }).detach();
    }
    await_waiters(2);
    stay_ready();
}

// Whoever holds it never comes back, and two threads ask for it without an end.
void held_spin_lock(const std::string&) {
    static pthread_spinlock_t lock;
    static std::atomic<int> coming{2};
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    for (int i = 0; i < 2; i++) {
        std::thread([] {
            coming--;
            pthread_spin_lock(&lock);
        }).detach();
    }
    while (coming > 0) {
        std::this_thread::yield();
    }
    stay_ready();
}

void busy(const std::string&) {
    static std::mutex first;
    static std::mutex second;
    static std::shared_mutex shared;
    static std::atomic<long> rounds{0};
    for (int i = 0; i < 6; i++) {
        std::thread([i] {
            for (;;) {
                const std::lock_guard<std::mutex> outer(first);
                const std::lock_guard<std::mutex> inner(second);
                if (i % 2 == 0) {
                    const std::unique_lock<std::shared_mutex> write(shared);
                    rounds++;
                } else {
                    const std::shared_lock<std::shared_mutex> read(shared);
                    std::this_thread::sleep_for(std::chrono::microseconds(50));
                }
            }
        }).detach();
    }
    while (rounds < 100) {
        std::this_thread::yield();
    }
    stay_ready();
}

const std::map<std::string, std::function<void(const std::string&)>> scenes{
    {"mutex-cycle2", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_NORMAL)); }},
    {"mutex-cycle3", [](const std::string&) { cycle(copies(3, PTHREAD_MUTEX_NORMAL)); }},
    {"recursive-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_RECURSIVE)); }},
    {"checking-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_ERRORCHECK)); }},
    {"adaptive-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_ADAPTIVE_NP)); }},
    {"robust-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_NORMAL, true)); }},
    {"inheriting-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_NORMAL, false, true)); }},
    {"self-deadlock", self_deadlock},
    {"orphan", orphan},
    {"writers", writers},
    {"reader-holds", reader_holds},
    {"join-under-lock", join_under_lock},
    {"stream-cycle", stream_cycle},
    {"forked", forked},
    {"load", load},
    {"lost-condition", lost_condition},
    {"short-barrier", short_barrier},
    {"empty-semaphore", empty_semaphore},
    {"static-init", static_init},
    {"static-cycle", static_cycle},
    {"stuck-once", stuck_once},
    {"initialised", initialised},
    {"locked-file", locked_file},
    {"calls", calls},
    {"busy-signals", busy_signals},
    {"timed", timed},
    {"spin-owner", spin_owner},
    {"held-spin-lock", held_spin_lock},
    {"busy", busy},
};

}  // namespace

int main(int count, char** arguments) {
    const auto scene = count > 1 ? scenes.find(arguments[1]) : scenes.end();
    if (scene == scenes.end()) {
        std::fprintf(stderr, "native-hang SCENE [ARGUMENT]: one of");
        for (const auto& [name, run] : scenes) {
            std::fprintf(stderr, " %s", name.c_str());
        }
        std::fputs("\n", stderr);
        return 2;
    }
    scene->second(count > 2 ? arguments[2] : "");
    return 0;
}
