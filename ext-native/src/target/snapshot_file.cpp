#include "target/snapshot_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "system/wide_text.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

namespace {

constexpr int most_attempts = 100;
constexpr const char* interrupted = "interrupted; the snapshot of the process was not finished";
constexpr const wchar_t* prefix = L"dumpext-";
constexpr DWORD cancelled = ERROR_CANCELLED;

constexpr ULONG common_format = DEBUG_FORMAT_USER_SMALL_HANDLE_DATA | DEBUG_FORMAT_USER_SMALL_UNLOADED_MODULES | DEBUG_FORMAT_USER_SMALL_FULL_MEMORY_INFO |
                                DEBUG_FORMAT_USER_SMALL_THREAD_INFO | DEBUG_FORMAT_USER_SMALL_IGNORE_INACCESSIBLE_MEM;
constexpr ULONG lock_format = DEBUG_FORMAT_USER_SMALL_PROCESS_THREAD_DATA | DEBUG_FORMAT_USER_SMALL_DATA_SEGMENTS | DEBUG_FORMAT_USER_SMALL_CODE_SEGMENTS |
                              DEBUG_FORMAT_USER_SMALL_INDIRECT_MEMORY;

/// What the debugger's writer is to put in, and the comment on it.
std::pair<ULONG, PCWSTR> writing_of(SnapshotContent content) {
    switch (content) {
    case SnapshotContent::description:
        return {common_format, L"running process, whose memory dumpext read through the debugger"};
    case SnapshotContent::threads_and_locks:
        return {common_format | lock_format, L"snapshot of a running process by dumpext"};
    default:
        return {common_format | DEBUG_FORMAT_USER_SMALL_FULL_MEMORY, L"snapshot of a running process by dumpext"};
    }
}

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

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes >> 20U) + 1) + " MiB"; }

void check_space(const Debugger& debugger, SnapshotContent content, const std::wstring& directory) {
    ULARGE_INTEGER available{};
    const std::uint64_t size = largest_size(debugger, content);
    if (GetDiskFreeSpaceExW(directory.c_str(), &available, nullptr, nullptr) && available.QuadPart < size) {
        throw CommandError(
            "a snapshot of this process may take " + mebibytes(size) + ", and " + narrow(directory) + " has " + mebibytes(available.QuadPart) +
            " left; make room there, or set TMP to another directory before the debugger starts");
    }
}

/// True for the name of a snapshot: the prefix, three numbers with hyphens between them, ".dmp".
bool is_snapshot_name(std::wstring_view name) {
    constexpr std::wstring_view ending = L".dmp";
    if (!name.starts_with(prefix) || !name.ends_with(ending)) {
        return false;
    }

    const std::wstring_view numbers = name.substr(std::wstring_view(prefix).size(), name.size() - std::wstring_view(prefix).size() - ending.size());
    return std::ranges::count(numbers, L'-') == 2 && numbers.front() != L'-' && numbers.back() != L'-' && numbers.find(L"--") == std::wstring_view::npos &&
           std::ranges::all_of(numbers, [](wchar_t c) { return c == L'-' || (c >= L'0' && c <= L'9'); });
}

/// Removes what a debugger left whose computer went down. Snapshots that are still in use do not let themselves be removed.
void remove_stale(const std::wstring& directory) {
    WIN32_FIND_DATAW found{};
    HANDLE search = FindFirstFileW((directory + prefix + L"*.dmp").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) {
        return;
    }

    do {
        if (is_snapshot_name(found.cFileName)) {
            DeleteFileW((directory + found.cFileName).c_str());
        }
    } while (FindNextFileW(search, &found) != FALSE);
    FindClose(search);
}

}

SnapshotFile::SnapshotFile(const Debugger& debugger, SnapshotContent content) {
    const std::wstring directory = temporary_directory();
    remove_stale(directory);
    check_space(debugger, content, directory);
    const std::wstring start = directory + prefix + std::to_wstring(GetCurrentProcessId()) + L"-";
    for (int attempt = 0; !file_ && attempt < most_attempts; attempt++) {
        path_ = start + std::to_wstring(GetTickCount64()) + L"-" + std::to_wstring(attempt) + L".dmp";
        // Others may read it, and nobody may remove it, as long as this handle is open.
        file_ = UniqueHandle(CreateFileW(
            path_.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_READ, nullptr, CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
            nullptr));
    }

    if (!file_) {
        throw last_error("cannot make a file for the process' snapshot");
    }

    // The debugger would refuse to write, and the wish would be gone.
    if (debugger.is_interrupted()) {
        throw CommandError(interrupted);
    }

    const Silence silence(debugger);
    const auto [format, comment] = writing_of(content);
    const HRESULT result = debugger.client->WriteDumpFileWide(path_.c_str(), reinterpret_cast<ULONG64>(file_.get()), DEBUG_DUMP_SMALL, format, comment);
    if (FAILED(result)) {
        // By which it says that it has taken the wish itself.
        if (result == HRESULT_FROM_WIN32(cancelled) || debugger.is_interrupted()) {
            throw CommandError(interrupted);
        }

        throw CommandError("the debugger could not write a snapshot of the process: " + describe_error(static_cast<DWORD>(result)));
    }
}

std::string SnapshotFile::read_all(std::uint64_t most) const {
    LARGE_INTEGER size{};
    if (!GetFileSizeEx(file_.get(), &size) || static_cast<std::uint64_t>(size.QuadPart) > most) {
        throw CommandError("the debugger's snapshot of the process has more than " + mebibytes(most) + "; give the command again with -full");
    }

    std::string bytes(static_cast<std::size_t>(size.QuadPart), '\0');
    DWORD count = 0;
    if (!SetFilePointerEx(file_.get(), {}, nullptr, FILE_BEGIN) || !ReadFile(file_.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr) ||
        count != bytes.size()) {
        throw last_error("cannot read the snapshot of the process");
    }

    return bytes;
}

}
