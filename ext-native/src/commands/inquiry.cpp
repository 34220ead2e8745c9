#include "commands/inquiry.hpp"

#include <cstdint>

#include "commands/thread_selection.hpp"
#include "engine/contract.hpp"
#include "engine/symbol_path.hpp"
#include "system/absolute_path.hpp"
#include "system/wide_text.hpp"
#include "target/module_files.hpp"

namespace dumpext {

namespace {

/// The value of an expression of the debugger.
std::uint64_t evaluate(const Debugger& debugger, const std::string& expression) {
    DEBUG_VALUE value{};
    ULONG consumed = 0;
    const std::wstring wide = to_wide(expression);
    if (FAILED(debugger.control->EvaluateWide(wide.c_str(), DEBUG_VALUE_INT64, &value, &consumed)) || consumed < wide.size()) {
        throw InvalidArguments("the debugger cannot evaluate '" + without_controls(expression) + "' as an address");
    }

    return value.I64;
}

/// The engine's command that answers; empty for verdicts, which it prints without one.
std::u16string_view command_of(Question question) {
    switch (question) {
    case Question::lock_chain:
        return u"lockchain";
    case Question::held_locks:
        return u"locks";
    case Question::broken_collections:
        return u"dictloop";
    default:
        return {};
    }
}

std::u16string full(std::u16string_view path) { return from_wide(absolute_path(to_wide(path))); }

std::wstring full_symbol_path(const Debugger& debugger) { return to_wide(absolute_symbol_path(from_wide(debugger.symbol_path()), full)); }

}

std::vector<std::string> words_for(const Debugger& debugger, Question question, const CommandArguments& arguments) {
    switch (question) {
    case Question::lock_chain:
        if (const auto thread = find_thread(debugger, arguments)) {
            return {"--thread", hexadecimal(*thread)};
        }

        return {};
    case Question::broken_collections:
        if (!arguments.address.empty()) {
            return {hexadecimal(evaluate(debugger, arguments.address))};
        }

        return arguments.whole_heap ? std::vector<std::string>{"--heap"} : std::vector<std::string>{};
    case Question::spinners:
        return {"--only", std::string(contract::spin_detectors)};
    case Question::user_interface:
        return {"--only", std::string(contract::ui_detectors)};
    default:
        return {};
    }
}

EngineRequest make_request(const Debugger& debugger, const Inquiry& inquiry, const std::wstring& dump, const std::vector<std::wstring>& more_images) {
    const Question question = inquiry.question;
    const CommandArguments& arguments = inquiry.arguments;
    EngineRequest request{inquiry.engine, {}, full_symbol_path(debugger), std::chrono::seconds(arguments.seconds), {}, {}, {}, {}};
    if (const auto command = command_of(question); !command.empty()) {
        request.arguments.emplace_back(command);
    }

    request.arguments.push_back(from_wide(dump));
    for (const std::string& argument : inquiry.words) {
        request.arguments.push_back(to_utf16(argument));
    }

    if (arguments.all_stacks) {
        request.arguments.insert(request.arguments.end(), {u"--stacks", u"all"});
    }

    if (!arguments.runtime_directory.empty()) {
        request.arguments.insert(request.arguments.end(), {u"--dac", full(to_utf16(arguments.runtime_directory))});
    }

    if (question != Question::broken_collections) {
        std::vector<std::wstring> directories = debugger.image_directories();
        directories.insert(directories.end(), more_images.begin(), more_images.end());
        for (const std::wstring& directory : directories) {
            request.arguments.insert(request.arguments.end(), {u"--images", full(from_wide(directory))});
        }

        for (const std::wstring& file : find_module_files(debugger)) {
            request.arguments.insert(request.arguments.end(), {u"--module-file", from_wide(file)});
        }
    }

    if (inquiry.is_first_look) {
        request.arguments.emplace_back(u"--first-look");
    }

    request.arguments.insert(request.arguments.end(), {u"--format", std::u16string(inquiry.format)});
    request.is_interrupted = [&debugger] { return debugger.is_interrupted(); };
    request.on_line = inquiry.on_line;
    return request;
}

}
