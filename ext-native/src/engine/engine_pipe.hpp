#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "system/unique_handle.hpp"

namespace dumpext {

/// A pipe to or from the engine. Neither reading nor writing waits for an engine that does neither.
class EnginePipe {
public:
    enum class Direction { to_engine, from_engine };

    /// @param bytes How much it holds that the other end has not read yet.
    /// @throws CommandError when the system has none left.
    EnginePipe(Direction direction, DWORD bytes);
    ~EnginePipe() { close(); }

    EnginePipe(const EnginePipe&) = delete;
    EnginePipe& operator=(const EnginePipe&) = delete;

    /// The end that the engine inherits.
    HANDLE engine_end() const { return engine_end_.get(); }

    /// Once the engine has it: the pipe ends with the engine then.
    void close_engine_end() { engine_end_.close(); }

    /// Writes all bytes, unless the engine is gone, or this is given up.
    /// @param process The engine.
    /// @param gives_up Asked from time to time while the engine does not read.
    /// @returns Whether they were written.
    bool write(std::string_view bytes, HANDLE process, const std::function<bool()>& gives_up);

    /// What has come, at most about 1 MiB; does not wait.
    std::string read();

    /// True when nothing more can come.
    bool has_ended() const { return has_ended_; }

    /// Signalled when there may be something to read; only after `read` gave all that there was.
    HANDLE readable() const { return event_.get(); }

    /// Breaks it off.
    void close();

private:
    bool finish_write(OVERLAPPED& operation, DWORD& count, HANDLE process, const std::function<bool()>& gives_up) const;
    void begin_read();

    UniqueHandle event_;
    UniqueHandle own_end_;
    UniqueHandle engine_end_;
    std::vector<char> buffer_;
    OVERLAPPED reading_{};
    bool is_reading_ = false;
    bool has_ended_ = false;
};

}
