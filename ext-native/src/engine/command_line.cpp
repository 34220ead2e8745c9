#include "engine/command_line.hpp"

namespace dumpext {

namespace {

/// An argument in quotation marks: a quotation mark inside is escaped by a backslash, and the backslashes before any quotation mark are doubled.
std::u16string quoted_argument(std::u16string_view argument) {
    std::u16string result = u"\"";
    std::size_t backslashes = 0;
    for (const char16_t unit : argument) {
        if (unit == u'"') {
            result.append(backslashes + 1, u'\\');
        }

        backslashes = unit == u'\\' ? backslashes + 1 : 0;
        result += unit;
    }

    result.append(backslashes, u'\\');
    return result + u'"';
}

}

std::u16string join_command_line(std::u16string_view program, const std::vector<std::u16string>& arguments) {
    std::u16string line = u'"' + std::u16string(program) + u'"';
    for (const std::u16string& argument : arguments) {
        line += u' ';
        line += quoted_argument(argument);
    }

    return line;
}

}
