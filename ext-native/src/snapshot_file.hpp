#pragma once

#include <string>

#include "command_arguments.hpp"
#include "debugger.hpp"
#include "unique_handle.hpp"

namespace dumpext {

/// A dump of a running process, written by the debugger into a file of its own. The system removes the file with the last handle, so also when
/// the debugger is ended before this object is.
class SnapshotFile {
public:
    /// Writes it; the process stays as it is.
    /// @param question What will be asked: more memory is written where a question needs it.
    /// @throws CommandError when it cannot be written.
    SnapshotFile(const Debugger& debugger, Question question);

    const std::wstring& path() const { return path_; }

private:
    std::wstring path_;
    UniqueHandle file_;
};

}
