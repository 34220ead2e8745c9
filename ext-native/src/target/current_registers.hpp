#pragma once

#include <cstdint>
#include <optional>

#include "target/debugger.hpp"

namespace dumpext {

/// The registers of the debugger's current thread, as the debugger has them. It writes those that were changed, by `r` or at a break-in, back to the thread
/// only when it goes on or looks at another one; all other threads have theirs.
struct CurrentRegisters {
    std::uint32_t thread;
    CONTEXT context;
};

/// Null when the debugger does not tell, or looks at a 32-bit program.
std::optional<CurrentRegisters> current_registers(const Debugger& debugger);

/// Puts the integer registers, the flags and the instruction pointer of one context into another.
void take_integers(CONTEXT& context, const CONTEXT& from);

}
