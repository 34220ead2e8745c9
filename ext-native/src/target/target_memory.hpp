#pragma once

#include <cstdint>
#include <string>

#include "target/debugger.hpp"

namespace dumpext {

/// What the debugger can read of the target's memory from an address on without a gap, at most so many bytes; empty when nothing is there.
std::string read_memory(const Debugger& debugger, std::uint64_t address, std::uint32_t length);

}
