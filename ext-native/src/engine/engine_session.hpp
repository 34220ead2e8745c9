#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <windows.h>

#include "engine/session_protocol.hpp"

namespace dumpext {

/// How a question ended.
enum class EngineEnd { answered, interrupted, timed_out, too_much_output, died };

/// What came of one question.
struct EngineResult {
    EngineEnd end;
    /// The exit code of the answer, or of the program when it died; meaningful then.
    DWORD exit_code;
    /// What went to standard error, cleaned, at most 16 KiB.
    std::string errors;
};

/// One question to the engine.
struct EngineRequest {
    /// The program's full path.
    std::wstring program;
    std::vector<std::u16string> arguments;
    /// Where PDB files are, in the debugger's form; empty for none.
    std::wstring symbol_path;
    std::chrono::seconds limit;
    /// Asked about 100 times a second, and between two readings of memory; true ends the question, and the engine with it, at once.
    std::function<bool()> is_interrupted;
    /// Receives each line of standard output as it comes.
    std::function<void(std::string_view)> on_line;
    /// The name among the arguments that stands for a process, which stands still; empty when all are names of dumps.
    std::wstring process;
    /// What there is of what the engine asks for of that process, at most so many bytes.
    std::function<std::string(const ProcessRequest&)> read_process;
};

/// Asks the engine and waits for the answer. One engine answers all questions of a debugger's session, because it need not read a dump again that it has read;
/// one that no longer runs is started anew. An engine that is interrupted, or fails, ends with its question. To be called by one thread at a time.
/// @throws CommandError when it cannot be started.
EngineResult ask_engine(const EngineRequest& request);

/// Ends the engine, if there is one: the next question starts another.
void end_engine_session() noexcept;

}
