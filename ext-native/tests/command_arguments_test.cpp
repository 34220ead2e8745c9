#include "commands/command_arguments.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

TEST(CommandArguments, WithoutAnyTheCurrentThreadIsMeant) {
    const CommandArguments arguments = parse_arguments(Question::lock_chain, "  ");
    EXPECT_EQ(arguments.thread, ThreadChoice::current);
    EXPECT_FALSE(arguments.wants_help);
    EXPECT_EQ(arguments.seconds, 600U);
}

struct ThreadCase {
    const char* text;
    ThreadChoice choice;
    std::uint32_t value;
};

class ThreadArgument : public testing::TestWithParam<ThreadCase> {};

TEST_P(ThreadArgument, IsUnderstoodAsDebuggersWriteIt) {
    const CommandArguments arguments = parse_arguments(Question::lock_chain, GetParam().text);
    EXPECT_EQ(arguments.thread, GetParam().choice);
    EXPECT_EQ(arguments.thread_value, GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    All, ThreadArgument,
    testing::Values(
        ThreadCase{"~3", ThreadChoice::by_number, 3}, ThreadCase{"~10", ThreadChoice::by_number, 10}, ThreadCase{"~.", ThreadChoice::current, 0},
        ThreadCase{"~*", ThreadChoice::all, 0}, ThreadCase{"-all", ThreadChoice::all, 0}, ThreadCase{"1a4", ThreadChoice::by_system_id, 0x1A4},
        ThreadCase{"10", ThreadChoice::by_system_id, 0x10}, ThreadCase{"0x1A4", ThreadChoice::by_system_id, 0x1A4},
        ThreadCase{"0n420", ThreadChoice::by_system_id, 420}, ThreadCase{"~~[1a4]", ThreadChoice::by_system_id, 0x1A4},
        ThreadCase{"-timeout 5 ~2", ThreadChoice::by_number, 2}));

class WrongArgument : public testing::TestWithParam<std::pair<Question, const char*>> {};

TEST_P(WrongArgument, IsRefused) { EXPECT_THROW(parse_arguments(GetParam().first, GetParam().second), InvalidArguments); }

INSTANTIATE_TEST_SUITE_P(
    All, WrongArgument,
    testing::Values(
        std::pair{Question::lock_chain, "foo"}, std::pair{Question::lock_chain, "~x"}, std::pair{Question::lock_chain, "~"},
        std::pair{Question::lock_chain, "1 2"}, std::pair{Question::lock_chain, "~1 -all"}, std::pair{Question::lock_chain, "100000000"},
        std::pair{Question::lock_chain, "~~[]"}, std::pair{Question::lock_chain, "0x"}, std::pair{Question::lock_chain, "-heap"},
        std::pair{Question::lock_chain, "-timeout"}, std::pair{Question::lock_chain, "-timeout 0"}, std::pair{Question::lock_chain, "-timeout 86401"},
        std::pair{Question::lock_chain, "-timeout 5x"}, std::pair{Question::verdict, "1a4"}, std::pair{Question::verdict, "-all"},
        std::pair{Question::broken_collections, "7ff0 -heap"}, std::pair{Question::held_locks, "-stacks"}, std::pair{Question::held_locks, "1a4"},
        std::pair{Question::broken_collections, "-stacks"}, std::pair{Question::spinners, "-nope"}));

TEST(CommandArguments, AnAddressMayBeAnExpressionWithBlanks) {
    EXPECT_EQ(parse_arguments(Question::broken_collections, "poi(@rsp + 8)").address, "poi(@rsp + 8)");
}

TEST(CommandArguments, ADirectoryMayStandInQuotationMarks) {
    EXPECT_EQ(parse_arguments(Question::verdict, "-dac \"C:\\Program Files\\dotnet\" -stacks").runtime_directory, "C:\\Program Files\\dotnet");
    EXPECT_TRUE(parse_arguments(Question::verdict, "-dac \"C:\\Program Files\\dotnet\" -stacks").all_stacks);
    EXPECT_EQ(parse_arguments(Question::verdict, "-dac C:\\dotnet").runtime_directory, "C:\\dotnet");
    EXPECT_THROW(parse_arguments(Question::verdict, "-dac"), InvalidArguments);
    EXPECT_THROW(parse_arguments(Question::verdict, "-dac \"\""), InvalidArguments);
}

TEST(CommandArguments, ADirectoryWithoutItsLettersIsRefused) {
    EXPECT_THROW(parse_arguments(Question::verdict, "-dac C:\\??"), InvalidArguments);
    EXPECT_THROW(parse_arguments(Question::verdict, "-dac \\\\?\\C:\\a?"), InvalidArguments);
    EXPECT_EQ(parse_arguments(Question::verdict, "-dac \\\\?\\C:\\a").runtime_directory, "\\\\?\\C:\\a");
}

TEST(CommandArguments, HelpIsWantedInEveryUsualForm) {
    for (const char* text : {"-?", "/?", "?", "-h", "-help", "~1 -?"}) {
        EXPECT_TRUE(parse_arguments(Question::lock_chain, text).wants_help) << text;
    }
}

TEST(CommandArguments, MessagesHoldNoControlCharacters) {
    try {
        parse_arguments(Question::lock_chain, "\x1b[31m");
        FAIL();
    } catch (const InvalidArguments& error) {
        EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
    }
}

}
}
