#pragma once

#include <string>

namespace dumpext {

/// What stands behind a command, as UTF-8. Debuggers hand over bytes and do not say in which encoding: those that are valid UTF-8 are UTF-8, others belong to the code page
/// of the process (CP_ACP). Text of a code page that happens to be valid UTF-8 is read wrongly; there is no way to tell, and of the letters of a real name it is rare.
/// @param arguments As a debugger hands them over; null counts as nothing.
std::string argument_text(const char* arguments);

}
