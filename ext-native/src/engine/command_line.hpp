#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dumpext {

/// One command line for CreateProcess that the C runtime of the started program splits into exactly these arguments
/// (rules: Microsoft's documentation "Parsing C command-line arguments"). No shell is involved.
/// @param program What the program sees as its own name; must not contain quotation marks.
/// @param arguments Its arguments, of any content but NUL.
std::u16string join_command_line(std::u16string_view program, const std::vector<std::u16string>& arguments);

}
