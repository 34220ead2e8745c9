#include "markup/dml_filter.hpp"

#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "system/text.hpp"

namespace dumpext {
namespace {

/// A line that is too short for several pieces.
std::string whole(std::string_view line) {
    const std::vector<std::string> pieces = filter_dml(line, 6000);
    EXPECT_EQ(pieces.size(), 1U);
    return pieces.front();
}

class KnownMarkup : public testing::TestWithParam<const char*> {};

TEST_P(KnownMarkup, IsLetThrough) { EXPECT_EQ(whole(GetParam()), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, KnownMarkup,
    testing::Values(
        "plain", "", "a &lt; b &gt; c &amp; d &quot;", "<b>Chain</b>", "<col fg=\"errfg\">DUMP1001</col>", "<link cmd=\"~~[1a4]s\">thread 1</link>",
        "<link cmd=\"~~[1a4]k\">[whole stack]</link>", "<link cmd=\"dps 0x7ff012345678\">0x7ff012345678</link>",
        "<link cmd=\"!cs 0x7ff012345678\">critical section</link>", "<link cmd=\"!dumpext.lockchain 1a4\">[Proven]</link>",
        "<link cmd=\"!dumpext.verdict\">all</link>", "<link cmd=\"lmvm kernelbase\">kernelbase</link>!Sleep", "<col fg=\"subfg\">see <link cmd=\"~~[1]k\">x</link></col>"));

struct ForeignCase {
    const char* text;
    const char* expected;
};

class ForeignMarkup : public testing::TestWithParam<ForeignCase> {};

TEST_P(ForeignMarkup, BecomesText) { EXPECT_EQ(whole(GetParam().text), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    All, ForeignMarkup,
    testing::Values(
        ForeignCase{"<exec cmd=\".shell x\">y</exec>", "&lt;exec cmd=\".shell x\"&gt;y&lt;/exec&gt;"},
        ForeignCase{"<link cmd=\".shell calc\">y</link>", "&lt;link cmd=\".shell calc\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"~~[1]k;.shell calc\">y</link>", "&lt;link cmd=\"~~[1]k;.shell calc\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!dumpext.verdict;q\">y</link>", "&lt;link cmd=\"!dumpext.verdict;q\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!dumpext.dictloop poi(1)\">y</link>", "&lt;link cmd=\"!dumpext.dictloop poi(1)\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!dumpext.verdict -dac evil\">y</link>", "&lt;link cmd=\"!dumpext.verdict -dac evil\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!dumpext.lockchain 1a4 1a8\">y</link>", "&lt;link cmd=\"!dumpext.lockchain 1a4 1a8\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!other.thing\">y</link>", "&lt;link cmd=\"!other.thing\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"lmvm a.dll\">y</link>", "&lt;link cmd=\"lmvm a.dll\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"dps 0x12 L100\">y</link>", "&lt;link cmd=\"dps 0x12 L100\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!cs -l\">y</link>", "&lt;link cmd=\"!cs -l\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<link cmd=\"!cs 0x12 0x34\">y</link>", "&lt;link cmd=\"!cs 0x12 0x34\"&gt;y&lt;/link&gt;"},
        ForeignCase{"<col fg=\"#ff0000\">y</col>", "&lt;col fg=\"#ff0000\"&gt;y&lt;/col&gt;"},
        ForeignCase{"std::vector<int>", "std::vector&lt;int&gt;"}, ForeignCase{"a & b &nbsp;", "a &amp; b &amp;nbsp;"},
        // Tags that are not closed, closed twice, or closed in the wrong order.
        ForeignCase{"<b>open", "<b>open</b>"}, ForeignCase{"</b>x", "&lt;/b&gt;x"}, ForeignCase{"<b><col fg=\"errfg\">x</b></col>", "<b><col fg=\"errfg\">x&lt;/b&gt;</col></b>"},
        ForeignCase{"<link cmd=\"~~[1]k", "&lt;link cmd=\"~~[1]k"}));

/// What a debugger shows: markup without its tags.
std::string shown(std::string_view markup) { return std::regex_replace(std::string(markup), std::regex("<[^>]*>"), ""); }

/// A line in which tags, entities and long characters stand at every distance from the ends of pieces.
std::string long_line(int shift) {
    std::string line(static_cast<std::size_t>(shift), 'x');
    for (int i = 0; line.size() < 20'000; i++) {
        line += "<b>a&lt;<col fg=\"warnfg\">\xE4\xB8\xAD<link cmd=\"~~[1a4]k\">\xF0\x9F\x98\x80 " + std::to_string(i) + "&amp;</link></col></b>\xC3\xBC";
    }

    return line;
}

void expect_whole_markup(const std::string& piece, std::size_t longest) {
    EXPECT_LE(piece.size(), longest);
    EXPECT_TRUE(is_utf8(piece));
    // Markup that the filter leaves as it is has every tag known and closed.
    EXPECT_EQ(filter_dml(piece, 2 * longest), std::vector<std::string>{piece});
}

TEST(LongLine, IsCutIntoPiecesThatAreWholeMarkupAndShowTheSame) {
    for (int shift = 0; shift < 120; shift++) {
        const std::string line = long_line(shift);
        std::string together;
        const std::vector<std::string> pieces = filter_dml(line, 3000);
        ASSERT_GE(pieces.size(), 7U);
        for (const std::string& piece : pieces) {
            expect_whole_markup(piece, 3000);
            together += piece;
        }

        EXPECT_EQ(shown(together), shown(line));
    }
}

TEST(LongLine, LinkAroundAllOfItRunsFromEveryPiece) {
    const std::vector<std::string> pieces = filter_dml("<link cmd=\"~~[1a4]k\">" + std::string(10'000, 'x') + "</link>", 3000);
    ASSERT_EQ(pieces.size(), 4U);
    for (const std::string& piece : pieces) {
        EXPECT_TRUE(piece.starts_with("<link cmd=\"~~[1a4]k\">x")) << piece.substr(0, 40);
        EXPECT_TRUE(piece.ends_with("x</link>")) << piece.size();
    }
}

TEST(LongLine, NestingHasALimit) {
    std::string line;
    for (int i = 0; i < 5000; i++) {
        line += "<b>";
    }

    std::string together;
    for (const std::string& piece : filter_dml(line, 2000)) {
        EXPECT_LE(piece.size(), 2000U);
        together += piece;
    }

    EXPECT_EQ(shown(together).size(), (5000U - 8U) * std::string_view("&lt;b&gt;").size());
}

}
}
