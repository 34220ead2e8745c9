#pragma once

#include <cstdint>
#include <string>

#include "target/debugger.hpp"

namespace dumpext {

/// What is true of a process at one moment, as a small dump: its modules, handles, regions, and threads with their registers, for an engine that asks for
/// the memory.
struct ProcessDescription {
    /// What the moment is called; no other one has the same name.
    std::wstring name;
    std::string bytes;

    /// What there is from an offset on, at most so many bytes.
    std::string read(std::uint64_t offset, std::uint32_t length) const;
};

/// Describes the current process of the debugger, which stands still and runs on this machine; the process stays as it is. Where the debugger brings no
/// writer that writes into memory, its own makes a file for as long as this takes.
/// @throws CommandError when it cannot be described, or was interrupted; the text says why.
ProcessDescription describe_process(const Debugger& debugger);

}
