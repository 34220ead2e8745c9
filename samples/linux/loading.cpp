// A library whose constructor waits for a thread that itself asks the dynamic loader for a library: the constructor runs under the loader's lock, so both wait
// for ever. Loaded by the scene "load" of native-hang.cpp.
#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

pid_t loader;

void* load_other(void*) {
    loader = static_cast<pid_t>(syscall(SYS_gettid));
    dlopen("libdl.so.2", RTLD_NOW);
    return nullptr;
}

// A thread beside both says when they stand.
void* report(void* constructor) {
    const auto stands = [](pid_t id) {
        std::ifstream file("/proc/self/task/" + std::to_string(id) + "/syscall");
        std::string number;
        file >> number;
        return file && number == std::to_string(SYS_futex);
    };
    while (loader == 0 || !stands(loader) || !stands(*static_cast<pid_t*>(constructor))) {
        usleep(1000);
    }
    std::puts("ready");
    std::fflush(stdout);
    return nullptr;
}

__attribute__((constructor)) void start() {
    static pid_t self = static_cast<pid_t>(syscall(SYS_gettid));
    pthread_t reporter;
    pthread_create(&reporter, nullptr, report, &self);
    pthread_t worker;
    pthread_create(&worker, nullptr, load_other, nullptr);
    pthread_join(worker, nullptr);
}

}  // namespace
