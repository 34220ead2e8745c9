#pragma once

#include "target/debug_target.hpp"
#include "target/debugger.hpp"

namespace dumpext {

/// Whether a running process stands still as long as the debugger has it: every thread that the debugger knows is stopped. False also where that cannot be told, as of
/// a process on another machine.
bool stands_still(const Debugger& debugger, const DebugTarget& target);

}
