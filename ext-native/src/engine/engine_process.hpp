#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <windows.h>

namespace dumpext {

/// How the engine ended.
enum class EngineEnd { exited, interrupted, timed_out, too_much_output };

/// What came of one run.
struct EngineResult {
    EngineEnd end;
    /// The program's exit code; meaningful when it exited.
    DWORD exit_code;
    /// What it wrote to standard error, cleaned, at most 16 KiB.
    std::string errors;
};

/// One run of the engine.
struct EngineRequest {
    /// Its full path. It runs in the directory where it lies.
    std::wstring program;
    std::vector<std::u16string> arguments;
    /// Where PDB files are, in the debugger's form; empty for none.
    std::wstring symbol_path;
    std::chrono::seconds limit;
    /// Asked about 50 times a second; true ends the engine at once.
    std::function<bool()> is_interrupted;
    /// Receives each line of standard output as it comes.
    std::function<void(std::string_view)> on_line;
};

/// Runs the engine and waits for it. The engine, and whatever it starts, ends with this call, however that ends.
/// @throws CommandError when it cannot be started.
EngineResult run_engine(const EngineRequest& request);

}
