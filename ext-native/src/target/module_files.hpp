#pragma once

#include <string>
#include <vector>

#include "target/debugger.hpp"

namespace dumpext {

/// The files that the debugger has opened for the target's modules: PDB files it has symbols from, images it has mapped or found. Each once; nothing is loaded or
/// looked for by asking.
std::vector<std::wstring> find_module_files(const Debugger& debugger);

}
