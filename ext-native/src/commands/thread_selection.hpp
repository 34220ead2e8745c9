#pragma once

#include <cstdint>
#include <optional>

#include "commands/command_arguments.hpp"
#include "target/debugger.hpp"

namespace dumpext {

/// The system's id of the thread that a command is about; nothing for all threads.
/// @throws CommandError when there is no such thread.
std::optional<std::uint32_t> find_thread(const Debugger& debugger, const CommandArguments& arguments);

/// True when the current thread is one that the debugger made to stop the process: the one after attaching, which has nothing to do with a hang.
bool is_in_break_in(const Debugger& debugger);

}
