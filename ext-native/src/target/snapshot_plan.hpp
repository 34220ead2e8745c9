#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "target/debug_target.hpp"
#include "target/debugger.hpp"

namespace dumpext {

/// How much of a running process a snapshot holds.
enum class SnapshotContent {
    /// Its modules, handles, regions, and threads with their registers and stacks, for an engine that asks for the memory.
    description,
    /// Stacks, thread and process blocks, handles, code and writable data of modules, and the memory that stacks refer to.
    /// Enough for waits and locks of native code, as long as the images are to be had from their files.
    threads_and_locks,
    /// All memory.
    everything,
};

/// What a snapshot must hold.
struct SnapshotPlan {
    SnapshotContent content = SnapshotContent::everything;
    /// Where the engine finds the images that the snapshot has no copy of.
    std::vector<std::wstring> image_directories;
};

/// Plans a snapshot as small as the question allows. A process with a .NET runtime needs everything (locks and collections of .NET may lie anywhere, and so may
/// what the data-access library wants to read), and so does one whose images cannot be read from the files that it loaded.
/// @param target A running process.
SnapshotPlan plan_snapshot(const Debugger& debugger, const DebugTarget& target);

/// How large a snapshot becomes at the most, in bytes; 0 when the target's memory cannot be listed.
std::uint64_t largest_size(const Debugger& debugger, SnapshotContent content);

}
