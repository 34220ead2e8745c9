#include "verdict_lines.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

VerdictLines read(std::initializer_list<const char*> lines) {
    VerdictLines result;
    for (const char* line : lines) {
        result.add(line);
    }

    return result;
}

TEST(VerdictLines, HeadingAndSentencesAreKeptAndTheRestIsNot) {
    const VerdictLines lines = read(
        {"hang.dmp: Windows minidump", "", "DUMP1002 Lock-cycle deadlock (Confirmed)", "  Thread 1 (0xc4) waits. [Confirmed]", "  Look at: a.dll, on thread 1 (0xc4).", "  Chain",
         "    thread 1 (0xc4) waits for x [Proven]", "", "DUMP2001 Spinning owner (Likely)", "  It burns. [Likely]", "  Evidence", "  What to do", "    - nothing [x]"});
    EXPECT_EQ(
        lines.verdicts(),
        (std::vector<std::string>{
            "DUMP1002 Lock-cycle deadlock (Confirmed)\nThread 1 (0xc4) waits. [Confirmed]\nLook at: a.dll, on thread 1 (0xc4).", "DUMP2001 Spinning owner (Likely)\nIt burns. [Likely]"}));
}

TEST(VerdictLines, WhatCannotBeDecidedIsSaid) {
    EXPECT_EQ(read({"DUMP9001 Cannot decide: no hang was found"}).verdicts().size(), 1U);
    EXPECT_TRUE(read({"No hang found: nothing", "DUMPS are", "DUMP12 x", "  DUMP1001 x [y]"}).verdicts().empty());
}

TEST(VerdictLines, ThereIsRoomForSome) {
    VerdictLines lines;
    for (int i = 0; i < 1000; i++) {
        lines.add("DUMP1002 x");
    }

    EXPECT_EQ(lines.verdicts().size(), 32U);
}

}
}
