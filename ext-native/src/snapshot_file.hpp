#pragma once

#include <string>

#include "debugger.hpp"

namespace dumpext {

/// A dump of a running process, written by the debugger into a file of its own in the directory for temporary files, and removed with this object.
class SnapshotFile {
public:
    /// Writes it; the process stays as it is.
    /// @throws CommandError when it cannot be written.
    explicit SnapshotFile(const Debugger& debugger);
    ~SnapshotFile();

    SnapshotFile(const SnapshotFile&) = delete;
    SnapshotFile& operator=(const SnapshotFile&) = delete;

    const std::wstring& path() const { return path_; }

private:
    std::wstring path_;
};

}
