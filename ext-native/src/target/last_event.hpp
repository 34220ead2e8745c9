#pragma once

#include <cstdint>
#include <optional>

#include "target/current_registers.hpp"
#include "target/debugger.hpp"

namespace dumpext {

/// Why the process stands still, as a dump of it says: the exception for which it stopped, with its thread.
struct LastEvent {
    std::uint32_t thread;
    /// With the code STATUS_WAKE_SYSTEM_DEBUGGER where no exception has stopped it, as the debugger's own writer has it.
    EXCEPTION_RECORD exception;
    CONTEXT context;
};

/// Null when the debugger does not tell.
/// @param current Counts before what the system says of the registers of that thread.
std::optional<LastEvent> find_last_event(const Debugger& debugger, const std::optional<CurrentRegisters>& current);

}
