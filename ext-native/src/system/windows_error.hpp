#pragma once

#include <windows.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace dumpext {

/// A question that cannot be answered, with a text for the user that says why and what to do.
class CommandError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the system says about an error code or HRESULT, with its number.
std::string describe_error(DWORD code);

/// A CommandError for the last error of the system.
/// @param what What was attempted, as in "cannot start the engine".
CommandError last_error(std::string_view what);

}
