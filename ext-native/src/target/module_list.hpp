#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "target/debugger.hpp"

namespace dumpext {

/// The loaded modules of the target, without loading their symbols; null when the debugger gives no list, or one that is too long (4096) to be a process'.
std::optional<std::vector<DEBUG_MODULE_PARAMETERS>> list_modules(const Debugger& debugger);

/// One of a module's names, as the debugger knows it; empty when it has none of that kind.
/// @param base Where the module lies.
/// @param which DEBUG_MODNAME_IMAGE and so on.
std::wstring module_name(const Debugger& debugger, std::uint64_t base, ULONG which);

}
