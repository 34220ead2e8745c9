#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "target/debugger.hpp"
#include "target/last_event.hpp"

namespace dumpext {

/// Longest description of a process, in bytes; the engine refuses longer ones.
inline constexpr std::uint64_t longest_description = std::uint64_t{256} * 1024 * 1024;

/// A small dump without memory (modules, threads and their times, handles, the list of regions) of the current process of the debugger, which runs on this
/// machine, written into memory by MiniDumpWriteDump: of the dbgcore.dll beside the debugger's engine, else of the system's. No file is made.
/// @param comment Stands in it as its comment.
/// @param event Why the process stands still; null when that is unknown.
/// @returns Null when there is no such writer, and when it fails.
/// @throws CommandError when Ctrl+Break ended it.
std::optional<std::string> write_small_dump(const Debugger& debugger, std::wstring_view comment, const LastEvent* event);

}
