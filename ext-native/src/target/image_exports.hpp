#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace dumpext {

/// Reads memory of the target: fills the whole span from an address on, or says false.
using MemoryReader = std::function<bool(std::uint64_t, std::span<std::byte>)>;

/// Whether a mapped PE image (32 or 64 bits) exports a name. Damaged images export nothing.
/// @param read Reads the target's memory.
/// @param base Where the image lies.
/// @param name The export's name, at most 63 characters.
bool exports_name(const MemoryReader& read, std::uint64_t base, std::string_view name);

}
