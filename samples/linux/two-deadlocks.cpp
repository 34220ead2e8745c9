// two-deadlocks SCENE: one of two different deadlocks of the standard library's mutexes ("transfer", "restock"), or the same work in one order ("healthy").
// Prints "ready" when its threads are at their second lock. Written as most programs are: nothing keeps the compiler from inlining, and the functions of the
// library's headers are compiled into it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

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

}  // namespace shop

int main(int count, char** arguments) {
    const char* scene = count > 1 ? arguments[1] : "";
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
    const bool isTransfer = std::strcmp(scene, "transfer") == 0;
    std::thread one([isTransfer] { isTransfer ? shop::transfer() : shop::restock(); });
    std::thread other([isTransfer] { isTransfer ? shop::audit() : shop::pick(); });
    while (shop::arrived < 2) {
        std::this_thread::yield();
    }
    std::puts("ready");
    std::fflush(stdout);
    one.join();
    other.join();
}
