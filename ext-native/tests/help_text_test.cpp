#include "commands/help_text.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

TEST(HelpText, EveryListedCommandIsExplained) {
    const std::string list = command_list();
    for (const char* command : {"verdict", "lockchain", "heldlocks", "dictloop", "spinners", "uihang", "dumphelp"}) {
        EXPECT_NE(list.find("!" + std::string(command)), std::string::npos) << command;
        const auto help = command_help(command);
        ASSERT_TRUE(help) << command;
        EXPECT_TRUE(help->starts_with("!" + std::string(command))) << *help;
    }
}

TEST(HelpText, NamesMayBeQualified) {
    EXPECT_EQ(command_help("!dumpext.lockchain"), command_help("lockchain"));
    EXPECT_EQ(command_help("!lockchain"), command_help("lockchain"));
    EXPECT_FALSE(command_help("nothing"));
    EXPECT_FALSE(command_help(""));
}

}
}
