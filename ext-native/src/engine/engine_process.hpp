#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_pipe.hpp"
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

    /// Writes to its standard input.
    /// @param gives_up Asked from time to time while the engine does not read; true ends the writing.
    /// @returns False when not all was written: it was given up, or the engine no longer reads.
    bool write(std::string_view bytes, const std::function<bool()>& gives_up) { return input_.write(bytes, process_.get(), gives_up); }

    /// Takes what it has written to standard output, about 1 MiB at a time so that the caller can look at other things. Does not wait.
    std::string read_output() { return output_.read(); }

    /// The same of standard error.
    std::string read_errors() { return errors_.read(); }

    /// True when it has ended; what it wrote last may still be to be read.
    bool has_ended() const { return WaitForSingleObject(process_.get(), 0) == WAIT_OBJECT_0; }

    /// True when nothing more can be read, which is so soon after its end, unless a process that it has started has its pipes.
    bool is_read_to_the_end() const { return output_.has_ended() && errors_.has_ended(); }

    /// Waits until there is something to read, the engine ends, or so much time has gone by. All that was there must have been read.
    void wait(DWORD milliseconds) const;

    /// Ends it, if it still runs, and gives its exit code.
    DWORD end();

private:
    void start(const std::wstring& program, const std::vector<std::u16string>& arguments, std::wstring& environment);

    UniqueHandle job_;
    EnginePipe input_;
    EnginePipe output_;
    EnginePipe errors_;
    UniqueHandle process_;
};

}
