#include "engine/command_line.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

/// Splits a command line by the rules that Microsoft's C runtime documents for all arguments behind the program's name.
std::vector<std::u16string> split(std::u16string_view line) {
    std::vector<std::u16string> arguments;
    std::u16string current;
    bool is_quoted = false;
    bool has_argument = false;
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t backslashes = std::min(line.find_first_not_of(u'\\', i), line.size()) - i;
        i += backslashes;
        const bool is_quote = i < line.size() && line[i] == u'"';
        current.append(is_quote ? backslashes / 2 : backslashes, u'\\');
        has_argument = has_argument || backslashes > 0;
        if (i == line.size()) {
            break;
        }

        if (is_quote && backslashes % 2 == 0) {
            is_quoted = !is_quoted;
            has_argument = true;
        } else if (!is_quoted && !is_quote && (line[i] == u' ' || line[i] == u'\t')) {
            if (has_argument) {
                arguments.push_back(current);
            }

            current.clear();
            has_argument = false;
        } else {
            current += line[i];
            has_argument = true;
        }

        i++;
    }

    if (has_argument) {
        arguments.push_back(current);
    }

    return arguments;
}

TEST(CommandLine, EveryArgumentArrivesAsItWas) {
    const std::vector<std::u16string> arguments{
        u"plain", u"", u"with blank", u"C:\\Dumps\\", u"C:\\My Dumps\\", u"a\"b", u"a\\\"b", u"\\\\server\\share\\", u"\"", u"\\", u"& del *", u"%PATH%", u"$(x)", u"\u00FC\u4E2D.dmp", u"a\tb"};
    const std::u16string line = join_command_line(u"dumpanalyze", arguments);
    EXPECT_TRUE(line.starts_with(u"\"dumpanalyze\" "));
    EXPECT_EQ(split(line.substr(std::u16string_view(u"\"dumpanalyze\" ").size())), arguments);
}

}
}
