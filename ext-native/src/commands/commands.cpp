#include "commands/commands.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/argument_text.hpp"
#include "commands/debugger_words.hpp"
#include "commands/help_text.hpp"
#include "commands/inquiry.hpp"
#include "commands/single_command.hpp"
#include "commands/thread_selection.hpp"
#include "engine/contract.hpp"
#include "engine/engine_files.hpp"
#include "markup/debugger_output.hpp"
#include "system/text.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"
#include "target/debug_target.hpp"
#include "target/kept_description.hpp"
#include "target/snapshot_file.hpp"
#include "target/standing_threads.hpp"
#include "target/target_changes.hpp"
#include "target/target_memory.hpp"

namespace dumpext {

namespace {

namespace exit_code = contract::exit_code;

bool is_answer(const EngineResult& result) {
    return result.end == EngineEnd::answered && exit_code::is_answer(result.exit_code);
}

/// Says how the engine ended, when that is more than its answer says.
void report_end(DebuggerOutput& output, const EngineResult& result, const CommandArguments& arguments) {
    if (!result.errors.empty()) {
        output.text(in_debugger_words(result.errors), DEBUG_OUTPUT_ERROR);
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

    const bool has_said_why = !result.errors.empty() &&
                              (result.exit_code == exit_code::tool_error || result.exit_code == exit_code::usage || result.exit_code == exit_code::unreadable);
    if (!is_answer(result) && !has_said_why) {
        output.error("the engine ended unexpectedly (exit code " + hexadecimal(result.exit_code) + "); its answer may be incomplete");
    }
}

EngineResult ask_snapshot(const Debugger& debugger, const Inquiry& inquiry, const SnapshotPlan& plan) {
    const SnapshotFile snapshot(debugger, plan.content);
    return ask_engine(make_request(debugger, inquiry, snapshot.path(), plan.image_directories));
}

/// Asks about a process that stands still: the debugger describes it, and the engine reads of its memory what it needs.
EngineResult ask_standing(const Debugger& debugger, const DebugTarget& target, const Inquiry& inquiry, const ProcessDescription& description) {
    EngineRequest request = make_request(debugger, inquiry, description.name, plan_snapshot(debugger, target).image_directories);
    request.process = description.name;
    request.read_process = [&](const ProcessRequest& wanted) {
        return wanted.kind == ProcessRequest::Kind::memory ? read_memory(debugger, wanted.position, wanted.length)
                                                           : description.read(wanted.position, wanted.length);
    };
    return ask_engine(request);
}

/// Asks about a running process by snapshots. When more memory than a small snapshot has might change the answer, one with all memory has to give it: that one counts, and the first one is dropped.
EngineResult ask_by_snapshots(const Debugger& debugger, const DebugTarget& target, const Inquiry& inquiry) {
    // Collections may lie anywhere.
    const bool needs_everything = inquiry.arguments.whole_memory || inquiry.question == Question::broken_collections;
    const SnapshotPlan plan = plan_snapshot(debugger, target);
    // The files of images name functions that lie nowhere in memory, so that they serve a snapshot with all of it as well.
    const SnapshotPlan everything{SnapshotContent::everything, plan.image_directories};
    if (needs_everything || plan.content == SnapshotContent::everything) {
        return ask_snapshot(debugger, inquiry, everything);
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
    if (result.end == EngineEnd::answered && result.exit_code == exit_code::undecidable) {
        try {
            return ask_snapshot(debugger, inquiry, everything);
        } catch (const CommandError&) {
            // Better the answer that there is, and behind it why there is no better one.
            show_first();
            throw;
        }
    }

    if (result.end == EngineEnd::answered) {
        show_first();
    }

    return result;
}

EngineResult ask_process(const Debugger& debugger, const DebugTarget& target, const Inquiry& inquiry, bool is_told) {
    if (!inquiry.arguments.whole_memory) {
        if (const auto threads = find_standing_threads(debugger, target); !threads.empty()) {
            return ask_standing(debugger, target, inquiry, describe_standing_process(debugger, target, threads, is_told));
        }

        forget_description();
    }

    return ask_by_snapshots(debugger, target, inquiry);
}

/// Asks about a dump. What the debugger has put before its name is left out: the name is that of the dump in the archive.
EngineResult ask_dump(const Debugger& debugger, const DebugTarget& target, Inquiry inquiry) {
    const std::string added = narrow(target.added_to_name);
    if (added.empty()) {
        return ask_engine(make_request(debugger, inquiry, target.dump_path, {}));
    }

    const auto without = [&added](std::string text) {
        for (std::size_t at = text.find(added); at != std::string::npos; at = text.find(added, at)) {
            text.erase(at, added.size());
        }

        return text;
    };
    const auto show = std::move(inquiry.on_line);
    inquiry.on_line = [&](std::string_view line) { show(without(std::string(line))); };
    EngineResult result = ask_engine(make_request(debugger, inquiry, target.dump_path, {}));
    result.errors = without(std::move(result.errors));
    return result;
}

/// Without a target nobody needs the engine any more: a debugger that has let its target go need not have said so yet.
DebugTarget target_or_end(const Debugger& debugger) {
    try {
        return find_target(debugger);
    } catch (const CommandError&) {
        end_idle_engine();
        throw;
    }
}

EngineResult ask(const Debugger& debugger, Inquiry inquiry) {
    const bool is_told = watch_target(debugger, end_idle_engine);
    const DebugTarget target = target_or_end(debugger);
    // Before a snapshot is written: without the engine, the thread or the address it would be for nothing.
    inquiry.engine = find_engine();
    inquiry.words = words_for(debugger, inquiry.question, inquiry.arguments);
    return target.is_live ? ask_process(debugger, target, inquiry, is_told) : ask_dump(debugger, target, std::move(inquiry));
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
        CommandArguments parsed = parse_arguments(question, argument_text(arguments));
        if (parsed.wants_help) {
            output.text(command_help(name).value_or(command_list()));
            return;
        }

        const SingleCommand single;
        if (question == Question::lock_chain && parsed.thread == ThreadChoice::current && is_in_break_in(debugger)) {
            output.text("The current thread is the debugger's own, made to stop the process: every thread that waits follows instead.\n");
            parsed.thread = ThreadChoice::all;
        }

        const EngineResult result = ask(debugger, {question, parsed, output.shows_links() ? u"dml" : u"text", [&](std::string_view line) { output.line(in_debugger_words(line)); }, {}, {}});
        report_end(output, result, parsed);
    });
}

JsonValue collect_report(PDEBUG_CLIENT caller) {
    const Debugger debugger(caller);
    const SingleCommand single;
    const CommandArguments none;
    std::string text;
    // A line that is longer than the pieces in which lines come here goes on in the next piece, so nothing may stand between them; JSON needs no ends of lines.
    const EngineResult result = ask(debugger, {Question::verdict, none, u"json", [&](std::string_view line) { text += line; }, {}, {}});
    // Half a report may read like another one.
    if (!is_answer(result)) {
        const std::string errors(trimmed(result.errors));
        throw CommandError(
            result.end == EngineEnd::interrupted ? "interrupted; the engine was ended"
            : errors.empty()                     ? "the engine gave no whole answer; !dumpext.verdict says more"
                                                 : errors);
    }

    try {
        JsonValue report = parse_json(text);
        if (member_text(report, "schema") != contract::report_schema) {
            throw InvalidJson("no " + std::string(contract::report_schema));
        }

        return report;
    } catch (const InvalidJson& error) {
        throw CommandError("the engine's answer is not usable: " + std::string(error.what()));
    }
}

void end_idle_engine() noexcept {
    // Whoever asks still needs it, and ends it with the debugger at the latest.
    if (!SingleCommand::is_running_elsewhere()) {
        end_engine_session();
        forget_description();
    }
}

HRESULT show_help(PDEBUG_CLIENT caller, PCSTR arguments) noexcept {
    return guarded(caller, [&](const Debugger&, DebuggerOutput& output) {
        const std::string words = argument_text(arguments);
        const std::string_view command = trimmed(words);
        const bool asks_itself = command == "-?" || command == "?";
        const auto help = command.empty() ? std::optional(command_list()) : command_help(asks_itself ? "dumphelp" : command);
        if (!help) {
            throw InvalidArguments("there is no command '" + without_controls(command) + "'; !dumphelp lists them");
        }

        output.text(*help);
    });
}

}
