#pragma once

#include <string>

namespace dumpext {

/// The program beside this DLL that answers questions: <c>engine\dumpanalyze.exe</c>, of the same version.
/// @returns Its full path.
/// @throws CommandError when it is missing or of another version; the text says what to do.
std::wstring find_engine();

}
