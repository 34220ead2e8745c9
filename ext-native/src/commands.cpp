#include "commands.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "debug_target.hpp"
#include "debugger_output.hpp"
#include "engine_files.hpp"
#include "engine_process.hpp"
#include "help_text.hpp"
#include "single_command.hpp"
#include "snapshot_file.hpp"
#include "thread_selection.hpp"
#include "wide_text.hpp"
#include "windows_error.hpp"

namespace dumpext {

namespace {

std::string hexadecimal(std::uint64_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (; value != 0 || text.empty(); value >>= 4) {
        text.insert(text.begin(), digits[value & 0xF]);
    }

    return "0x" + text;
}

/// The value of an expression of the debugger.
std::uint64_t evaluate(const Debugger& debugger, const std::string& expression) {
    DEBUG_VALUE value{};
    ULONG consumed = 0;
    if (FAILED(debugger.control->Evaluate(expression.c_str(), DEBUG_VALUE_INT64, &value, &consumed)) || consumed < expression.size()) {
        throw InvalidArguments("the debugger cannot evaluate '" + without_controls(expression) + "' as an address");
    }

    return value.I64;
}

/// What the engine is told of a command's thread or address.
std::vector<std::string> arguments_for(const Debugger& debugger, Question question, const CommandArguments& arguments) {
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
        return {"--only", "DUMP2001,DUMP2002,DUMP2003"};
    case Question::user_interface:
        return {"--only", "DUMP4001,DUMP4002,DUMP4003,DUMP4004"};
    default:
        return {};
    }
}

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

EngineRequest make_request(const Debugger& debugger, const Inquiry& inquiry, const std::wstring& dump, const std::vector<std::wstring>& more_images) {
    const Question question = inquiry.question;
    const CommandArguments& arguments = inquiry.arguments;
    EngineRequest request{inquiry.engine, {}, debugger.symbol_path(), std::chrono::seconds(arguments.seconds), {}, {}};
    if (question == Question::lock_chain || question == Question::broken_collections) {
        request.arguments.emplace_back(question == Question::lock_chain ? u"lockchain" : u"dictloop");
    }

    request.arguments.push_back(from_wide(dump));
    for (const std::string& argument : inquiry.words) {
        request.arguments.push_back(to_utf16(argument));
    }

    if (arguments.all_stacks) {
        request.arguments.insert(request.arguments.end(), {u"--stacks", u"all"});
    }

    if (!arguments.runtime_directory.empty()) {
        request.arguments.insert(request.arguments.end(), {u"--dac", to_utf16(arguments.runtime_directory)});
    }

    if (question != Question::broken_collections) {
        std::vector<std::wstring> directories = debugger.image_directories();
        directories.insert(directories.end(), more_images.begin(), more_images.end());
        for (const std::wstring& directory : directories) {
            request.arguments.insert(request.arguments.end(), {u"--images", from_wide(directory)});
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

/// True when the engine came to its end and answered, also with "cannot decide".
bool is_answer(const EngineResult& result) {
    constexpr DWORD smallest_verdict = 10;
    constexpr DWORD largest_answer = 13;
    return result.end == EngineEnd::exited && (result.exit_code == 0 || (result.exit_code >= smallest_verdict && result.exit_code <= largest_answer));
}

/// Says how the engine ended, when that is more than its answer says.
void report_end(DebuggerOutput& output, const EngineResult& result, const CommandArguments& arguments) {
    constexpr DWORD engine_error = 1;
    constexpr DWORD wrong_usage = 2;
    constexpr DWORD unreadable = 3;
    if (!result.errors.empty()) {
        output.text(result.errors, DEBUG_OUTPUT_ERROR);
    }

    switch (result.end) {
    case EngineEnd::interrupted:
        output.error("interrupted; the engine was ended");
        return;
    case EngineEnd::timed_out:
        output.error("no answer within " + std::to_string(arguments.seconds) + " s; -timeout SECONDS gives it more");
        return;
    case EngineEnd::too_much_output:
        output.error("the answer was longer than 32 MiB and is cut");
        return;
    default:
        break;
    }

    const bool has_said_why = (result.exit_code == engine_error || result.exit_code == wrong_usage || result.exit_code == unreadable) && !result.errors.empty();
    if (!is_answer(result) && !has_said_why) {
        output.error("the engine ended unexpectedly (exit code " + hexadecimal(result.exit_code) + "); its answer may be incomplete");
    }
}

EngineResult ask_snapshot(const Debugger& debugger, const Inquiry& inquiry, const SnapshotPlan& plan) {
    const SnapshotFile snapshot(debugger, plan.content);
    return run_engine(make_request(debugger, inquiry, snapshot.path(), plan.image_directories));
}

/// Asks about a running process. When more memory than a small snapshot has might change the answer, one with all memory has to give it: that one counts, and the first one is dropped.
EngineResult ask_process(const Debugger& debugger, const DebugTarget& target, const Inquiry& inquiry) {
    constexpr DWORD cannot_decide = 13;
    // Collections may lie anywhere.
    const bool needs_everything = inquiry.arguments.whole_memory || inquiry.question == Question::broken_collections;
    const SnapshotPlan plan = needs_everything ? SnapshotPlan{} : plan_snapshot(debugger, target);
    if (plan.content == SnapshotContent::everything) {
        return ask_snapshot(debugger, inquiry, plan);
    }

    std::vector<std::string> lines;
    Inquiry first = inquiry;
    first.is_first_look = true;
    first.on_line = [&lines](std::string_view line) { lines.emplace_back(line); };
    const auto show_first = [&] {
        for (const std::string& line : lines) {
            inquiry.on_line(line);
        }
    };
    EngineResult result = ask_snapshot(debugger, first, plan);
    if (result.end == EngineEnd::exited && result.exit_code == cannot_decide) {
        try {
            return ask_snapshot(debugger, inquiry, {});
        } catch (const CommandError&) {
            // Better the answer that there is, and behind it why there is no better one.
            show_first();
            throw;
        }
    }

    if (result.end == EngineEnd::exited) {
        show_first();
    }

    return result;
}

EngineResult ask(const Debugger& debugger, Inquiry inquiry) {
    const DebugTarget target = find_target(debugger);
    // Before a snapshot is written: without the engine, the thread or the address it would be for nothing.
    inquiry.engine = find_engine();
    inquiry.words = arguments_for(debugger, inquiry.question, inquiry.arguments);
    return target.is_live ? ask_process(debugger, target, inquiry) : run_engine(make_request(debugger, inquiry, target.dump_path, {}));
}

/// Runs a command's body; what it throws becomes one line.
template <typename Body>
HRESULT guarded(PDEBUG_CLIENT caller, Body body) noexcept {
    try {
        const Debugger debugger(caller);
        DebuggerOutput output(debugger);
        try {
            body(debugger, output);
        } catch (const std::exception& error) {
            output.error(error.what());
        }
    } catch (...) {
        // Without the debugger's interfaces or without memory there is nowhere to say it.
        return E_FAIL;
    }

    return S_OK;
}

}

HRESULT answer(PDEBUG_CLIENT caller, Question question, std::string_view name, PCSTR arguments) noexcept {
    return guarded(caller, [&](const Debugger& debugger, DebuggerOutput& output) {
        const CommandArguments parsed = parse_arguments(question, arguments == nullptr ? "" : arguments);
        if (parsed.wants_help) {
            output.text(command_help(name).value_or(command_list()));
            return;
        }

        const SingleCommand single;
        const EngineResult result = ask(debugger, {question, parsed, output.shows_links() ? u"dml" : u"text", [&](std::string_view line) { output.line(line); }, {}, {}});
        report_end(output, result, parsed);
    });
}

VerdictLines collect_verdicts(PDEBUG_CLIENT caller) noexcept {
    VerdictLines lines;
    bool is_whole = false;
    guarded(caller, [&](const Debugger& debugger, DebuggerOutput&) {
        const SingleCommand single;
        const CommandArguments none;
        is_whole = is_answer(ask(debugger, {Question::verdict, none, u"text", [&](std::string_view line) { lines.add(line); }, {}, {}}));
    });
    // Half a verdict may read like another one.
    return is_whole ? std::move(lines) : VerdictLines{};
}

std::string collect_report(PDEBUG_CLIENT caller) {
    const Debugger debugger(caller);
    const SingleCommand single;
    const CommandArguments none;
    std::string report;
    // A line that is longer than the pieces in which lines come here goes on in the next piece, so nothing may stand between them; JSON needs no ends of lines.
    const EngineResult result = ask(debugger, {Question::verdict, none, u"json", [&](std::string_view line) { report += line; }, {}, {}});
    if (!is_answer(result)) {
        const std::string errors(trimmed(result.errors));
        throw CommandError(result.end == EngineEnd::interrupted ? "interrupted; the engine was ended" : errors.empty() ? "the engine gave no whole answer; !dumpext.verdict says more" : errors);
    }

    return report;
}

HRESULT show_help(PDEBUG_CLIENT caller, PCSTR arguments) noexcept {
    return guarded(caller, [&](const Debugger&, DebuggerOutput& output) {
        const std::string_view command = trimmed(arguments == nullptr ? "" : arguments);
        const auto help = command.empty() ? std::optional(command_list()) : command_help(command);
        if (!help) {
            throw InvalidArguments("there is no command '" + without_controls(command) + "'; !dumphelp lists them");
        }

        output.text(*help);
    });
}

}
