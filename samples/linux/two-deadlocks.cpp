// two-deadlocks SCENE: one of two different deadlocks of the standard library's mutexes ("transfer", "restock"), one of two that differ only in functions
// further
// out than a signature counts ("buy", "rent"), or the same work in one order ("healthy").
// Prints "ready" when its threads are at their second lock. Written as most programs are: nothing keeps the compiler from inlining, and the functions of the
// library's headers are compiled into it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

#ifdef _WIN32
#include <process.h>
#endif

namespace shop {

std::mutex accounts;
std::mutex journal;
std::mutex shelves;
std::mutex orders;
std::atomic<int> arrived{0};
int total = 0;

// True in the healthy twin: its threads take turns.
bool takes_turns = false;

void meet() {
    arrived++;
    while (!takes_turns && arrived < 2) {
        std::this_thread::yield();
    }
}

void transfer() {
    std::lock_guard<std::mutex> first(accounts);
    meet();
    std::lock_guard<std::mutex> second(journal);  // transfer waits here
    total++;
}

void audit() {
    std::lock_guard<std::mutex> first(journal);
    meet();
    std::lock_guard<std::mutex> second(accounts);  // audit waits here
    total--;
}

void restock() {
    std::unique_lock<std::mutex> first(shelves);
    meet();
    std::unique_lock<std::mutex> second(orders);  // restock waits here
    total += 2;
}

void pick() {
    std::unique_lock<std::mutex> first(orders);
    meet();
    std::unique_lock<std::mutex> second(shelves);  // pick waits here
    total -= 2;
}

void reserve(std::mutex& second) {
    std::lock_guard<std::mutex> lock(second);
    total++;
}

void check(std::mutex& second) {
    reserve(second);
    total++;
}

void enter(std::mutex& second) {
    check(second);
    total++;
}

void book(std::mutex& first, std::mutex& second) {
    std::lock_guard<std::mutex> lock(first);
    meet();
    enter(second);
}

void buy() {
    book(shelves, orders);
    total++;
}

void pay() {
    book(orders, shelves);
    total++;
}

void rent() {
    book(accounts, journal);
    total++;
}

void lend() {
    book(journal, accounts);
    total++;
}

}  // namespace shop

int main(int count, char** arguments) {
    const char* scene = count > 1 ? arguments[1] : "";
#ifdef _WIN32
    // What the dumper of Windows samples reads.
    std::printf("pid %d\n", _getpid());
#endif
    if (std::strcmp(scene, "healthy") == 0) {
        shop::takes_turns = true;
        std::thread worker([] {
            for (;;) {
                shop::transfer();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
        std::puts("ready");
        std::fflush(stdout);
        worker.join();
    }
    const auto is = [scene](const char* name) { return std::strcmp(scene, name) == 0; };
    std::thread one([is] { is("transfer") ? shop::transfer() : is("restock") ? shop::restock() : is("buy") ? shop::buy() : shop::rent(); });
    std::thread other([is] { is("transfer") ? shop::audit() : is("restock") ? shop::pick() : is("buy") ? shop::pay() : shop::lend(); });
    while (shop::arrived < 2) {
        std::this_thread::yield();
    }
    std::puts("ready");
    std::fflush(stdout);
    one.join();
    other.join();
}
