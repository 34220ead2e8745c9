#pragma once

#include <string>

namespace dumpext {

/// The environment for the engine: this process' own without the symbol path, of which every question has its own, and without the variables that steer .NET
/// runtimes (DOTNET_*, COMPlus_*, CORECLR_*, COR_*): those are meant for the program being debugged, and could make the engine load foreign code.
/// DOTNET_EnableWriteXorExecute stays: it steers nothing but how compiled code is mapped, and under Wine no runtime lives long without it.
/// @returns A block for CreateProcessW with CREATE_UNICODE_ENVIRONMENT.
std::wstring engine_environment();

}
