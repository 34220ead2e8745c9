#pragma once

#include <string>
#include <string_view>

namespace dumpext {

/// The environment for the engine: this process' own without the variables that steer .NET runtimes (DOTNET_*, COMPlus_*, CORECLR_*, COR_*): those are meant
/// for the program being debugged, and could make the engine load foreign code. DOTNET_EnableWriteXorExecute stays: it steers nothing but how compiled code is
/// mapped, and under Wine no runtime lives long without it.
/// @param symbol_path The debugger's symbol path, which becomes _NT_SYMBOL_PATH; empty leaves none.
/// @returns A block for CreateProcessW with CREATE_UNICODE_ENVIRONMENT.
std::wstring engine_environment(std::wstring_view symbol_path);

}
