#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command_arguments.hpp"
#include "engine/engine_session.hpp"
#include "target/debugger.hpp"

namespace dumpext {

/// What is asked, and how.
struct Inquiry {
    Question question;
    const CommandArguments& arguments;
    /// Of the answer: "text", "dml" or "json".
    std::u16string_view format;
    std::function<void(std::string_view)> on_line;
    /// The engine's program.
    std::wstring engine;
    /// The engine's arguments between the dump and the common options.
    std::vector<std::string> words;
    /// True when the dump is a small snapshot, and one with all memory can still be written.
    bool is_first_look = false;
};

/// What the engine is told of a command's thread or address.
/// @throws InvalidArguments when the debugger knows no such thread, or cannot evaluate the address.
std::vector<std::string> words_for(const Debugger& debugger, Question question, const CommandArguments& arguments);

/// The engine's run that answers. All directories in it are full paths: the engine does not run in the debugger's current directory.
/// @param dump The dump's full path, or the name of a process.
/// @param more_images Directories with images besides those that the user told the debugger.
EngineRequest make_request(const Debugger& debugger, const Inquiry& inquiry, const std::wstring& dump, const std::vector<std::wstring>& more_images);

}
