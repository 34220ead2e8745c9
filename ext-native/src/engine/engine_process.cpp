#include "engine/engine_process.hpp"

#include <array>
#include <cstddef>
#include <memory>

#include "engine/command_line.hpp"
#include "engine/engine_environment.hpp"
#include "engine/engine_output.hpp"
#include "system/unique_handle.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{32} * 1024 * 1024;
constexpr std::size_t most_errors = std::size_t{16} * 1024;
constexpr DWORD poll_milliseconds = 10;
// A scanner that looks at a program which has just been unpacked may have it open for itself for a moment.
constexpr int most_starts = 6;
constexpr DWORD milliseconds_between_starts = 100;
// What the engine can write between two looks at the pipe: with the default of one page it would have to wait for one after every 4 KiB.
constexpr DWORD pipe_bytes = DWORD{64} * 1024;

struct Pipe {
    UniqueHandle reader;
    UniqueHandle writer;
};

Pipe make_pipe() {
    SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
    HANDLE reader = nullptr;
    HANDLE writer = nullptr;
    if (!CreatePipe(&reader, &writer, &inheritable, pipe_bytes)) {
        throw last_error("cannot make a pipe to the engine");
    }

    Pipe pipe{UniqueHandle(reader), UniqueHandle(writer)};
    SetHandleInformation(reader, HANDLE_FLAG_INHERIT, 0);
    return pipe;
}

/// The list of the only handles that the engine inherits: a debugger has many inheritable ones, the target's among them.
class InheritedHandles {
public:
    explicit InheritedHandles(std::array<HANDLE, 3> handles) : handles_(handles) {
        SIZE_T size = 0;
        InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        buffer_.resize(size);
        if (!InitializeProcThreadAttributeList(list(), 1, 0, &size)) {
            throw last_error("cannot prepare the engine's start");
        }

        if (!UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), sizeof handles_, nullptr, nullptr)) {
            DeleteProcThreadAttributeList(list());
            throw last_error("cannot prepare the engine's start");
        }
    }

    ~InheritedHandles() { DeleteProcThreadAttributeList(list()); }
    InheritedHandles(const InheritedHandles&) = delete;
    InheritedHandles& operator=(const InheritedHandles&) = delete;

    LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(buffer_.data()); }

private:
    std::array<HANDLE, 3> handles_;
    std::vector<std::byte> buffer_;
};

/// A job that ends all its processes when its last handle is closed, also when the debugger itself is ended.
UniqueHandle make_job() {
    UniqueHandle job(CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if (!job || !SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits)) {
        throw last_error("cannot make a job for the engine");
    }

    return job;
}

/// The running engine.
class EngineProcess {
public:
    explicit EngineProcess(const EngineRequest& request) : job_(make_job()), output_(make_pipe()), errors_(make_pipe()) {
        SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
        const UniqueHandle nothing(CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable, OPEN_EXISTING, 0, nullptr));
        if (!nothing) {
            throw last_error("cannot open NUL");
        }

        start(request, nothing.get());
        output_.writer.close();
        errors_.writer.close();
    }

    HANDLE process() const { return process_.get(); }
    HANDLE output() const { return output_.reader.get(); }
    HANDLE errors() const { return errors_.reader.get(); }

    void end() { TerminateJobObject(job_.get(), 1); }

private:
    void start(const EngineRequest& request, HANDLE nothing) {
        InheritedHandles inherited({nothing, output_.writer.get(), errors_.writer.get()});
        STARTUPINFOEXW startup{};
        startup.StartupInfo.cb = sizeof startup;
        startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        startup.StartupInfo.hStdInput = nothing;
        startup.StartupInfo.hStdOutput = output_.writer.get();
        startup.StartupInfo.hStdError = errors_.writer.get();
        startup.lpAttributeList = inherited.list();
        std::wstring line = to_wide(join_command_line(u"dumpanalyze", request.arguments));
        std::wstring environment = engine_environment(request.symbol_path);
        // Not the debugger's current directory, where libraries may lie that anybody has put there: Windows looks for libraries in the current one too.
        const std::wstring directory = request.program.substr(0, request.program.find_last_of(L"\\/") + 1);
        PROCESS_INFORMATION started{};
        // Suspended, so that it is in the job before it can start anything.
        const DWORD flags = CREATE_NO_WINDOW | CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
        for (int starts = 1; !CreateProcessW(request.program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, environment.data(), directory.c_str(), &startup.StartupInfo, &started); starts++) {
            if (starts == most_starts) {
                throw last_error("cannot start the engine " + narrow(request.program));
            }

            Sleep(milliseconds_between_starts);
        }

        process_ = UniqueHandle(started.hProcess);
        const UniqueHandle thread(started.hThread);
        if (!AssignProcessToJobObject(job_.get(), started.hProcess)) {
            const DWORD error = GetLastError();
            TerminateProcess(started.hProcess, 1);
            throw CommandError("cannot put the engine into its job: " + describe_error(error));
        }

        ResumeThread(started.hThread);
    }

    UniqueHandle job_;
    Pipe output_;
    Pipe errors_;
    UniqueHandle process_;
};

/// Takes what a pipe holds now, at most 1 MiB at a time so that the caller can look at other things, without waiting. True when there was something.
bool drain(HANDLE pipe, EngineOutput& into) {
    constexpr int most_rounds = 64;
    std::array<char, 16384> buffer{};
    DWORD available = 0;
    int rounds = 0;
    while (rounds < most_rounds && PeekNamedPipe(pipe, nullptr, 0, nullptr, &available, nullptr) && available > 0) {
        DWORD count = 0;
        if (!ReadFile(pipe, buffer.data(), static_cast<DWORD>(buffer.size()), &count, nullptr) || count == 0) {
            break;
        }

        into.append({buffer.data(), count});
        rounds++;
    }

    return rounds > 0;
}

}

EngineResult run_engine(const EngineRequest& request) {
    EngineProcess engine(request);
    EngineResult result{EngineEnd::exited, 0, {}};
    EngineOutput output(request.on_line, most_output);
    EngineOutput errors([&](std::string_view line) { result.errors.append(line).append("\n"); }, most_errors);
    const Clock::time_point deadline = Clock::now() + request.limit;
    for (bool has_exited = false; !has_exited;) {
        // The pipes are emptied once more after the end: what was written last still stands in them.
        const bool was_over = WaitForSingleObject(engine.process(), 0) == WAIT_OBJECT_0;
        const bool any_output = drain(engine.output(), output);
        const bool any_errors = drain(engine.errors(), errors);
        has_exited = was_over && !any_output && !any_errors;
        if (request.is_interrupted()) {
            result.end = EngineEnd::interrupted;
        } else if (output.is_cut()) {
            result.end = EngineEnd::too_much_output;
        } else if (!has_exited && Clock::now() >= deadline) {
            result.end = EngineEnd::timed_out;
        }

        if (result.end != EngineEnd::exited) {
            break;
        }

        if (!has_exited && !any_output && !any_errors) {
            WaitForSingleObject(engine.process(), poll_milliseconds);
        }
    }

    engine.end();
    WaitForSingleObject(engine.process(), 5000);
    GetExitCodeProcess(engine.process(), &result.exit_code);
    output.finish();
    errors.finish();
    return result;
}

}
