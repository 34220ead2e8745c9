#pragma once

#include <string>

namespace dumpext {

/// The full path of a file or directory, seen from the debugger's current directory; it need not exist. The path itself when the system knows none.
std::wstring absolute_path(const std::wstring& path);

}
