#include "engine/engine_files.hpp"

#include <windows.h>

#include <cstddef>
#include <vector>

#include "system/absolute_path.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"
#include "version.hpp"

namespace dumpext {

namespace {

/// The folder of this DLL, with the separator.
std::wstring own_folder() {
    HMODULE module = nullptr;
    if (!GetModuleHandleExW(
            GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, reinterpret_cast<LPCWSTR>(&own_folder), &module)) {
        throw last_error("cannot find the folder of dumpext.dll");
    }

    std::wstring path(longest_path, L'\0');
    path.resize(GetModuleFileNameW(module, path.data(), longest_path));
    const std::size_t end = path.find_last_of(L"\\/");
    if (end == std::wstring::npos) {
        throw CommandError("cannot find the folder of dumpext.dll");
    }

    return path.substr(0, end + 1);
}

/// A file's version as "1.2.3", or an empty text.
std::string file_version(const std::wstring& path) {
    DWORD unused = 0;
    const DWORD size = GetFileVersionInfoSizeW(path.c_str(), &unused);
    std::vector<std::byte> data(size);
    void* fixed = nullptr;
    UINT length = 0;
    if (size == 0 || !GetFileVersionInfoW(path.c_str(), 0, size, data.data()) || !VerQueryValueW(data.data(), L"\\", &fixed, &length) ||
        length < sizeof(VS_FIXEDFILEINFO)) {
        return {};
    }

    const auto* version = static_cast<const VS_FIXEDFILEINFO*>(fixed);
    return std::to_string(HIWORD(version->dwFileVersionMS)) + "." + std::to_string(LOWORD(version->dwFileVersionMS)) + "." +
           std::to_string(HIWORD(version->dwFileVersionLS));
}

}

std::wstring find_engine() {
    const std::wstring folder = own_folder() + L"engine\\";
    std::wstring program = folder + L"dumpanalyze.exe";
    if (GetFileAttributesW(program.c_str()) == INVALID_FILE_ATTRIBUTES) {
        throw CommandError("the engine is missing: " + narrow(program) + "; unpack the whole archive of Dump, and load dumpext.dll from there");
    }

    // The version is that of the managed program; the .exe only starts it.
    const std::string version = file_version(folder + L"dumpanalyze.dll");
    if (version != DUMPEXT_VERSION_TEXT) {
        throw CommandError(
            "the engine in " + narrow(folder) + " has version " + (version.empty() ? "unknown" : version) +
            ", this extension " DUMPEXT_VERSION_TEXT "; unpack both from one archive of Dump");
    }

    return program;
}

}
