#include "snapshot_file.hpp"

#include <array>

#include "unique_handle.hpp"
#include "windows_error.hpp"

namespace dumpext {

namespace {

constexpr int most_attempts = 100;

/// Everything: stacks are followed by the unwind data of images, functions named by their export tables, and what locks and collections refer to may lie anywhere.
constexpr ULONG format = DEBUG_FORMAT_USER_SMALL_FULL_MEMORY | DEBUG_FORMAT_USER_SMALL_HANDLE_DATA | DEBUG_FORMAT_USER_SMALL_UNLOADED_MODULES |
                         DEBUG_FORMAT_USER_SMALL_FULL_MEMORY_INFO | DEBUG_FORMAT_USER_SMALL_THREAD_INFO | DEBUG_FORMAT_USER_SMALL_IGNORE_INACCESSIBLE_MEM;

/// Keeps the debugger from showing what it says while it writes a dump.
class Silence {
public:
    explicit Silence(const Debugger& debugger)
        : debugger_(debugger), is_active_(SUCCEEDED(debugger_.client->GetOutputMask(&mask_)) && SUCCEEDED(debugger_.client->SetOutputMask(0))) {}

    ~Silence() {
        if (is_active_) {
            debugger_.client->SetOutputMask(mask_);
        }
    }

    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

private:
    const Debugger& debugger_;
    ULONG mask_ = 0;
    bool is_active_;
};

std::wstring temporary_directory() {
    std::array<wchar_t, MAX_PATH + 2> directory{};
    const DWORD length = GetTempPathW(static_cast<DWORD>(directory.size()), directory.data());
    if (length == 0 || length > directory.size()) {
        throw last_error("cannot find the directory for temporary files");
    }

    return {directory.data(), length};
}

}

SnapshotFile::SnapshotFile(const Debugger& debugger) {
    const std::wstring start = temporary_directory() + L"dumpext-" + std::to_wstring(GetCurrentProcessId()) + L"-";
    UniqueHandle file;
    for (int attempt = 0; !file && attempt < most_attempts; attempt++) {
        path_ = start + std::to_wstring(GetTickCount64()) + L"-" + std::to_wstring(attempt) + L".dmp";
        file = UniqueHandle(CreateFileW(path_.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY, nullptr));
    }

    if (!file) {
        throw last_error("cannot make a file for the process' snapshot");
    }

    const Silence silence(debugger);
    const HRESULT result = debugger.client->WriteDumpFileWide(
        path_.c_str(), reinterpret_cast<ULONG64>(file.get()), DEBUG_DUMP_SMALL, format, L"snapshot of a running process by dumpext");
    if (FAILED(result)) {
        file.close();
        DeleteFileW(path_.c_str());
        throw CommandError("the debugger could not write a snapshot of the process: " + describe_error(static_cast<DWORD>(result)));
    }
}

SnapshotFile::~SnapshotFile() { DeleteFileW(path_.c_str()); }

}
