// native-hang SCENE [ARGUMENT]: hangs for real in the locks of the C library on Linux, or does not (the twins), and prints "ready" when all of its threads
// stand where they shall stand. The scenes stand in the table at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
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
    // Later systems, ARM64 among them, have no calls of their own for poll and pause.
    for (const long call : {
#ifdef SYS_pause
             SYS_pause, SYS_poll,
#endif
             SYS_ppoll, SYS_futex_waitv, SYS_flock, SYS_fcntl, SYS_read, SYS_wait4, SYS_clock_nanosleep, SYS_io_uring_enter}) {
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

// The scene is another process, whose end is that of this one.
[[noreturn]] void ready_until_end_of(pid_t child) {
    std::printf("process %d\nready\n", static_cast<int>(child));
    std::fflush(stdout);
    waitpid(child, nullptr, 0);
    std::exit(0);
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

// Threads that deadlock, each in the lock of the next one.
void start_cycle(std::vector<pthread_mutex_t> mutexes) {
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
}

void cycle(std::vector<pthread_mutex_t> mutexes) {
    start_cycle(std::move(mutexes));
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
void orphan_of(pthread_mutex_t left) {
    static pthread_mutex_t mutex;
    mutex = left;
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

// The file of the scenes below, without a name: its processes have it open.
int make_file() {
    char name[] = "/tmp/native-hang-XXXXXX";
    const int file = mkstemp(name);
    if (file < 0 || unlink(name) != 0) {
        std::exit(2);
    }
    return file;
}

// Opened once more, with a position and locks of its own.
int open_again(int file) {
    const int again = open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDWR);
    if (again < 0) {
        std::exit(2);
    }
    return again;
}

struct flock range(short type, off_t start, off_t length) {
    struct flock wanted {};
    wanted.l_type = type;
    wanted.l_whence = SEEK_SET;
    wanted.l_start = start;
    wanted.l_len = length;
    return wanted;
}

// A child that does something and then stays, when it has done it.
template <typename Action>
void child_that_stays(Action action) {
    int done[2];
    if (pipe(done) != 0) {
        std::exit(2);
    }
    if (fork_bound() == 0) {
        action();
        const char byte = 1;
        if (write(done[1], &byte, 1) == 1) {
            pause();
        }
        _exit(0);
    }
    char byte = 0;
    if (read(done[0], &byte, 1) != 1) {
        std::exit(2);
    }
}

void wait_for_range(int file, int command, short type, off_t start, off_t length) {
    std::thread([=] {
        struct flock wanted = range(type, start, length);
        about_to_wait();
        std::printf("%d\n", fcntl(file, command, &wanted));
    }).detach();
    await_waiters(1);
}

// Two children hold parts of a file, and a thread waits for bytes that the first one holds.
void locked_range(const std::string&) {
    const int file = make_file();
    for (const off_t start : {0, 200}) {
        child_that_stays([=] {
            struct flock held = range(F_WRLCK, start, 100);
            fcntl(file, F_SETLK, &held);
        });
    }
    wait_for_range(file, F_SETLKW, F_WRLCK, 50, 11);
    stay_ready();
}

// The lock belongs to an open file, of which the system does not say whose it is: a child's, or the process' own.
void locked_open_file(const std::string& whose) {
    const int file = make_file();
    const auto take = [=] {
        struct flock held = range(F_WRLCK, 0, 0);
        fcntl(open_again(file), F_OFD_SETLK, &held);
    };
    if (whose == "own") {
        take();
    } else {
        child_that_stays(take);
    }
    wait_for_range(file, F_OFD_SETLKW, F_RDLCK, 0, 0);
    stay_ready();
}

// Two processes, each with the lock that the other one waits for.
void locked_files(const std::string&) {
    const int mine = make_file();
    const int other = make_file();
    flock(mine, LOCK_EX);
    int ready[2];
    if (pipe(ready) != 0) {
        std::exit(2);
    }
    const pid_t child = fork_bound();
    if (child == 0) {
        flock(open_again(other), LOCK_EX);
        const char byte = 1;
        if (write(ready[1], &byte, 1) == 1) {
            flock(open_again(mine), LOCK_EX);
        }
        _exit(0);
    }
    char byte = 0;
    if (read(ready[0], &byte, 1) != 1) {
        std::exit(2);
    }
    const auto child_stands = [child] {
        std::ifstream file("/proc/" + std::to_string(child) + "/syscall");
        std::string number;
        file >> number;
        return number == std::to_string(SYS_flock);
    };
    while (!child_stands()) {
        std::this_thread::yield();
    }
    std::thread([other] {
        about_to_wait();
        std::printf("%d\n", flock(open_again(other), LOCK_EX));
    }).detach();
    await_waiters(1);
    stay_ready();
}

// Two processes that take the locks of two parts of a file in one order, all the time.
void file_turns(const std::string&) {
    const int file = make_file();
    const auto turn = [file] {
        struct flock first = range(F_WRLCK, 0, 10);
        struct flock second = range(F_WRLCK, 10, 10);
        fcntl(file, F_SETLKW, &first);
        fcntl(file, F_SETLKW, &second);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        struct flock both = range(F_UNLCK, 0, 20);
        fcntl(file, F_SETLKW, &both);
    };
    if (fork_bound() == 0) {
        for (;;) {
            turn();
        }
    }
    static std::atomic<long> rounds{0};
    std::thread([turn] {
        for (;;) {
            turn();
            rounds++;
        }
    }).detach();
    while (rounds < 20) {
        std::this_thread::yield();
    }
    stay_ready();
}

// Waits for one completion of a ring to which nothing was submitted. A system that has no rings, or does not permit them, is told.
void empty_ring(const std::string&) {
    static io_uring_params parameters{};
    static const int ring = static_cast<int>(syscall(SYS_io_uring_setup, 4, &parameters));
    if (ring < 0) {
        std::puts("no io_uring");
        stay_ready();
    }
    std::thread([] {
        about_to_wait();
        std::printf("%ld\n", syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, nullptr, 0));
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

// A thread reads from one end of a pair of sockets, of which the process has the other end too; another one reads a counter that nobody adds to.
void own_ends(const std::string&) {
    static int pair[2];
    static int counter = eventfd(0, 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || counter < 0 || dup(counter) < 0) {
        std::exit(2);
    }
    std::thread([] {
        about_to_wait();
        char byte = 0;
        std::printf("%zd\n", read(pair[0], &byte, 1));
    }).detach();
    std::thread([] {
        about_to_wait();
        uint64_t value = 0;
        std::printf("%zd\n", read(counter, &value, sizeof value));
    }).detach();
    await_waiters(2);
    stay_ready();
}

// A wait for any of two words: a mutex that another thread holds, and a word of no lock.
void several_words(const std::string&) {
    struct Entry {
        uint64_t value;
        uint64_t address;
        uint32_t flags;
        uint32_t reserved;
    };
    static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL);
    static uint32_t word = 7;
    static Meeting meeting(2);
    std::thread([] {
        pthread_mutex_lock(&mutex);
        mutex.__data.__lock = 2;
        meeting.meet();
        about_to_wait();
        pause();
    }).detach();
    std::thread([] {
        meeting.meet();
        about_to_wait();
        const uint32_t private_word = 2 | 128;
        Entry entries[] = {{2, reinterpret_cast<uint64_t>(&mutex), private_word, 0}, {7, reinterpret_cast<uint64_t>(&word), private_word, 0}};
        if (syscall(SYS_futex_waitv, entries, 2, 0, nullptr, 0) < 0) {
            std::puts("no futex_waitv");
        }
        pause();
    }).detach();
    await_waiters(2);
    stay_ready();
}

// Makes processes, each of which does something, until one comes to no end of it; whoever did the same meanwhile then stops.
void fork_until_stuck(const std::function<pid_t()>& make, void (*use)(), std::atomic<bool>* is_used) {
    for (;;) {
        int told[2];
        if (pipe(told) != 0) {
            std::exit(2);
        }
        const pid_t child = make();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            use();
            _exit(write(told[1], ".", 1) == 1 ? 0 : 2);
        }
        pollfd answer{told[0], POLLIN, 0};
        if (poll(&answer, 1, 3000) == 0) {
            *is_used = false;
            ready_until_end_of(child);
        }
        waitpid(child, nullptr, 0);
        close(told[0]);
        close(told[1]);
    }
}

// Two threads that use one arena of malloc all the time.
std::atomic<bool> arena_is_used{true};

void use_arena() {
    mallopt(M_ARENA_MAX, 1);
    for (int i = 0; i < 2; i++) {
        std::thread([] {
            while (arena_is_used) {
                void* volatile block = std::malloc(5000);
                std::free(block);
            }
        }).detach();
    }
}

// A process made by the bare system call has only the thread that called; where another one was inside of malloc, its arena stays locked. (The C library's own
// fork takes these locks first.) Children that do not meet that are passed over.
void held_arena(const std::string&) {
    use_arena();
    fork_until_stuck([] { return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }, [] { void* volatile block = std::malloc(6000); (void)block; }, &arena_is_used);
}

void busy_arena(const std::string&) {
    use_arena();
    stay_ready();
}

// Starts a process, which is no child of this one, that prints "ready" when this one sleeps: the caller does nothing more before its wait.
void ready_when_asleep() {
    int told[2];
    if (pipe(told) != 0) {
        std::exit(2);
    }
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child == 0) {
        if (fork() != 0) {
            _exit(0);
        }
        char byte = 0;
        close(told[1]);
        while (read(told[0], &byte, 1) == 1) {
        }
        for (;;) {
            std::ifstream file("/proc/" + std::to_string(self) + "/stat");
            std::string line;
            if (!std::getline(file, line)) {
                _exit(0);
            }
            if (line[line.rfind(')') + 2] == 'S') {
                std::puts("ready");
                std::fflush(stdout);
                _exit(0);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    waitpid(child, nullptr, 0);
    close(told[0]);
    close(told[1]);
}

int listening() {
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(made, reinterpret_cast<sockaddr*>(&own), sizeof own) != 0 || listen(made, 16) != 0) {
        std::exit(2);
    }
    return made;
}

int watching(std::initializer_list<int> files) {
    const int set = epoll_create1(EPOLL_CLOEXEC);
    for (const int file : files) {
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        epoll_ctl(set, EPOLL_CTL_ADD, file, &wanted);
    }
    return set;
}

// A process that connects, asks, and waits for the answer.
void ask(int server) {
    if (fork_bound() == 0) {
        sockaddr_in there{};
        socklen_t size = sizeof there;
        getsockname(server, reinterpret_cast<sockaddr*>(&there), &size);
        const int client = socket(AF_INET, SOCK_STREAM, 0);
        close(server);
        char byte = 1;
        if (connect(client, reinterpret_cast<sockaddr*>(&there), size) == 0 && write(client, &byte, 1) == 1) {
            _exit(static_cast<int>(read(client, &byte, 1)));
        }
        _exit(2);
    }
}

[[noreturn]] void wait_for_files(int set) {
    ready_when_asleep();
    for (;;) {
        epoll_event event{};
        epoll_wait(set, &event, 1, -1);
    }
}

// A server to which nobody is connected: by epoll, poll, select and accept. It is idle, and its whole work is done.
void idle_server(const std::string& call) {
    const int server = listening();
    if (call == "accept") {
        ready_when_asleep();
        accept(server, nullptr, nullptr);
    } else if (call == "poll") {
        pollfd wanted{server, POLLIN, 0};
        ready_when_asleep();
        poll(&wanted, 1, -1);
    } else if (call == "select") {
        fd_set wanted;
        FD_ZERO(&wanted);
        FD_SET(server, &wanted);
        ready_when_asleep();
        select(server + 1, &wanted, nullptr, nullptr, nullptr);
    } else {
        int own[2];
        if (pipe(own) != 0) {
            std::exit(2);
        }
        wait_for_files(watching({server, own[0], eventfd(0, 0)}));
    }
}

// A client was accepted, its question was read, and the answer never comes: the loop waits as an idle one does.
void unanswered_client(const std::string&) {
    const int server = listening();
    ask(server);
    const int client = accept(server, nullptr, nullptr);
    char byte = 0;
    if (read(client, &byte, 1) != 1) {
        std::exit(2);
    }
    wait_for_files(watching({server, client}));
}

// A client waits to be accepted, which the loop will not hear of again.
void missed_client(const std::string&) {
    const int server = listening();
    ask(server);
    pollfd wanted{server, POLLIN, 0};
    poll(&wanted, 1, -1);
    const int set = epoll_create1(EPOLL_CLOEXEC);
    epoll_event edge{};
    edge.events = EPOLLIN | EPOLLET;
    epoll_ctl(set, EPOLL_CTL_ADD, server, &edge);
    epoll_wait(set, &edge, 1, -1);
    wait_for_files(set);
}

// The loop waits for what a child writes into a pipe, and that never comes.
void silent_child(const std::string&) {
    const int server = listening();
    int answer[2];
    if (pipe(answer) != 0) {
        std::exit(2);
    }
    if (fork_bound() == 0) {
        pause();
        _exit(0);
    }
    close(answer[1]);
    wait_for_files(watching({server, answer[0]}));
}

// A child writes to a pipe without an end, and its parent waits for the child's end; the twin has a thread that reads.
void writing_child(bool reads) {
    static int output[2];
    if (pipe(output) != 0) {
        std::exit(2);
    }
    const pid_t child = fork_bound();
    if (child == 0) {
        close(output[0]);
        const std::vector<char> block(4096, 'x');
        while (write(output[1], block.data(), block.size()) > 0) {
        }
        _exit(0);
    }
    close(output[1]);
    if (reads) {
        std::thread([] {
            char block[4096];
            while (read(output[0], block, sizeof block) > 0) {
            }
        }).detach();
    }
    std::puts("ready");
    std::fflush(stdout);
    waitpid(child, nullptr, 0);
    std::exit(0);
}

// The loop is idle, and another thread waits for a condition that nobody signals.
void server_with_lost_condition(const std::string&) {
    static std::mutex mutex;
    static std::condition_variable condition;
    const int server = listening();
    std::thread([] {
        std::unique_lock<std::mutex> lock(mutex);
        about_to_wait();
        condition.wait(lock, [] { return false; });
    }).detach();
    await_waiters(1);
    wait_for_files(watching({server}));
}

// The first process of a server: it holds the listening socket and waits for signals, its child does the work.
void first_process(const std::string&) {
    const int server = listening();
    if (fork_bound() == 0) {
        wait_for_files(watching({server}));
    }
    ready_when_asleep();
    sigset_t none;
    sigemptyset(&none);
    sigsuspend(&none);
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

// Two mutexes that inherit priorities, in one order, all the time.
void inheriting_busy(const std::string&) {
    static std::vector<pthread_mutex_t> locks = copies(2, PTHREAD_MUTEX_NORMAL, false, true);
    static std::atomic<long> rounds{0};
    for (int i = 0; i < 4; i++) {
        std::thread([] {
            for (;;) {
                pthread_mutex_lock(&locks[0]);
                pthread_mutex_lock(&locks[1]);
                std::this_thread::sleep_for(std::chrono::microseconds(50));
                pthread_mutex_unlock(&locks[1]);
                pthread_mutex_unlock(&locks[0]);
                rounds++;
            }
        }).detach();
    }
    while (rounds < 100) {
        std::this_thread::yield();
    }
    stay_ready();
}

// Two locks in one order, all the time, by many: always somebody waits, and never for ever.
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

// Every kind of mutex and of wait that other scenes hang in, used all the time by threads that always come back: mutexes of four kinds in one order, joins,
// forks under a lock, libraries that are loaded and unloaded, streams, and a lock that is asked for without a wait.
void busy_kinds(const std::string&) {
    static std::vector<pthread_mutex_t> locks = {make_mutex(PTHREAD_MUTEX_RECURSIVE), make_mutex(PTHREAD_MUTEX_ERRORCHECK),
        make_mutex(PTHREAD_MUTEX_ADAPTIVE_NP), make_mutex(PTHREAD_MUTEX_NORMAL, true)};
    static std::atomic<long> rounds[7];
    static FILE* const nowhere = std::fopen("/dev/null", "w");
    const std::vector<std::function<void()>> uses = {
        [] { std::thread([] { std::this_thread::yield(); }).join(); },
        [] {
            if (const pid_t child = fork(); child == 0) {
                _exit(0);
            } else if (child > 0) {
                waitpid(child, nullptr, 0);
            }
        },
        [] {
            if (void* const library = dlopen("libm.so.6", RTLD_NOW)) {
                dlclose(library);
            }
        },
        [] { std::fputs("a line\n", nowhere); },
        [] { std::this_thread::sleep_for(std::chrono::microseconds(50)); },
        [] {
            while (pthread_mutex_trylock(&locks[0]) != 0) {
                std::this_thread::yield();
            }
            pthread_mutex_unlock(&locks[0]);
        },
        [] { std::fflush(nowhere); },
    };
    for (size_t i = 0; i < uses.size(); i++) {
        std::thread([i, use = uses[i]] {
            for (;;) {
                for (pthread_mutex_t& lock : locks) {
                    pthread_mutex_lock(&lock);
                }
                pthread_mutex_lock(&locks[0]);
                pthread_mutex_unlock(&locks[0]);
                use();
                for (pthread_mutex_t& lock : locks) {
                    pthread_mutex_unlock(&lock);
                }
                use();
                rounds[i]++;
            }
        }).detach();
    }
    for (const std::atomic<long>& done : rounds) {
        while (done < 3) {
            std::this_thread::yield();
        }
    }
    stay_ready();
}

// A lock of the program's own make, three states in one word, in a record whose next words look like the owner and the users of a mutex; four threads that
// take it in turns.
void own_locks(const std::string&) {
    struct record {
        std::atomic<int> state{0};
        unsigned depth = 0;
        unsigned turns = 0;
        unsigned users = 1;
        unsigned kind = 0;
        unsigned rest[8] = {};
    };
    static record shared;
    static std::atomic<long> rounds;
    for (int i = 0; i < 4; i++) {
        std::thread([] {
            for (;;) {
                int free = 0;
                if (!shared.state.compare_exchange_strong(free, 1)) {
                    while (shared.state.exchange(2) != 0) {
                        syscall(SYS_futex, &shared.state, FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
                    }
                }
                shared.turns = (shared.turns + 1) % (1U << 22);
                for (volatile int work = 0; work < 20000; work = work + 1) {
                }
                if (shared.state.exchange(0) == 2) {
                    syscall(SYS_futex, &shared.state, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
                }
                rounds++;
            }
        }).detach();
    }
    while (rounds < 100) {
        std::this_thread::yield();
    }
    stay_ready();
}

// Threads that ask for addresses: getaddrinfo takes a lock of the C library's own, a bare word whose neighbours are no owner.
void resolvers(const std::string&) {
    static std::atomic<long> rounds;
    for (int i = 0; i < 8; i++) {
        std::thread([] {
            for (;;) {
                addrinfo wanted{};
                addrinfo* found = nullptr;
                wanted.ai_flags = AI_ADDRCONFIG;
                wanted.ai_socktype = SOCK_STREAM;
                if (getaddrinfo("127.0.0.1", "80", &wanted, &found) == 0) {
                    freeaddrinfo(found);
                }
                rounds++;
            }
        }).detach();
    }
    while (rounds < 100) {
        std::this_thread::yield();
    }
    stay_ready();
}

// A normal mutex that is handed over: each time a new thread takes it and ends, and a worker that lives releases it a moment later.
void handed_over(const std::string&) {
    static pthread_mutex_t handed = make_mutex(PTHREAD_MUTEX_NORMAL);
    static std::atomic<long> rounds;
    std::thread([] {
        for (;;) {
            std::thread([] { pthread_mutex_lock(&handed); }).join();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            pthread_mutex_unlock(&handed);
            rounds++;
        }
    }).detach();
    std::thread([] {
        for (;;) {
            pthread_mutex_lock(&handed);
            pthread_mutex_unlock(&handed);
        }
    }).detach();
    while (rounds < 3) {
        std::this_thread::yield();
    }
    stay_ready();
}

// A normal mutex as a signal: its owner waits for it once more, and another thread releases it every fifth of a second.
void mutex_as_signal(const std::string&) {
    static pthread_mutex_t signal = make_mutex(PTHREAD_MUTEX_NORMAL);
    static std::atomic<long> rounds;
    pthread_mutex_lock(&signal);
    std::thread([] {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            pthread_mutex_unlock(&signal);
        }
    }).detach();
    std::thread([] {
        for (;;) {
            pthread_mutex_lock(&signal);
            rounds++;
        }
    }).detach();
    while (rounds < 3) {
        std::this_thread::yield();
    }
    stay_ready();
}

// Two workers that are to answer at once: they ask for work without a pause.
void asking_workers(const std::string&) {
    static std::atomic<int> work{0};
    for (int i = 0; i < 2; i++) {
        std::thread([] {
            for (;;) {
                if (work > 0) {
                    work--;
                }
                std::this_thread::yield();
            }
        }).detach();
    }
    stay_ready();
}

// Two threads deadlock while the first one has ended: the system calls the process a zombie.
void first_thread_ended(const std::string&) {
    start_cycle(copies(2, PTHREAD_MUTEX_NORMAL));
    std::puts("ready");
    std::fflush(stdout);
    pthread_exit(nullptr);
}

// Two threads in a cycle and 298 that queue behind it, with some memory in use: the argument says how many mebibytes.
void crowd(const std::string& mebibytes) {
    const size_t size = static_cast<size_t>(std::atol(mebibytes.c_str())) << 20;
    static std::vector<char> memory;
    memory.resize(size);
    for (size_t i = 0; i < size; i += 4096) {
        memory[i] = static_cast<char>(i >> 12);
    }
    static std::vector<pthread_mutex_t> locks = copies(2, PTHREAD_MUTEX_NORMAL);
    static Meeting meeting(2);
    for (size_t i = 0; i < 2; i++) {
        std::thread([i] {
            pthread_mutex_lock(&locks[i]);
            meeting.meet();
            take_second(&locks[1 - i]);
        }).detach();
    }
    await_waiters(2);
    for (size_t i = 0; i < 298; i++) {
        std::thread([i] { take_second(&locks[i % 2]); }).detach();
    }
    await_waiters(300);
    stay_ready();
}

// What takes a lock of the C library, or one of this program.
void use_malloc() {
    void* volatile first = std::malloc(60000);
    void* volatile second = std::malloc(50000);
    std::free(first);
    std::free(second);
}

void use_log() { syslog(LOG_INFO, "."); }

void use_time_zone() {
    const std::time_t now = 0;
    std::tm parts{};
    localtime_r(&now, &parts);
}

void use_environment() { setenv("NATIVE_HANG", "1", 1); }

void use_addresses() {
    addrinfo* found = nullptr;
    if (getaddrinfo("localhost", "80", nullptr, &found) == 0) {
        freeaddrinfo(found);
    }
}

pthread_mutex_t used_mutex = PTHREAD_MUTEX_INITIALIZER;

void use_mutex() {
    pthread_mutex_lock(&used_mutex);
    for (volatile int i = 0; i < 1000; i = i + 1) {
    }
    pthread_mutex_unlock(&used_mutex);
}

const std::map<std::string, void (*)()> uses{
    {"malloc", use_malloc}, {"syslog", use_log},          {"time-zone", use_time_zone},
    {"mutex", use_mutex},   {"environment", use_environment}, {"addresses", use_addresses},
};
void (*handled_use)();
std::atomic<long> rounds_done{0};

void handler(int, siginfo_t*, void*) { handled_use(); }

pthread_t start_interrupted(void (*work)(), void (*handled)(), int flags = SA_SIGINFO | SA_RESTART) {
    handled_use = handled;
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = flags;
    sigaction(SIGUSR1, &action, nullptr);
    std::thread worker([work] {
        for (;;) {
            work();
            ++rounds_done;
        }
    });
    const pthread_t id = worker.native_handle();
    worker.detach();
    return id;
}

// A thread does something over and over, and a handler that interrupts it does the same: once it meets the lock that the thread has.
void interrupted(const std::string& what) {
    const pthread_t worker = start_interrupted(uses.at(what), uses.at(what));
    for (long before = -1; before != rounds_done;) {
        before = rounds_done;
        pthread_kill(worker, SIGUSR1);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        for (int i = 0; i < 3000 && before == rounds_done; i++) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    stay_ready();
}

// The same with a mutex of the program's own. While the C library takes one it stores the owner a little later: the signal comes from inside of the section.
void interrupted_mutex(int flags) {
    start_interrupted(
        [] {
            pthread_mutex_lock(&used_mutex);
            about_to_wait();
            raise(SIGUSR1);
            pthread_mutex_unlock(&used_mutex);
        },
        use_mutex, flags);
    await_waiters(1);
    stay_ready();
}

// For a handler without SA_SIGINFO the kernel leaves no number on the stack, and this one is called once: of all signals the process then handles only another.
void interrupted_once(const std::string&) {
    signal(SIGTERM, [](int) {});
    interrupted_mutex(SA_RESETHAND);
}

// A thread that is interrupted over and over; its handler takes locks that other threads take too, and never those of the code that it interrupts.
void busy_handler(const std::string&) {
    mallopt(M_ARENA_MAX, 1);
    const pthread_t worker = start_interrupted([] { use_mutex(); }, [] {
        use_malloc();
        use_time_zone();
    });
    for (int i = 0; i < 2; i++) {
        std::thread([] {
            for (;;) {
                use_malloc();
                use_time_zone();
            }
        }).detach();
    }
    std::thread([worker] {
        for (;;) {
            pthread_kill(worker, SIGUSR1);
            std::this_thread::sleep_for(std::chrono::microseconds(300));
        }
    }).detach();
    stay_ready();
}

// A thread does something over and over, and the program forks until a child meets the lock that the thread had just then.
void forked_while(const std::string& what) {
    void (*use)() = uses.at(what);
    static std::atomic<bool> is_used{true};
    std::thread([use] {
        while (is_used) {
            use();
        }
    }).detach();
    fork_until_stuck(fork, use, &is_used);
}

// The child waits for a worker of its parent, as a pool does that was made before the fork.
void forked_worker(const std::string&) {
    static std::mutex mutex;
    static std::condition_variable condition;
    std::thread([] {
        for (;;) {
            pause();
        }
    }).detach();
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            condition.wait(lock);
        }
    }
    for (std::string call; call.compare(0, 4, "202 ") != 0;) {
        std::ifstream file("/proc/" + std::to_string(child) + "/syscall");
        std::getline(file, call);
    }
    ready_until_end_of(child);
}

const std::map<std::string, std::function<void(const std::string&)>> scenes{
    {"mutex-cycle2", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_NORMAL)); }},
    {"mutex-cycle3", [](const std::string&) { cycle(copies(3, PTHREAD_MUTEX_NORMAL)); }},
    {"recursive-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_RECURSIVE)); }},
    {"checking-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_ERRORCHECK)); }},
    {"adaptive-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_ADAPTIVE_NP)); }},
    {"robust-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_NORMAL, true)); }},
    {"inheriting-cycle", [](const std::string&) { cycle(copies(2, PTHREAD_MUTEX_NORMAL, false, true)); }},
    {"inheriting-cycle3", [](const std::string&) { cycle(copies(3, PTHREAD_MUTEX_NORMAL, false, true)); }},
    {"inheriting-self", [](const std::string&) { cycle(copies(1, PTHREAD_MUTEX_NORMAL, false, true)); }},
    {"inheriting-and-normal", [](const std::string&) { cycle({make_mutex(PTHREAD_MUTEX_NORMAL, false, true), make_mutex(PTHREAD_MUTEX_NORMAL)}); }},
    {"inheriting-orphan", [](const std::string&) { orphan_of(make_mutex(PTHREAD_MUTEX_NORMAL, false, true)); }},
    {"self-deadlock", self_deadlock},
    {"orphan", [](const std::string&) { orphan_of(make_mutex(PTHREAD_MUTEX_NORMAL)); }},
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
    {"locked-range", locked_range},
    {"locked-open-file", locked_open_file},
    {"own-locked-open-file", [](const std::string&) { locked_open_file("own"); }},
    {"locked-files", locked_files},
    {"file-turns", file_turns},
    {"empty-ring", empty_ring},
    {"calls", calls},
    {"own-ends", own_ends},
    {"several-words", several_words},
    {"held-arena", held_arena},
    {"busy-arena", busy_arena},
    {"interrupted-malloc", [](const std::string&) { interrupted("malloc"); }},
    {"interrupted-syslog", [](const std::string&) { interrupted("syslog"); }},
    {"interrupted-time-zone", [](const std::string&) { interrupted("time-zone"); }},
    {"interrupted-mutex", [](const std::string&) { interrupted_mutex(SA_SIGINFO | SA_RESTART); }},
    {"interrupted-once", interrupted_once},
    {"busy-handler", busy_handler},
    {"forked-syslog", [](const std::string&) { forked_while("syslog"); }},
    {"forked-time-zone", [](const std::string&) { forked_while("time-zone"); }},
    {"forked-environment", [](const std::string&) { forked_while("environment"); }},
    {"forked-addresses", [](const std::string&) { forked_while("addresses"); }},
    {"forked-worker", forked_worker},
    {"forked-mutex", [](const std::string&) { forked_while("mutex"); }},
    {"idle-server", idle_server},
    {"unanswered-client", unanswered_client},
    {"missed-client", missed_client},
    {"silent-child", silent_child},
    {"unread-child", [](const std::string&) { writing_child(false); }},
    {"read-child", [](const std::string&) { writing_child(true); }},
    {"server-with-lost-condition", server_with_lost_condition},
    {"first-process", first_process},
    {"busy-signals", busy_signals},
    {"timed", timed},
    {"spin-owner", spin_owner},
    {"held-spin-lock", held_spin_lock},
    {"busy", busy},
    {"inheriting-busy", inheriting_busy},
    {"busy-kinds", busy_kinds},
    {"own-locks", own_locks},
    {"resolvers", resolvers},
    {"handed-over", handed_over},
    {"mutex-as-signal", mutex_as_signal},
    {"asking-workers", asking_workers},
    {"first-thread-ended", first_thread_ended},
    {"crowd", crowd},
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
