#pragma once

#include <string>

namespace dumpext {

/// No path of Windows has more UTF-16 units, the zero at its end counted.
constexpr unsigned longest_path = 32768;

/// The full path of a file or directory, seen from the debugger's current directory; it need not exist. The path itself when the system knows none.
std::wstring absolute_path(const std::wstring& path);

}
