#pragma once

#include <string>
#include <vector>

#include "system/com_pointer.hpp"

namespace dumpext {

/// The debugger that called: the interfaces a command needs.
struct Debugger {
    /// @throws CommandError when the debugger is too old to have them.
    explicit Debugger(PDEBUG_CLIENT caller);

    ComPointer<IDebugClient4> client;
    ComPointer<IDebugControl4> control;
    ComPointer<IDebugSymbols3> symbols;
    ComPointer<IDebugSystemObjects3> objects;
    ComPointer<IDebugDataSpaces2> memory;
    ComPointer<IDebugRegisters> registers;
    /// May be empty: only asked whether the host shows links.
    ComPointer<IDebugAdvanced2> advanced;

    /// True after Ctrl+Break or Ctrl+C; asking also takes the wish back.
    bool is_interrupted() const { return control->GetInterrupt() == S_OK; }

    /// Where the user told the debugger to look for symbols; empty when nowhere.
    std::wstring symbol_path() const;

    /// The existing directories in which the user told the debugger to look for images.
    std::vector<std::wstring> image_directories() const;
};

}
