#include "system/text.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

TEST(Text, Utf8AndUtf16AreTheSameText) {
    const std::string utf8 = "a\xC3\xBC\xE4\xB8\xAD\xF0\x9F\x98\x80";
    EXPECT_EQ(to_utf16(utf8), u"a\u00FC\u4E2D\U0001F600");
    EXPECT_EQ(to_utf8(u"a\u00FC\u4E2D\U0001F600"), utf8);
}

TEST(Text, BytesThatAreNoUtf8AreReplacedOneByOne) {
    for (const char* bytes : {"\x80", "\xC0\x80", "\xC3", "\xE4\xB8", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE0\x80\x80"}) {
        const std::u16string result = to_utf16(bytes);
        EXPECT_EQ(result, std::u16string(std::string_view(bytes).size(), u'\uFFFD')) << bytes;
    }
}

TEST(Text, BytesOfAnAnsiCodePageAreNoUtf8) {
    for (const char* text : {"", "plain", "\xC3\xBC", "\xEF\xBF\xBD", "a\xF0\x9F\x98\x80z"}) {
        EXPECT_TRUE(is_utf8(text)) << text;
    }

    // "\u00FC" in code page 1252, alone and before a letter; a kanji in code page 932; half a character.
    for (const char* text : {"\xFC", "M\xFCller", "\x8A\xBF", "a\xC3", "\xED\xA0\x80"}) {
        EXPECT_FALSE(is_utf8(text)) << text;
    }
}

TEST(Text, LoneSurrogatesAreReplaced) {
    const std::u16string lone{0xD83D, u'x', 0xDE00};
    EXPECT_EQ(to_utf8(lone), "\xEF\xBF\xBDx\xEF\xBF\xBD");
}

TEST(Text, ControlsAndMarksOfDirectionBecomeQuestionMarks) {
    EXPECT_EQ(without_controls("a\tb\nc\x1b\x7f"), "a\tb\nc??");
    // NOLINTNEXTLINE(misc-misleading-bidirectional): on purpose
    EXPECT_EQ(without_controls("\xE2\x80\xAE" "x\xC2\x85"), "?x?");
}

TEST(Text, CutsLeaveCharactersWhole) {
    EXPECT_EQ(whole_characters("abc", 3), 3U);
    EXPECT_EQ(whole_characters("abcd", 3), 3U);
    EXPECT_EQ(whole_characters("a\xC3\xBC" "b", 2), 1U);
    EXPECT_EQ(whole_characters("a\xC3\xBC" "b", 3), 3U);
    EXPECT_EQ(whole_characters("\xF0\x9F\x98\x80\xF0\x9F\x98\x80", 7), 4U);
    EXPECT_EQ(whole_characters("\x80\x80\x80\x80\x80\x80", 5), 5U);
    EXPECT_EQ(whole_characters("\xC3\xBC", 1), 1U);
}

TEST(Text, TrimmedHasNoBlanksAtItsEnds) {
    EXPECT_EQ(trimmed(" \t a b \r\n"), "a b");
    EXPECT_EQ(trimmed("  "), "");
}

}
}
