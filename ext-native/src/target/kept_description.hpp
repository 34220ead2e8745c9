#pragma once

#include <vector>

#include "target/debug_target.hpp"
#include "target/debugger.hpp"
#include "target/process_description.hpp"
#include "target/standing_threads.hpp"

namespace dumpext {

/// The description of a process that stands still. The one of an earlier command when the process has stood still since, and nothing of it was written: then all
/// that was read of it is as true as it was.
/// @param threads Its threads, as they stand.
/// @param is_told Whether this thread is told of changes (watch_target); else nothing earlier is taken.
/// @throws CommandError when it cannot be written; the text says why.
const ProcessDescription& describe_standing_process(
    const Debugger& debugger, const DebugTarget& target, const std::vector<StandingThread>& threads, bool is_told);

/// Removes the one that is kept.
void forget_description() noexcept;

}
