#include "system/windows_error.hpp"

#include <array>
#include <cstdio>

#include "system/wide_text.hpp"

namespace dumpext {

std::string describe_error(DWORD code) {
    std::array<wchar_t, 512> text{};
    const DWORD length = FormatMessageW(
        FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0, text.data(), static_cast<DWORD>(text.size()), nullptr);
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "0x%lx", static_cast<unsigned long>(code));
    const std::string described = narrow({text.data(), length});
    return length == 0 ? "error " + std::string(number.data()) : without_controls(trimmed(described)) + " (" + number.data() + ")";
}

CommandError last_error(std::string_view what) { return CommandError(std::string(what) + ": " + describe_error(GetLastError())); }

}
