#include "system/absolute_path.hpp"

#include <windows.h>

namespace dumpext {

std::wstring absolute_path(const std::wstring& path) {
    std::wstring full(longest_path, L'\0');
    const DWORD length = GetFullPathNameW(path.c_str(), longest_path, full.data(), nullptr);
    if (length == 0 || length >= longest_path) {
        return path;
    }

    full.resize(length);
    return full;
}

}
