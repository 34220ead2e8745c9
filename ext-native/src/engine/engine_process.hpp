#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/unique_handle.hpp"

namespace dumpext {

/// A running engine, and pipes to it. The engine, and whatever it starts, ends with this object, also when the debugger itself is ended.
class EngineProcess {
public:
    /// Starts it in the directory where it lies.
    /// @param program Its full path.
    /// @param arguments Its arguments.
    /// @param environment Its variables, as CreateProcess takes them.
    /// @throws CommandError when it cannot be started.
    EngineProcess(const std::wstring& program, const std::vector<std::u16string>& arguments, std::wstring environment);
    ~EngineProcess() { end(); }

    EngineProcess(const EngineProcess&) = delete;
    EngineProcess& operator=(const EngineProcess&) = delete;

    /// Writes to its standard input what the pipe has room for: 1 MiB when the engine has read everything else. False when the engine no longer reads.
    bool write(std::string_view bytes) const;

    /// Takes what it has written to standard output, at most 1 MiB at a time so that the caller can look at other things. Does not wait.
    std::string read_output() { return read(output_.reader.get()); }

    /// The same of standard error.
    std::string read_errors() { return read(errors_.reader.get()); }

    /// Waits for its end, so long at the most; true when it has ended.
    bool has_ended(DWORD milliseconds = 0) const { return WaitForSingleObject(process_.get(), milliseconds) == WAIT_OBJECT_0; }

    /// Ends it, if it still runs, and gives its exit code.
    DWORD end();

private:
    struct Pipe {
        UniqueHandle reader;
        UniqueHandle writer;
    };

    static Pipe make_pipe(DWORD bytes, bool child_reads);
    static std::string read(HANDLE pipe);
    void start(const std::wstring& program, const std::vector<std::u16string>& arguments, std::wstring& environment);

    UniqueHandle job_;
    Pipe input_;
    Pipe output_;
    Pipe errors_;
    UniqueHandle process_;
};

}
