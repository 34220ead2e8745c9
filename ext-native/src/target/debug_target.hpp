#pragma once

#include <cstdint>
#include <string>

#include "target/debugger.hpp"

namespace dumpext {

/// What the debugger looks at.
struct DebugTarget {
    /// True for a running process, attached or non-invasive; false for a dump file.
    bool is_live = false;
    /// True for a running process whose files lie on this machine; false behind a process server, and for dumps.
    bool is_on_this_machine = false;
    /// The dump's full path; empty for a running process.
    std::wstring dump_path;
    /// What the debugger has put before the name of a dump that it has unpacked from an archive; empty for other dumps.
    std::wstring added_to_name;
};

/// Finds out what the debugger looks at.
/// @throws CommandError for targets that cannot be read: none, a kernel, a trace, several at once. The text says what works instead.
DebugTarget find_target(const Debugger& debugger);

}
