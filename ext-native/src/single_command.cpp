#include "single_command.hpp"

#include <windows.h>

#include <atomic>

#include "windows_error.hpp"

namespace dumpext {

namespace {

// The thread that runs a command; 0 when none does. A command that a debugger cut off by an access violation leaves its thread here: the same thread may go on.
std::atomic<DWORD> running_thread{0};

}

SingleCommand::SingleCommand() : is_outermost_(true) {
    const DWORD self = GetCurrentThreadId();
    DWORD expected = 0;
    if (!running_thread.compare_exchange_strong(expected, self)) {
        if (expected != self) {
            throw CommandError("another command of dumpext is still running; wait for it, or end it with Ctrl+Break");
        }

        is_outermost_ = false;
    }
}

SingleCommand::~SingleCommand() {
    if (is_outermost_) {
        running_thread.store(0);
    }
}

}
