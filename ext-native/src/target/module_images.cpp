#include "target/module_images.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "system/unique_handle.hpp"
#include "target/image_exports.hpp"
#include "target/module_list.hpp"

namespace dumpext {

namespace {

constexpr std::size_t header_bytes = 4096;

/// Whether a file is the image of a module: their linkers' time stamps and sizes are what debuggers know images by.
bool is_image_of(const std::wstring& path, const DEBUG_MODULE_PARAMETERS& module) {
    const UniqueHandle file(CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING, 0, nullptr));
    std::array<std::byte, header_bytes> bytes{};
    DWORD count = 0;
    if (!file || !ReadFile(file.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr) || count < sizeof(IMAGE_DOS_HEADER)) {
        return false;
    }

    IMAGE_DOS_HEADER start{};
    std::memcpy(&start, bytes.data(), sizeof start);
    // The fields that are compared lie at the same offsets in images of 32 and of 64 bits.
    IMAGE_NT_HEADERS64 headers{};
    if (start.e_magic != IMAGE_DOS_SIGNATURE || start.e_lfanew < 0 || static_cast<std::size_t>(start.e_lfanew) > count ||
        count - static_cast<std::size_t>(start.e_lfanew) < sizeof headers) {
        return false;
    }

    std::memcpy(&headers, bytes.data() + start.e_lfanew, sizeof headers);
    return headers.Signature == IMAGE_NT_SIGNATURE && headers.FileHeader.TimeDateStamp == module.TimeDateStamp &&
           headers.OptionalHeader.SizeOfImage == module.Size;
}

bool is_runtime(std::wstring_view path) {
    const std::wstring_view name = path.substr(path.find_last_of(L"\\/") + 1);
    constexpr std::array<std::wstring_view, 4> runtimes{L"coreclr.dll", L"clr.dll", L"mscorwks.dll", L"mscorsvr.dll"};
    return std::ranges::any_of(runtimes, [name](std::wstring_view runtime) {
        return CompareStringOrdinal(name.data(), static_cast<int>(name.size()), runtime.data(), static_cast<int>(runtime.size()), TRUE) == CSTR_EQUAL;
    });
}

bool is_program(std::wstring_view path) {
    constexpr std::wstring_view extension = L".exe";
    return path.size() > extension.size() &&
           CompareStringOrdinal(path.data() + path.size() - extension.size(), static_cast<int>(extension.size()), extension.data(),
                                static_cast<int>(extension.size()), TRUE) == CSTR_EQUAL;
}

}

std::optional<std::vector<std::wstring>> find_image_directories(const Debugger& debugger) {
    const auto modules = list_modules(debugger);
    if (!modules) {
        return std::nullopt;
    }

    std::vector<std::wstring> directories;
    for (const DEBUG_MODULE_PARAMETERS& module : *modules) {
        const std::wstring path = module_name(debugger, module.Base, DEBUG_MODNAME_IMAGE);
        if (!is_image_of(path, module)) {
            return std::nullopt;
        }

        // With the separator, without which "C:" would mean another directory.
        std::wstring directory = path.substr(0, path.find_last_of(L"\\/") + 1);
        if (std::ranges::find(directories, directory) == directories.end()) {
            directories.push_back(std::move(directory));
        }
    }

    return directories;
}

bool has_managed_runtime(const Debugger& debugger) {
    const auto modules = list_modules(debugger);
    const MemoryReader read = [&](std::uint64_t address, std::span<std::byte> into) {
        ULONG count = 0;
        return SUCCEEDED(debugger.memory->ReadVirtual(address, into.data(), static_cast<ULONG>(into.size()), &count)) && count == into.size();
    };
    return !modules || std::ranges::any_of(*modules, [&](const DEBUG_MODULE_PARAMETERS& module) {
        const std::wstring path = module_name(debugger, module.Base, DEBUG_MODNAME_IMAGE);
        // A program published as a single file has the runtime inside, which exports this name for debuggers.
        return is_runtime(path) || (is_program(path) && exports_name(read, module.Base, "DotNetRuntimeInfo"));
    });
}

}
