#include "snapshot_file.hpp"

#include <array>

#include "wide_text.hpp"
#include "windows_error.hpp"

namespace dumpext {

namespace {

constexpr int most_attempts = 100;

/// True when a .NET runtime is loaded: its locks, tasks and collections lie in private memory.
bool is_managed(const Debugger& debugger) {
    for (const char* name : {"coreclr", "clr", "mscorwks"}) {
        ULONG index = 0;
        ULONG64 base = 0;
        if (SUCCEEDED(debugger.symbols->GetModuleByModuleName(name, 0, &index, &base))) {
            return true;
        }
    }

    return false;
}

/// What the question needs of memory: of a native process stacks, locks and what they refer to, code and global data; of a .NET process all private memory.
ULONG format_for(const Debugger& debugger, Question question) {
    constexpr ULONG always = DEBUG_FORMAT_USER_SMALL_HANDLE_DATA | DEBUG_FORMAT_USER_SMALL_UNLOADED_MODULES | DEBUG_FORMAT_USER_SMALL_PROCESS_THREAD_DATA |
                             DEBUG_FORMAT_USER_SMALL_FULL_MEMORY_INFO | DEBUG_FORMAT_USER_SMALL_THREAD_INFO | DEBUG_FORMAT_USER_SMALL_IGNORE_INACCESSIBLE_MEM;
    return question == Question::broken_collections || is_managed(debugger) ? always | DEBUG_FORMAT_USER_SMALL_FULL_MEMORY
                                                                            : always | DEBUG_FORMAT_USER_SMALL_DATA_SEGMENTS | DEBUG_FORMAT_USER_SMALL_CODE_SEGMENTS |
                                                                                  DEBUG_FORMAT_USER_SMALL_INDIRECT_MEMORY | DEBUG_FORMAT_USER_SMALL_PRIVATE_READ_WRITE_MEMORY;
}

std::wstring temporary_directory() {
    std::array<wchar_t, MAX_PATH + 2> directory{};
    const DWORD length = GetTempPathW(static_cast<DWORD>(directory.size()), directory.data());
    if (length == 0 || length > directory.size()) {
        throw last_error("cannot find the directory for temporary files");
    }

    return {directory.data(), length};
}

}

SnapshotFile::SnapshotFile(const Debugger& debugger, Question question) {
    const std::wstring start = temporary_directory() + L"dumpext-" + std::to_wstring(GetCurrentProcessId()) + L"-";
    for (int attempt = 0; !file_ && attempt < most_attempts; attempt++) {
        path_ = start + std::to_wstring(GetTickCount64()) + L"-" + std::to_wstring(attempt) + L".dmp";
        // DELETE_ON_CLOSE: whoever opens it must share deletion, as the engine does.
        file_ = UniqueHandle(CreateFileW(
            path_.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, CREATE_NEW,
            FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr));
    }

    if (!file_) {
        throw last_error("cannot make a file for the process' snapshot");
    }

    const HRESULT result = debugger.client->WriteDumpFileWide(
        path_.c_str(), reinterpret_cast<ULONG64>(file_.get()), DEBUG_DUMP_SMALL, format_for(debugger, question), L"snapshot of a running process by dumpext");
    if (FAILED(result)) {
        throw CommandError("the debugger could not write a snapshot of the process: " + describe_error(static_cast<DWORD>(result)));
    }
}

}
