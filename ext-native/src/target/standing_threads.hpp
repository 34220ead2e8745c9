#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "target/debug_target.hpp"
#include "target/debugger.hpp"

namespace dumpext {

/// A thread that is stopped, and what would be different if it had run.
struct StandingThread {
    std::uint32_t id;
    /// How often it was stopped without being let go; 1 or more.
    std::uint32_t suspend_count;
    /// Its integer registers and its instruction pointer. Times and cycles would not do: reading a thread's registers uses some of them.
    std::array<std::uint64_t, 17> registers;

    bool operator==(const StandingThread&) const = default;
};

/// The threads of a running process of this machine, when all of them are stopped, whoever did it: then the process stays as it is. Empty when one runs, and when
/// that cannot be known.
std::vector<StandingThread> find_standing_threads(const Debugger& debugger, const DebugTarget& target);

}
