#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dumpext {

/// The list of commands.
std::string command_list();

/// What a command does, what it takes, and examples; nothing for a command that does not exist.
/// @param command Its name with or without "!" and "dumpext.".
std::optional<std::string> command_help(std::string_view command);

}
