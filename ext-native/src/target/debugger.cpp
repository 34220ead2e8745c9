#include "target/debugger.hpp"

#include <algorithm>

#include "system/windows_error.hpp"

namespace dumpext {

namespace {

constexpr ULONG longest_text = 65536;

/// Text that the debugger hands over through a buffer; empty when it refuses or has more than fits.
template <typename Getter>
std::wstring read_text(Getter getter) {
    std::wstring buffer(longest_text, L'\0');
    ULONG size = 0;
    // The size counts the zero at the end. S_FALSE says that the text was cut.
    if (getter(buffer.data(), longest_text, &size) != S_OK || size == 0 || size > longest_text) {
        return {};
    }

    buffer.resize(size - 1);
    return buffer;
}

}

Debugger::Debugger(PDEBUG_CLIENT caller)
    : client(ComPointer<IDebugClient4>::query(caller)),
      control(ComPointer<IDebugControl4>::query(caller)),
      symbols(ComPointer<IDebugSymbols3>::query(caller)),
      objects(ComPointer<IDebugSystemObjects3>::query(caller)),
      memory(ComPointer<IDebugDataSpaces2>::query(caller)),
      registers(ComPointer<IDebugRegisters>::query(caller)),
      advanced(ComPointer<IDebugAdvanced2>::query(caller)) {
    if (!client || !control || !symbols || !objects || !memory || !registers) {
        throw CommandError("this debugger is too old: the interfaces of the Debugging Tools for Windows 6.7 or later are needed");
    }
}

std::wstring Debugger::symbol_path() const {
    return read_text([this](PWSTR buffer, ULONG size, PULONG used) { return symbols->GetSymbolPathWide(buffer, size, used); });
}

std::vector<std::wstring> Debugger::image_directories() const {
    const std::wstring path = read_text([this](PWSTR buffer, ULONG size, PULONG used) { return symbols->GetImagePathWide(buffer, size, used); });
    std::vector<std::wstring> directories;
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t end = std::min(path.find(L';', start), path.size());
        const std::wstring directory = path.substr(start, end - start);
        // Symbol servers stand in this path too; "srv*..." is no name of a file.
        const DWORD attributes = directory.empty() ? INVALID_FILE_ATTRIBUTES : GetFileAttributesW(directory.c_str());
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
            directories.push_back(directory);
        }

        start = end + 1;
    }

    return directories;
}

}
