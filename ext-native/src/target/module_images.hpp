#pragma once

#include <optional>
#include <string>
#include <vector>

#include "target/debugger.hpp"

namespace dumpext {

/// The directories in which the files of all loaded modules lie on this machine; null when a module's file is not there any more, or another build has taken its place.
std::optional<std::vector<std::wstring>> find_image_directories(const Debugger& debugger);

/// Whether the target has a .NET runtime: a library of its own, or one linked into the program.
/// True also when the modules cannot be asked.
bool has_managed_runtime(const Debugger& debugger);

}
