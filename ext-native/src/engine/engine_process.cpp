#include "engine/engine_process.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "engine/command_line.hpp"
#include "engine/session_protocol.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

namespace {

// A scanner that looks at a program which has just been unpacked may have it open for itself for a moment.
constexpr int most_starts = 6;
constexpr DWORD milliseconds_between_starts = 100;
constexpr DWORD milliseconds_to_end = 5000;
// What the engine can write between two looks at the pipe: with the default of one page it would have to wait for one after every 4 KiB.
constexpr DWORD pipe_bytes = DWORD{64} * 1024;
// A whole question, so that writing one does not wait for an engine that is about to start.
constexpr DWORD question_pipe_bytes = static_cast<DWORD>(longest_question);

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

}

EngineProcess::EngineProcess(const std::wstring& program, const std::vector<std::u16string>& arguments, std::wstring environment)
    : job_(make_job()), input_(EnginePipe::Direction::to_engine, question_pipe_bytes), output_(EnginePipe::Direction::from_engine, pipe_bytes),
      errors_(EnginePipe::Direction::from_engine, pipe_bytes) {
    start(program, arguments, environment);
    input_.close_engine_end();
    output_.close_engine_end();
    errors_.close_engine_end();
}

void EngineProcess::wait(DWORD milliseconds) const {
    std::array<HANDLE, 3> awaited{};
    DWORD count = 0;
    for (const EnginePipe* pipe : {&output_, &errors_}) {
        if (!pipe->has_ended()) {
            awaited.at(count++) = pipe->readable();
        }
    }

    // The end of one that has ended would be no news.
    if (!has_ended()) {
        awaited.at(count++) = process_.get();
    }

    if (count > 0) {
        WaitForMultipleObjects(count, awaited.data(), FALSE, milliseconds);
    }
}

DWORD EngineProcess::end() {
    input_.close();
    DWORD code = 0;
    if (process_) {
        TerminateJobObject(job_.get(), 1);
        WaitForSingleObject(process_.get(), milliseconds_to_end);
        GetExitCodeProcess(process_.get(), &code);
    }

    return code;
}

void EngineProcess::start(const std::wstring& program, const std::vector<std::u16string>& arguments, std::wstring& environment) {
    InheritedHandles inherited({input_.engine_end(), output_.engine_end(), errors_.engine_end()});
    STARTUPINFOEXW startup{};
    startup.StartupInfo.cb = sizeof startup;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = input_.engine_end();
    startup.StartupInfo.hStdOutput = output_.engine_end();
    startup.StartupInfo.hStdError = errors_.engine_end();
    startup.lpAttributeList = inherited.list();
    std::wstring line = to_wide(join_command_line(u"dumpanalyze", arguments));
    // Not the debugger's current directory, where libraries may lie that anybody has put there: Windows looks for libraries in the current one too.
    const std::wstring directory = program.substr(0, program.find_last_of(L"\\/") + 1);
    PROCESS_INFORMATION started{};
    // Suspended, so that it is in the job before it can start anything.
    const DWORD flags = CREATE_NO_WINDOW | CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
    for (int starts = 1; !CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, environment.data(), directory.c_str(), &startup.StartupInfo, &started); starts++) {
        if (starts == most_starts) {
            throw last_error("cannot start the engine " + narrow(program));
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

}
