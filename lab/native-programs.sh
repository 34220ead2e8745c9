#!/usr/bin/env bash
# lab/native-programs.sh [--program FILE] [--looks N] [--cores N] [NAME...]: looks at healthy native programs at work, and prints a table for
# docs/healthy-programs.md. Packages of Debian that are not installed are unpacked aside, nothing is installed. All by default:
#   python redis nginx postgres node compiler, and redis-idle nginx-idle postgres-idle, to which nobody is connected;
#   programs that contend for locks of their own make, built here (C, C++ and Rust twice, the second time stripped): rust parking-lot abseil boost openmp
#   words glibc pthreads getaddrinfo jemalloc tcmalloc go memcached node-dns python-dns grpc.
# FILE: the program to look with, such as the archive's; without it the one that the solution's build has made.
# Kept cores are judged too, each by itself and two of one process together. Their frames are compared with those of gdb and, where elfutils are
# installed, eu-stack, thread by thread from the innermost on to the first on which these two differ. Exit status: 0 when nothing had a verdict of Likely
# or above, and 99 of 100 frames are theirs.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

looks=30 cores=2
analyze=(dotnet "$repository/artifacts/bin/Dump.EndToEnd.Tests/release/program/dumpanalyze.dll")
while :; do
    case "${1:-}" in
        --looks) looks=$2; shift 2 ;;
        --cores) cores=$2; shift 2 ;;
        --program) analyze=("$(realpath "$2")"); shift 2 ;;
        *) break ;;
    esac
done
names=("$@")
[ ${#names[@]} != 0 ] || names=(
    python redis nginx postgres node compiler redis-idle nginx-idle postgres-idle
    rust parking-lot abseil boost openmp words glibc pthreads getaddrinfo jemalloc tcmalloc go memcached node-dns python-dns grpc)

mkdir -p "$repository/artifacts"
scratch=$(mktemp -d)
chmod 777 "$scratch"
started=()
finish() {
    [ ${#started[@]} = 0 ] || kill "${started[@]}" 2> /dev/null || true
    wait 2> /dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

# unpack PACKAGE...: what is not installed of them goes to a directory of its own, from which it runs.
unpack() {
    mkdir -p "$scratch/archives/partial" "$scratch/root"
    apt-get install --download-only -y -q --no-install-recommends -o Dir::Cache::archives="$scratch/archives" "$@" > "$scratch/apt.log" 2>&1 \
        || { tail -n 3 "$scratch/apt.log" >&2; return 1; }
    local archive
    for archive in "$scratch"/archives/*.deb; do
        [ -f "$archive" ] && [ ! -e "$archive.unpacked" ] || continue
        dpkg -x "$archive" "$scratch/root"
        touch "$archive.unpacked"
    done
    chmod -R a+rX "$scratch/root"
}

# until COMMAND...: waits for it to succeed.
until_true() {
    for _ in $(seq 600); do
        ! "$@" > /dev/null 2>&1 || return 0
        sleep 0.1
    done
    printf 'native-programs.sh: did not get ready: %s\n' "$*" >&2
    return 1
}

# As an ordinary user where this runs as root: some of them refuse root.
ordinary=()
[ "$(id -u)" != 0 ] || ordinary=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# at_work COMMAND...: starts a program as an ordinary user, behind everybody else on the processors, and notes it as one to look at.
at_work() {
    "${ordinary[@]}" nice -n 10 "$@" > /dev/null & started+=($!); pids+=($!)
}

# stripped_too FILE [NAME=VALUE...]: starts FILE, and a copy without its symbols.
stripped_too() {
    local program=$1; shift
    strip -o "$program-stripped" "$program"
    at_work env "$@" "$program"
    at_work env "$@" "$program-stripped"
}

# all_work PROGRAM: true where its processes run; each compiler is a process of its own.
all_work() {
    local pid
    [ ${#pids[@]} != 0 ] || [ "$1" = compiler ] || return 1
    for pid in "${pids[@]}"; do kill -0 "$pid" || return 1; done
}

begin_program() {
    local root=$scratch/root
    export LD_LIBRARY_PATH=
    local work=${1%-idle}
    case $work in
        python)
            cat > "$scratch/busy.py" << 'P'
import queue, threading, json, zlib
work = queue.Queue(50)
def put():
    while True:
        work.put(json.dumps(list(range(300))).encode())
def take():
    while True:
        zlib.compress(work.get())
for f in (put, put, take, take, take):
    threading.Thread(target=f, daemon=True).start()
threading.Event().wait()
P
            python3 "$scratch/busy.py" & started+=($!); pids=($!) ;;
        node)
            cat > "$scratch/busy.js" << 'N'
const { Worker, isMainThread, parentPort } = require('worker_threads'), crypto = require('crypto'), zlib = require('zlib');
if (isMainThread) for (let i = 0; i < 3; i++) new Worker(__filename).on('message', () => 0);
setInterval(() => { crypto.pbkdf2('a', 'b', 2000, 64, 'sha512', () => 0); zlib.deflate(Buffer.alloc(100000, 'x'), () => 0); if (parentPort) parentPort.postMessage('n'); }, 5);
N
            node "$scratch/busy.js" & started+=($!); pids=($!) ;;
        rust)
            cat > "$scratch/a.rs" << 'R'
use std::{sync::{mpsc, Mutex, RwLock}, thread};
static COUNTS: Mutex<[u32; 8]> = Mutex::new([0; 8]);
static TABLE: RwLock<[u32; 3]> = RwLock::new([0; 3]);
fn main() {
    for i in 0..4 { thread::spawn(move || loop { COUNTS.lock().unwrap()[i] += 1; }); }
    for i in 0..3 {
        thread::spawn(move || loop {
            if i == 0 { TABLE.write().unwrap()[0] += 1; } else { println!("{}", TABLE.read().unwrap()[i]); }
            println!("{i}");
        });
    }
    let (put, take) = mpsc::sync_channel::<Vec<usize>>(4);
    thread::spawn(move || loop { put.send((0..300).collect()).unwrap(); });
    for numbers in take { assert_eq!(numbers.len(), 300); }
}
R
            # Debian's, and a newer one that comes first on the path.
            local compiler
            for compiler in $(printf '%s\n' /usr/bin/rustc "$(command -v rustc || true)" | sort -u); do
                [ -x "$compiler" ] || continue
                "$compiler" -O -o "$scratch/rust${compiler//\//-}" "$scratch/a.rs"
                stripped_too "$scratch/rust${compiler//\//-}"
            done ;;
        parking-lot)
            unpack librust-parking-lot-dev
            mkdir -p "$scratch/parking-lot/src" "$scratch/parking-lot/.cargo"
            printf '[package]\nname = "lots"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nparking_lot = "*"\n' \
                > "$scratch/parking-lot/Cargo.toml"
            printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s/usr/share/cargo/registry"\n' "$root" \
                > "$scratch/parking-lot/.cargo/config.toml"
            cat > "$scratch/parking-lot/src/main.rs" << 'R'
use parking_lot::{Condvar, FairMutex, Mutex, ReentrantMutex, RwLock};
use std::{cell::Cell, thread, time::Duration};
static COUNTS: Mutex<[u32; 8]> = parking_lot::const_mutex([0; 8]);
static FAIR: FairMutex<u64> = parking_lot::const_fair_mutex(0);
static TABLE: RwLock<[u32; 3]> = parking_lot::const_rwlock([0; 3]);
static AGAIN: ReentrantMutex<Cell<u32>> = parking_lot::const_reentrant_mutex(Cell::new(0));
static QUEUE: Mutex<Vec<u32>> = parking_lot::const_mutex(Vec::new());
static FILLED: Condvar = Condvar::new();
fn main() {
    for i in 0..3 { thread::spawn(move || loop { COUNTS.lock()[i] += 1; }); }
    for _ in 0..2 { thread::spawn(|| loop { *FAIR.lock() += 1; }); }
    for i in 0..3 { thread::spawn(move || loop { if i == 0 { TABLE.write()[0] += 1; } else { assert!(TABLE.read()[i] == 0); } }); }
    for _ in 0..2 { thread::spawn(|| loop { let a = AGAIN.lock(); let b = AGAIN.lock(); b.set(a.get().wrapping_add(1)); }); }
    for _ in 0..2 { thread::spawn(|| loop { let mut q = QUEUE.lock(); while q.is_empty() { FILLED.wait(&mut q); } assert!(q.pop() != Some(0)); }); }
    loop { QUEUE.lock().extend([1, 2, 3]); FILLED.notify_all(); thread::sleep(Duration::from_micros(100)); }
}
R
            ( cd "$scratch/parking-lot" && CARGO_HOME="$scratch/cargo" cargo build --release --offline -q )
            stripped_too "$scratch/parking-lot/target/release/lots" ;;
        abseil)
            unpack libabsl-dev
            cat > "$scratch/a.cpp" << 'A'
#include <absl/base/internal/spinlock.h>
#include <absl/synchronization/blocking_counter.h>
#include <absl/synchronization/mutex.h>
#include <deque>
#include <thread>
#include <vector>
absl::Mutex counts_lock, table_lock, queue_lock;
absl::CondVar filled;
absl::base_internal::SpinLock spin(absl::kConstInit, absl::base_internal::SCHEDULE_KERNEL_ONLY);
unsigned counts[8], table[3], spun;
std::deque<int> queue;
int main() {
    std::vector<std::thread> threads;
    auto forever = [&](auto work) { threads.emplace_back([work] { for (;;) work(); }); };
    for (int i = 0; i < 3; i++) forever([i] { absl::MutexLock hold(&counts_lock); counts[i]++; });
    forever([] { absl::WriterMutexLock hold(&table_lock); table[0]++; });
    for (int i = 1; i < 3; i++) forever([i] { absl::ReaderMutexLock hold(&table_lock); volatile unsigned seen = table[i]; (void)seen; });
    for (int i = 0; i < 2; i++) forever([] { absl::MutexLock hold(&queue_lock); while (queue.empty()) filled.Wait(&queue_lock); queue.pop_front(); });
    absl::Condition room(+[](std::deque<int>* q) { return q->size() < 100; }, &queue);
    forever([room] { absl::MutexLock hold(&queue_lock, room); queue.push_back(1); filled.Signal(); });
    for (int i = 0; i < 2; i++) forever([] { absl::base_internal::SpinLockHolder hold(&spin); for (int k = 0; k < 1000; k++) ++spun; });
    for (;;) { absl::BlockingCounter two(2); std::thread a([&] { two.DecrementCount(); }), b([&] { two.DecrementCount(); }); two.Wait(); a.join(); b.join(); }
}
A
            g++ -O2 -std=c++17 -pthread -isystem "$root/usr/include" "$scratch/a.cpp" -o "$scratch/abseil" \
                -Wl,--start-group "$root"/usr/lib/x86_64-linux-gnu/libabsl_*.a -Wl,--end-group
            stripped_too "$scratch/abseil" ;;
        boost)
            unpack libboost-dev libboost-thread-dev
            cat > "$scratch/a.cpp" << 'B'
#include <boost/interprocess/sync/interprocess_condition.hpp>
#include <boost/interprocess/sync/interprocess_mutex.hpp>
#include <boost/interprocess/sync/interprocess_recursive_mutex.hpp>
#include <boost/interprocess/sync/interprocess_semaphore.hpp>
#include <boost/interprocess/sync/interprocess_sharable_mutex.hpp>
#include <boost/interprocess/sync/scoped_lock.hpp>
#include <boost/interprocess/sync/sharable_lock.hpp>
#include <boost/thread.hpp>
#include <boost/thread/barrier.hpp>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
namespace bi = boost::interprocess;
struct shared {
    bi::interprocess_mutex mutex, queue; bi::interprocess_recursive_mutex again; bi::interprocess_sharable_mutex table;
    bi::interprocess_condition filled, emptied; bi::interprocess_semaphore free{3}; unsigned counts[8]; int queued;
};
boost::shared_mutex local_table;
boost::barrier together(2);
unsigned local;
int main() {
    auto s = new (mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) shared();
    pid_t first = getpid();
    if (fork() == 0) boost::thread([first] { while (getppid() == first) usleep(100000); _exit(0); }).detach();
    boost::thread_group threads;
    auto forever = [&](auto work) { threads.create_thread([work] { for (;;) work(); }); };
    for (int i = 0; i < 2; i++) forever([s, i] { bi::scoped_lock<bi::interprocess_mutex> hold(s->mutex); s->counts[i]++; });
    forever([s] { bi::scoped_lock<bi::interprocess_recursive_mutex> a(s->again), b(s->again); s->counts[2]++; });
    forever([s] { bi::scoped_lock<bi::interprocess_sharable_mutex> hold(s->table); s->counts[3]++; });
    forever([s] { bi::sharable_lock<bi::interprocess_sharable_mutex> hold(s->table); volatile unsigned seen = s->counts[3]; (void)seen; });
    forever([s] { s->free.wait(); s->free.post(); });
    using held = bi::scoped_lock<bi::interprocess_mutex>;
    forever([s] { held hold(s->queue); while (s->queued == 0) s->filled.wait(hold); s->queued--; s->emptied.notify_all(); });
    forever([s] { held hold(s->queue); while (s->queued > 9) s->emptied.wait(hold); s->queued++; s->filled.notify_all(); });
    forever([] { boost::unique_lock<boost::shared_mutex> hold(local_table); local++; });
    forever([] { boost::shared_lock<boost::shared_mutex> hold(local_table); volatile unsigned seen = local; (void)seen; });
    for (int i = 0; i < 2; i++) forever([] { together.wait(); });
    threads.join_all();
}
B
            g++ -O2 -std=c++17 -pthread -isystem "$root/usr/include" "$scratch/a.cpp" -o "$scratch/boost" "$root/usr/lib/x86_64-linux-gnu/libboost_thread.a"
            stripped_too "$scratch/boost" ;;
        openmp)
            cat > "$scratch/a.c" << 'O'
#include <omp.h>
#include <stdlib.h>
int main(void) {
    static omp_lock_t lock; static omp_nest_lock_t nested; static double sum, row[5000];
    omp_init_lock(&lock); omp_init_nest_lock(&nested);
    for (;;) {
        #pragma omp parallel for schedule(dynamic, 50)
        for (int i = 0; i < 5000; i++) {
            row[i] = i * 0.5;
            #pragma omp critical
            sum += row[i];
            omp_set_lock(&lock); sum -= 1; omp_unset_lock(&lock);
            omp_set_nest_lock(&nested); omp_set_nest_lock(&nested); sum -= 1; omp_unset_nest_lock(&nested); omp_unset_nest_lock(&nested);
        }
        #pragma omp parallel for ordered reduction(+ : sum)
        for (int i = 0; i < 500; i++) {
            #pragma omp ordered
            sum += row[i];
        }
        #pragma omp parallel
        #pragma omp single
        for (int i = 0; i < 200; i++) {
            #pragma omp task
            row[i] = rand();
        }
    }
}
O
            gcc -O2 -fopenmp "$scratch/a.c" -o "$scratch/openmp"
            stripped_too "$scratch/openmp" OMP_NUM_THREADS=6 ;;
        words)
            # Words of the program's own, with neighbours that read like a mutex: its count of holders, the id of the one who had it last, its count of uses, a kind.
            cat > "$scratch/a.cpp" << 'W'
#include <atomic>
#include <barrier>
#include <latch>
#include <linux/futex.h>
#include <semaphore>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>
struct lock {
    std::atomic<int> word{0};
    unsigned depth = 0; int last = 0; unsigned uses = 0; int kind = 0; std::atomic<unsigned> waiters{0}; void *a = nullptr, *b = nullptr;
    void take() {
        int free = 0;
        if (!word.compare_exchange_strong(free, 1)) {
            waiters++;
            while (word.exchange(2) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
            waiters--;
        }
        depth = 1; last = gettid(); uses = 1;
    }
    void leave() { if (word.exchange(0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }
};
lock locks[2];
struct { std::counting_semaphore<8> room{2}; unsigned owner = 0x400, users = 1, kind = 0; } gate;
struct { std::atomic<int> turn{0}; unsigned count = 1, owner = 0, users = 1, kind = 0; } turns;
unsigned counts[2];
int main() {
    std::barrier<> all(3);
    std::vector<std::thread> threads;
    auto forever = [&](auto work) { threads.emplace_back([work] { for (;;) work(); }); };
    for (int i = 0; i < 4; i++) forever([i] { for (int k : {i & 1, 1 - (i & 1)}) { locks[k].take(); counts[k]++; locks[k].leave(); } });
    for (int i = 0; i < 4; i++) forever([] { gate.room.acquire(); gate.owner++; gate.room.release(); });
    for (int i = 0; i < 3; i++) forever([&all] { all.arrive_and_wait(); });
    for (int i = 0; i < 2; i++) forever([i] { turns.turn.wait(1 - i); turns.owner = gettid(); turns.turn = 1 - i; turns.turn.notify_all(); });
    for (;;) { std::latch two(2); std::thread a([&] { two.arrive_and_wait(); }), b([&] { two.arrive_and_wait(); }); two.wait(); a.join(); b.join(); }
}
W
            local linked
            for linked in '' -static; do
                g++ -O2 -std=c++20 -pthread $linked "$scratch/a.cpp" -o "$scratch/words$linked"
                stripped_too "$scratch/words$linked"
            done ;;
        glibc)
            cat > "$scratch/a.c" << 'G'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static void *print(void *a) { for (;;) { printf("%p\n", a); random(); } }
static void *when(void *a) { for (;;) { time_t now = time(0); struct tm t; localtime_r(&now, &t); tzset(); } return a; }
static void *load(void *a) { for (;;) { void *m = dlopen("libm.so.6", RTLD_NOW); dlsym(m, "cos"); dlclose(m); } return a; }
static void *set(void *a) { for (;;) { setenv("A", "1", 1); getenv("A"); FILE *f = fopen("/dev/zero", "r"); fgetc(f); fclose(f); } return a; }
static void *end(void *a) { return a; }
static void *begin(void *a) { for (;;) { pthread_t t; if (!pthread_create(&t, 0, end, 0)) pthread_join(t, 0); } return a; }
int main(void) {
    void *(*all[])(void *) = {print, when, load, set, begin};
    pthread_t threads[10];
    for (int i = 0; i < 10; i++) pthread_create(&threads[i], 0, all[i % 5], 0);
    pthread_join(threads[0], 0);
}
G
            gcc -O2 -pthread "$scratch/a.c" -o "$scratch/glibc"
            stripped_too "$scratch/glibc" ;;
        pthreads)
            # All kinds of mutex, nested in one order; and two in opposite orders, where whoever waits for the second gives up after a millisecond.
            cat > "$scratch/a.c" << 'T'
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
enum { KINDS = 8 };
static pthread_mutex_t locks[KINDS], crossed[2], queue;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static sem_t room;
static volatile unsigned counts[KINDS], queued;
static void *nest(void *a) {
    for (int k = 0;; k = (k + 1) % (KINDS - 1)) {
        pthread_mutex_lock(&locks[k]); pthread_mutex_lock(&locks[k + 1]); counts[k]++; pthread_mutex_unlock(&locks[k + 1]); pthread_mutex_unlock(&locks[k]);
    }
    return a;
}
static void *cross(void *a) {
    int first = *(int *)a;
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        if ((until.tv_nsec += 1000000) > 999999999) { until.tv_nsec -= 1000000000; until.tv_sec++; }
        pthread_mutex_lock(&crossed[first]);
        if (!pthread_mutex_timedlock(&crossed[1 - first], &until)) pthread_mutex_unlock(&crossed[1 - first]);
        pthread_mutex_unlock(&crossed[first]);
    }
    return a;
}
static void *share(void *a) {
    for (int k = 0;; k++) {
        if (k % 3) pthread_rwlock_rdlock(&table); else pthread_rwlock_wrlock(&table);
        pthread_rwlock_unlock(&table); sem_wait(&room); sem_post(&room); pthread_barrier_wait(&both);
    }
    return a;
}
static void *put(void *a) { for (;;) { pthread_mutex_lock(&queue); queued++; pthread_mutex_unlock(&queue); pthread_cond_signal(&filled); } return a; }
static void *take(void *a) { for (;;) { pthread_mutex_lock(&queue); while (!queued) pthread_cond_wait(&filled, &queue); queued--; pthread_mutex_unlock(&queue); } return a; }
static void *once(void *a) { pthread_mutex_lock(&locks[1]); pthread_mutex_lock(&locks[2]); pthread_mutex_unlock(&locks[2]); pthread_mutex_unlock(&locks[1]); return a; }
static void *begin(void *a) { for (;;) { pthread_t t; if (!pthread_create(&t, 0, once, 0)) pthread_join(t, 0); } return a; }
int main(void) {
    for (int k = 0; k < KINDS; k++) {
        pthread_mutexattr_t as; pthread_mutexattr_init(&as);
        pthread_mutexattr_settype(&as, k % 3 == 1 ? PTHREAD_MUTEX_RECURSIVE : k % 3 == 2 ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_NORMAL);
        if (k == 3 || k == 4) pthread_mutexattr_setprotocol(&as, PTHREAD_PRIO_INHERIT);
        if (k >= 4 && k < 7) pthread_mutexattr_setrobust(&as, PTHREAD_MUTEX_ROBUST);
        if (k == 6 || k == 7) pthread_mutexattr_setpshared(&as, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&locks[k], &as);
        if (k < 2) pthread_mutex_init(&crossed[k], 0);
    }
    pthread_mutexattr_t inherits; pthread_mutexattr_init(&inherits); pthread_mutexattr_setprotocol(&inherits, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&queue, &inherits);
    pthread_barrier_init(&both, 0, 2); sem_init(&room, 0, 1);
    static int sides[] = {0, 1};
    void *(*all[])(void *) = {nest, nest, nest, cross, cross, share, share, put, take, take, begin, begin};
    pthread_t threads[12];
    for (int i = 0; i < 12; i++) pthread_create(&threads[i], 0, all[i], &sides[i % 2]);
    pthread_join(threads[0], 0);
}
T
            local compiler flags
            for compiler in gcc musl-gcc; do
                command -v "$compiler" > /dev/null || continue
                for flags in '' -static; do
                    "$compiler" -O2 -g -pthread $flags "$scratch/a.c" -o "$scratch/pthreads-$compiler$flags"
                    stripped_too "$scratch/pthreads-$compiler$flags"
                done
            done ;;
        getaddrinfo)
            cat > "$scratch/a.c" << 'D'
#include <netdb.h>
#include <pthread.h>
static void *ask(void *a) {
    for (;;) { struct addrinfo hints = {.ai_flags = AI_ADDRCONFIG}, *found; if (!getaddrinfo("localhost", "80", &hints, &found)) freeaddrinfo(found); }
    return a;
}
int main(void) { for (int i = 1; i < 12; i++) { pthread_t t; pthread_create(&t, 0, ask, 0); } ask(0); }
D
            gcc -O2 -pthread "$scratch/a.c" -o "$scratch/getaddrinfo"
            stripped_too "$scratch/getaddrinfo" ;;
        jemalloc | tcmalloc)
            cat > "$scratch/a.cpp" << 'M'
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
std::atomic<char*> passed[64];
int main() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 6; i++) threads.emplace_back([i] {
        for (unsigned k = i + 1;; k = k * 1664525 + 1013904223) {
            size_t size = 16 + (k >> 8) % (k % 97 == 0 ? 2000000 : 3000);
            char* block = (char*)malloc(size); memset(block, 1, size < 64 ? size : 64); free(passed[k >> 26].exchange(block));
        }
    });
    for (;;) { std::thread t([] { for (int i = 0; i < 1000; i++) free(passed[i % 64].exchange((char*)malloc(40 + i))); }); t.join(); }
}
M
            g++ -O2 -pthread "$scratch/a.cpp" -o "$scratch/$work"
            local package=libjemalloc2 library=libjemalloc.so.2
            [ "$work" = jemalloc ] || package=libtcmalloc-minimal4 library=libtcmalloc_minimal.so.4
            unpack "$package"
            library=$(ls "$root/usr/lib/x86_64-linux-gnu/$library" "/usr/lib/x86_64-linux-gnu/$library" 2> /dev/null | head -n 1)
            stripped_too "$scratch/$work" LD_PRELOAD="$library" ;;
        go)
            command -v go > /dev/null || unpack golang-go
            cat > "$scratch/a.go" << 'G'
package main
// #include <pthread.h>
// static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static unsigned counts[8];
// static void count(int i) { pthread_mutex_lock(&lock); counts[i]++; pthread_mutex_unlock(&lock); }
import "C"
import ("fmt"; "io"; "sync"; "time")
var lock sync.Mutex
var table sync.RWMutex
var seen = map[int]int{}
func main() {
	numbers := make(chan []int)
	for i := 0; i < 4; i++ { i := i
		go func() { for { C.count(C.int(i)) } }()
		go func() { for { lock.Lock(); seen[i]++; lock.Unlock() } }()
		go func() { for { table.RLock(); fmt.Fprintln(io.Discard, i); table.RUnlock() } }()
		go func() { for { numbers <- make([]int, 1000) } }() }
	go func() { for { table.Lock(); time.Sleep(time.Microsecond); table.Unlock() } }()
	for n := range numbers { n[0] = 1 }
}
G
            local goroot=
            command -v go > /dev/null || goroot=$root/usr/lib/go-1.19
            (
                export HOME=$scratch GOCACHE=$scratch/go-cache GO111MODULE=off
                [ -z "$goroot" ] || export GOROOT=$goroot PATH=$goroot/bin:$PATH
                go build -o "$scratch/go" "$scratch/a.go"
            )
            stripped_too "$scratch/go" ;;
        memcached)
            unpack memcached
            at_work env LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu" "$(command -v memcached || echo "$root/usr/bin/memcached")" \
                -s "$scratch/memcached.sock" -t 4 -m 16
            cat > "$scratch/load.py" << 'L'
import socket, sys, threading
def ask(i):
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rwb")
    s.sendall(b"set n 0 0 1\r\n1\r\n"); f.readline()
    while True:
        for k in range(200):
            value = b"x" * (k * 37 % 5000)
            s.sendall(b"set k%d 0 1 %d\r\n%s\r\nincr n 1\r\nget k%d n\r\n" % (k + i * 50, len(value), value, k))
            while f.readline().rstrip() != b"END": pass
if len(sys.argv) > 2: socket.socket(socket.AF_UNIX).connect(sys.argv[1]); sys.exit()
for i in range(8): threading.Thread(target=ask, args=(i,), daemon=True).start()
threading.Event().wait()
L
            until_true python3 "$scratch/load.py" "$scratch/memcached.sock" once
            nice -n 10 python3 "$scratch/load.py" "$scratch/memcached.sock" > /dev/null 2>&1 & started+=($!) ;;
        node-dns)
            cat > "$scratch/dns.js" << 'N'
const dns = require('dns'), options = { hints: dns.ADDRCONFIG, all: true }, again = () => dns.lookup('localhost', options, again);
for (let i = 0; i < 24; i++) again();
N
            at_work env UV_THREADPOOL_SIZE=12 node "$scratch/dns.js" ;;
        python-dns)
            cat > "$scratch/dns.py" << 'P'
import socket, threading
def ask():
    while True: socket.getaddrinfo("localhost", 80, flags=socket.AI_ADDRCONFIG)
for _ in range(8): threading.Thread(target=ask, daemon=True).start()
threading.Event().wait()
P
            local python=/usr/bin/python3
            [ -x "$python" ] || python=python3
            at_work "$python" "$scratch/dns.py" ;;
        grpc)
            unpack python3-grpcio
            cat > "$scratch/calls.py" << 'P'
import concurrent.futures, grpc, sys, threading
server = grpc.server(concurrent.futures.ThreadPoolExecutor(8))
echo = grpc.unary_unary_rpc_method_handler(lambda request, context: request)
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("lab", {"echo": echo}),))
server.add_insecure_port(sys.argv[1])
server.start()
def ask(channel):
    call = channel.unary_unary("/lab/echo")
    while True: call(b"x" * 1000)
for channel in [grpc.insecure_channel(sys.argv[1]) for _ in range(2)] * 4:
    threading.Thread(target=ask, args=(channel,), daemon=True).start()
threading.Event().wait()
P
            at_work env PYTHONPATH="$root/usr/lib/python3/dist-packages" LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu" \
                /usr/bin/python3 "$scratch/calls.py" "unix:$scratch/calls.sock" ;;
        compiler)
            printf '#include <regex>\n#include <map>\n#include <iostream>\nint main() { std::map<std::string, std::regex> m; std::smatch s; std::string a; std::cout << std::regex_match(a, s, m["a"]); }\n' > "$scratch/a.cpp"
            ( while :; do g++ -O2 -c "$scratch/a.cpp" -o "$scratch/a.o"; done ) & started+=($!); pids=() ;;
        redis)
            unpack redis-server
            export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu
            local threads=(--io-threads 4 --io-threads-do-reads yes)
            [ "$work" = "$1" ] || threads=()
            "${ordinary[@]}" "$root/usr/bin/redis-server" --port 0 --unixsocket "$scratch/redis.sock" --save '' "${threads[@]}" --dir /tmp > "$scratch/redis.log" &
            started+=($!); pids=($!)
            until_true "$root/usr/bin/redis-cli" -s "$scratch/redis.sock" ping
            [ "$work" = "$1" ] || { unset LD_LIBRARY_PATH; return 0; }
            "$root/usr/bin/redis-benchmark" -s "$scratch/redis.sock" -l -q -n 100000 > /dev/null 2>&1 & started+=($!) ;;
        nginx)
            unpack nginx-light
            mkdir -p "$scratch/nginx/logs"
            printf 'worker_processes 2; error_log stderr; pid %s/nginx.pid; events {} thread_pool default threads=4; http { aio threads; access_log off; client_body_temp_path %s/t1; proxy_temp_path %s/t2; fastcgi_temp_path %s/t3; uwsgi_temp_path %s/t4; scgi_temp_path %s/t5; server { listen 127.0.0.1:18099; root %s; } }\n' \
                "$scratch" "$scratch" "$scratch" "$scratch" "$scratch" "$scratch" "$scratch" > "$scratch/nginx.conf"
            head -c 3000000 /dev/zero > "$scratch/file"
            "$root/usr/sbin/nginx" -p "$scratch/nginx" -e stderr -c "$scratch/nginx.conf" -g 'daemon off;' 2> "$scratch/nginx.log" & started+=($!)
            until_true curl -sf -o /dev/null http://127.0.0.1:18099/file
            local master=${started[-1]}
            pids=($(pgrep -P "$master") "$master")
            [ "$work" = "$1" ] || { unset LD_LIBRARY_PATH; return 0; }
            ( while :; do curl -s -o /dev/null -o /dev/null -o /dev/null http://127.0.0.1:18099/file http://127.0.0.1:18099/file http://127.0.0.1:18099/none; done ) & started+=($!) ;;
        postgres)
            local bin
            bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -n 1)
            [ -n "$bin" ] || { unpack postgresql; bin=$(ls -d "$root"/usr/lib/postgresql/*/bin | tail -n 1); }
            local data=$scratch/$1
            mkdir -p "$data"; chmod 700 "$data"; [ "$(id -u)" != 0 ] || chown 65534:65534 "$data"
            "${ordinary[@]}" "$bin/initdb" -D "$data" -A trust -U lab > /dev/null
            "${ordinary[@]}" "$bin/postgres" -D "$data" -k "$data" -c listen_addresses= > "$scratch/pg.log" 2>&1 & started+=($!); pids=($!)
            until_true "$bin/psql" -h "$data" -U lab postgres -c 'select 1'
            [ "$work" = "$1" ] || { unset LD_LIBRARY_PATH; return 0; }
            "$bin/pgbench" -h "$data" -U lab -q -i postgres > /dev/null 2>&1
            "$bin/pgbench" -h "$data" -U lab -c 4 -T 100000 postgres > /dev/null 2>&1 & started+=($!)
            sleep 3
            pids+=($(pgrep -P "${pids[0]}")) ;;
    esac
    unset LD_LIBRARY_PATH
}

# Frames of a core as gdb walks them: a line for each thread, its instruction pointers; inlined frames have none of their own.
cat > "$scratch/gdb.commands" << 'G'
set backtrace past-main on
set backtrace past-entry on
python
for t in gdb.selected_inferior().threads():
    t.switch()
    f = gdb.newest_frame()
    line = "thread %d" % t.ptid[1]
    while f is not None:
        if f.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
            line += " %x" % f.pc()
        try:
            f = f.older()
        except gdb.error:
            break
    print(line)
end
G
# The same lines of eu-stack's output; how it ends where it cannot go on is left out.
cat > "$scratch/eu-stack.awk" << 'A'
/^TID / { if (line != "") print line; line = "thread " substr($2, 1, length($2) - 1) }
/^#/ { line = line " " substr($2, 3) }
END { if (line != "") print line }
A
# compare THREADS-JSON GDB-OUTPUT EU-STACK-OUTPUT: prints how many frames both have, up to the first on which they differ or that one doubts, how many of those
# are ours, and the first differences on standard error. Without eu-stack's, gdb's frames alone.
cat > "$scratch/compare.py" << 'C'
import json, os, sys
def read(path):
    lines = (line.split() for line in open(path))
    return {int(p[1]): [int(a, 16) for a in p[2:]] for p in lines if len(p) > 2 and p[0] == "thread"}
def common(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
ours = {t["id"]: [int(f["instructionPointer"], 16) for f in t["frames"]] for t in json.load(open(sys.argv[1]))["threads"]}
gdb = read(sys.argv[2])
other = read(sys.argv[3]) if os.path.getsize(sys.argv[3]) > 0 else gdb
all_frames = same = 0
for thread, frames in gdb.items():
    agreed = frames[:common(frames, other.get(thread, []))]
    equal = common(agreed, ours.get(thread, []))
    all_frames += len(agreed)
    same += equal
    if equal < len(agreed):
        mine = ours.get(thread, [])
        print("thread %d: %d of %d frames; then they have %x, we %s" % (thread, equal, len(agreed), agreed[equal], "%x" % mine[equal] if equal < len(mine) else "nothing"), file=sys.stderr)
print(all_frames, same)

C

bad=0
printf '| program | %d looks: exit codes | %d cores, pairs: exit codes | Likely or above | stood still in a look, ms: median, most | %s |\n|---|---|---|---|---|---|\n' \
    "$looks" "$cores" 'frames of the cores as gdb and eu-stack have them'
for name in "${names[@]}"; do
    pids=()
    begin_program "$name" || { bad=1; continue; }
    sleep 2
    all_work "$name" || { printf 'native-programs.sh: did not run: %s\n' "$name" >&2; bad=1; continue; }
    declare -A codes=() core_codes=()
    likely=0 stops=() all=0 same=0 at=0
    look() {
        # Of a compiler that starts anew each time, the one that works now.
        local pid
        [ "$name" != compiler ] || until_true pgrep -x cc1plus || return 0
        if [ "$name" = compiler ]; then pid=$(pgrep -nx cc1plus) || return 0; else pid=${pids[$((at % ${#pids[@]}))]}; fi
        at=$((at + 1)) code=0
        exe=$(readlink "/proc/$pid/exe") || { code=3; return 0; }
        "${analyze[@]}" live "$pid" --format json --interval 300ms "$@" > "$scratch/look.json" 2> "$scratch/look.errors" || code=$?
    }
    count_likely() {
        case $code in
            10 | 11 | 14) likely=$((likely + 1)); cp "$scratch/look.json" "$repository/artifacts/native-$name-$likely.json" ;;
        esac
    }
    for _ in $(seq "$looks"); do
        look
        # A compiler that ended meanwhile.
        [ "$code" != 3 ] || [ "$name" != compiler ] || { look; }
        codes[$code]=$((${codes[$code]:-0} + 1))
        count_likely
        stops+=("$(sed -n 's/.*was stopped.* for \([0-9]*\) ms.*/\1/p; s/.*was stopped.* for \([0-9]*\)[.0-9]* s .*/\1000/p' "$scratch/look.errors" | head -n 1)")
    done
    # Says what a kept core, or two of one process, are judged.
    judge() {
        code=0
        "${analyze[@]}" "$@" --format json > "$scratch/look.json" 2> "$scratch/look.errors" || code=$?
        core_codes[$code]=$((${core_codes[$code]:-0} + 1))
        count_likely
    }
    rm -f "$scratch/earlier"
    for number in $(seq "$cores"); do
        at=$(((number - 1) / 2))
        look --keep "$scratch/core"
        [ -s "$scratch/core" ] || continue
        judge "$scratch/core"
        if [ $((number % 2)) = 1 ]; then
            ln -f "$scratch/core" "$scratch/earlier"
        elif [ "$name" != compiler ]; then
            judge "$scratch/earlier" "$scratch/core"
        fi
        "${analyze[@]}" threads "$scratch/core" --format json > "$scratch/threads.json" 2> /dev/null || true
        gdb -batch -nx -x "$scratch/gdb.commands" "$exe" "$scratch/core" > "$scratch/gdb.out" 2> /dev/null || true
        : > "$scratch/eu-stack.out"
        ! command -v eu-stack > /dev/null \
            || eu-stack --core "$scratch/core" -e "$exe" -n 0 2> /dev/null | awk -f "$scratch/eu-stack.awk" > "$scratch/eu-stack.out" || true
        read -r more equal < <(python3 "$scratch/compare.py" "$scratch/threads.json" "$scratch/gdb.out" "$scratch/eu-stack.out")
        all=$((all + more)) same=$((same + equal))
        rm -f "$scratch/core"
    done
    text= core_text=
    for code in $(seq 0 255); do
        [ -z "${codes[$code]:-}" ] || text="$text${text:+, }$code: ${codes[$code]}"
        [ -z "${core_codes[$code]:-}" ] || core_text="$core_text${core_text:+, }$code: ${core_codes[$code]}"
    done
    [ "$likely" = 0 ] || bad=1
    [ $((same * 100)) -ge $((all * 99)) ] || bad=1
    sorted=$(printf '%s\n' "${stops[@]}" | grep . | sort -n || true)
    printf '| `%s` | %s | %s | %d | %s, %s | %d of %d |\n' "$name" "$text" "$core_text" "$likely" "$(sed -n "$((($(wc -l <<< "$sorted") + 1) / 2))p" <<< "$sorted")" "$(tail -n 1 <<< "$sorted")" "$same" "$all"
    kill "${started[@]}" 2> /dev/null || true
    wait "${started[@]}" 2> /dev/null || true
    started=()
done
exit "$bad"
