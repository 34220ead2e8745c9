#include "commands/single_command.hpp"

#include <windows.h>

#include <atomic>

#include "system/windows_error.hpp"

namespace dumpext {

namespace {

// The thread that runs a command; 0 when none does. A command that the debugger cut off because of an access violation leaves its thread here for ever:
// when that thread comes again, its earlier command is over.
std::atomic<DWORD> running_thread{0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): one for the whole debugger is the point

}

SingleCommand::SingleCommand() {
    const DWORD self = GetCurrentThreadId();
    DWORD expected = 0;
    if (!running_thread.compare_exchange_strong(expected, self) && expected != self) {
        throw CommandError("another command of dumpext is still running; wait for it, or end it with Ctrl+Break");
    }
}

bool SingleCommand::is_running_elsewhere() noexcept {
    const DWORD runner = running_thread.load();
    return runner != 0 && runner != GetCurrentThreadId();
}

SingleCommand::~SingleCommand() { running_thread.store(0); }

}
