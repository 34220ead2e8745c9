#pragma once

#include <cstdint>
#include <string>

#include "system/unique_handle.hpp"
#include "target/snapshot_plan.hpp"

namespace dumpext {

/// A dump of a running process, written by the debugger into a file of its own in the directory for temporary files.
/// The system removes the file with this object, also when the debugger is ended meanwhile.
class SnapshotFile {
public:
    /// Writes it; the process stays as it is.
    /// @throws CommandError when it cannot be written; the text says why.
    SnapshotFile(const Debugger& debugger, SnapshotContent content);

    const std::wstring& path() const { return path_; }

    /// All that was written.
    /// @param most Its most bytes.
    /// @throws CommandError when it is longer, or cannot be read.
    std::string read_all(std::uint64_t most) const;

private:
    std::wstring path_;
    UniqueHandle file_;
};

}
