#include "engine/engine_session.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "engine/engine_environment.hpp"
#include "engine/engine_output.hpp"
#include "engine/engine_process.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{32} * 1024 * 1024;
constexpr std::size_t most_errors = std::size_t{16} * 1024;
constexpr DWORD session_poll_milliseconds = 10;
// What an engine wrote last can come a moment after its end; what does not come then is held back by a process that it has started.
constexpr int most_looks_after_the_end = 20;

/// An engine that answers one question after the other.
class Session {
public:
    explicit Session(std::wstring program)
        : program_(std::move(program)), environment_(engine_environment()), process_(program_, {u"session"}, environment_) {}

    /// True when a question can be put to it that is to be answered by this program, with the debugger's variables as they are now.
    bool serves(const std::wstring& program) const {
        return program == program_ && environment_ == engine_environment() && !is_asking_ && !process_.has_ended();
    }

    bool is_used() const { return is_used_; }

    /// @returns Whether the engine, when it died, had begun to answer, and how the question ended.
    std::pair<bool, EngineResult> ask(const EngineRequest& request);

private:
    std::wstring program_;
    std::wstring environment_;
    EngineProcess process_;
    bool is_used_ = false;
    // Stays true when the debugger cuts a command off: what the engine answers then would be taken for the next answer.
    bool is_asking_ = false;
};

/// Why a question is given up that has not been answered yet; null while it is not.
std::optional<EngineEnd> find_stop(const EngineRequest& request, Clock::time_point deadline) {
    // Asking takes the wish back: one that comes with the end of an answer is for this question too.
    if (request.is_interrupted()) {
        return EngineEnd::interrupted;
    }

    return Clock::now() >= deadline ? std::optional(EngineEnd::timed_out) : std::nullopt;
}

/// How the question ends by what has come so far; null while it goes on.
std::optional<EngineEnd> find_end(std::optional<EngineEnd> stop, const AnswerReader& answer, const EngineOutput& output, bool has_died) {
    if (stop == EngineEnd::interrupted) {
        return stop;
    }

    if (output.is_cut()) {
        return EngineEnd::too_much_output;
    }

    if (answer.exit_code()) {
        return EngineEnd::answered;
    }

    return answer.is_broken() || has_died ? EngineEnd::died : stop;
}

std::pair<bool, EngineResult> Session::ask(const EngineRequest& request) {
    const std::string question = encode_question(from_wide(request.symbol_path), from_wide(request.process), request.arguments);
    if (question.size() > longest_question) {
        throw CommandError("the question is longer than 1 MiB: the symbol path, or the names of the modules' files, are too long");
    }

    is_used_ = true;
    is_asking_ = true;
    EngineResult result{EngineEnd::answered, 0, {}};
    EngineOutput output(request.on_line, most_output);
    EngineOutput errors([&](std::string_view line) { result.errors.append(line).append("\n"); }, most_errors);
    const Clock::time_point deadline = Clock::now() + request.limit;
    std::optional<EngineEnd> stop;
    const auto gives_up = [&] {
        if (!stop) {
            stop = find_stop(request, deadline);
        }

        return stop.has_value();
    };
    AnswerReader::RequestSink on_request;
    if (request.read_process) {
        on_request = [&](const ProcessRequest& wanted) {
            // What cannot be written has an engine that died, which is seen below.
            if (!gives_up()) {
                process_.write(encode_bytes(request.read_process(wanted)), gives_up);
            }
        };
    }

    AnswerReader answer([&](std::string_view bytes) { output.append(bytes); }, [&](std::string_view bytes) { errors.append(bytes); }, std::move(on_request));
    process_.write(question, gives_up);
    std::optional<EngineEnd> end;
    for (int looks_after_the_end = 0; !end;) {
        // The pipes are emptied once more after the end: what was written last still stands in them.
        const bool has_exited = process_.has_ended();
        const std::string written = process_.read_output();
        answer.append(written);
        const std::string complaints = process_.read_errors();
        errors.append(complaints);
        const bool is_silent = written.empty() && complaints.empty();
        looks_after_the_end += has_exited && is_silent ? 1 : 0;
        const bool has_died = has_exited && is_silent && (process_.is_read_to_the_end() || looks_after_the_end >= most_looks_after_the_end);
        gives_up();
        end = find_end(stop, answer, output, has_died);
        if (!end && is_silent) {
            process_.wait(session_poll_milliseconds);
        }
    }

    result.end = *end;
    result.exit_code = result.end == EngineEnd::answered ? *answer.exit_code() : process_.end();
    output.finish();
    errors.finish();
    is_asking_ = false;
    return {!answer.is_empty(), std::move(result)};
}

// Ended by DebugExtensionUninitialize, and when the debugger ends at the latest. Not a variable of a function: what guards the making of such a one is a handle of
// the system under mingw, which stays when the library goes.
constinit std::unique_ptr<Session> current_session;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): one for the whole debugger is the point

Session& running_session(const std::wstring& program) {
    if (!current_session || !current_session->serves(program)) {
        current_session.reset();
        current_session = std::make_unique<Session>(program);
    }

    return *current_session;
}

}

EngineResult ask_engine(const EngineRequest& request) {
    for (;;) {
        Session& session = running_session(request.program);
        const bool is_used = session.is_used();
        auto [has_begun, result] = session.ask(request);
        if (result.end != EngineEnd::answered) {
            end_engine_session();
        }

        // One that had ended itself, or was ended, between two questions has not failed at this one.
        if (result.end != EngineEnd::died || !is_used || has_begun) {
            return std::move(result);
        }
    }
}

void end_engine_session() noexcept { current_session.reset(); }

}
