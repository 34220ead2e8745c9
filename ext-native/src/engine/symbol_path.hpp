#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace dumpext {

/// A debugger's symbol path whose directories no longer depend on a current directory.
/// @param path Elements between semicolons: a directory, <c>srv*CACHE*...*STORE</c>, <c>symsrv*DLL*CACHE*...*STORE</c> or <c>cache*DIR</c> (Microsoft, "Symbol path for
/// Windows debuggers"). URLs, shares, empty parts and elements of other kinds stay as they are.
/// @param absolute Gives the full path of a directory.
std::u16string absolute_symbol_path(std::u16string_view path, const std::function<std::u16string(std::u16string_view)>& absolute);

}
