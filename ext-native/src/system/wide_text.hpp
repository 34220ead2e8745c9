#pragma once

#include <string>
#include <string_view>

#include "system/text.hpp"

namespace dumpext {

// wchar_t is UTF-16 on Windows; the rest of the program says char16_t, which is that on every system.
static_assert(sizeof(wchar_t) == sizeof(char16_t));

inline std::wstring to_wide(std::u16string_view text) { return {text.begin(), text.end()}; }
inline std::wstring to_wide(std::string_view text) { return to_wide(to_utf16(text)); }
inline std::u16string from_wide(std::wstring_view text) { return {text.begin(), text.end()}; }
inline std::string narrow(std::wstring_view text) { return to_utf8(from_wide(text)); }

}
