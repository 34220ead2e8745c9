#include "engine/session_protocol.hpp"

#include <gtest/gtest.h>

using dumpext::AnswerReader;

namespace {

using namespace std::string_view_literals;

struct Answer {
    std::string output;
    std::string errors;
    AnswerReader reader{[this](std::string_view bytes) { output += bytes; }, [this](std::string_view bytes) { errors += bytes; }};
};

constexpr std::string_view whole = "\x01\x03\0\0\0one"
                                   "\x02\x04\0\0\0oops"
                                   "\x01\0\0\0\0"
                                   "\x01\x01\0\0\0!"
                                   "\x03\x04\0\0\0\x0A\0\0\x80"sv;

/// Hands the whole answer over in pieces of a size; before the last it has no exit code.
void append_in_pieces(AnswerReader& reader, std::size_t size) {
    for (std::size_t start = 0; start < whole.size(); start += size) {
        EXPECT_FALSE(reader.exit_code().has_value());
        reader.append(whole.substr(start, size));
    }
}

void expect_whole(const Answer& answer) {
    EXPECT_EQ(answer.output, "one!");
    EXPECT_EQ(answer.errors, "oops");
    EXPECT_EQ(answer.reader.exit_code(), 0x8000000AU);
    EXPECT_FALSE(answer.reader.is_broken());
    EXPECT_FALSE(answer.reader.is_empty());
}

TEST(Question, IsItsLengthAndTextsThatEndWithZeros) {
    EXPECT_EQ(dumpext::encode_question(u"C:\\s", {u"locks", u"\u00DC.dmp", u""}), "\x13\0\0\0C:\\s\0locks\0\xC3\x9C.dmp\0\0"sv);
    EXPECT_EQ(dumpext::encode_question(u"", {std::u16string(u"a\0b", 3)}), "\x04\0\0\0\0ab\0"sv);
}

TEST(AnswerReader, TakesWhatBelongsTogetherHoweverItIsCut) {
    for (std::size_t cut = 1; cut <= whole.size(); cut++) {
        Answer answer;
        EXPECT_TRUE(answer.reader.is_empty());
        append_in_pieces(answer.reader, cut);
        expect_whole(answer);
    }
}

TEST(AnswerReader, DropsWhatFollowsTheEnd) {
    Answer answer;
    answer.reader.append(std::string(whole).append("\x01\x01\0\0\0?"sv));
    EXPECT_EQ(answer.output, "one!");
}

TEST(AnswerReader, RefusesWhatIsNoAnswer) {
    for (const std::string_view bytes : {"Unhandled exception"sv, "\x04\0\0\0\0"sv, "\x01\x01\0\x10\0"sv, "\x03\x03\0\0\0abc"sv, "\0\0\0\0\0"sv}) {
        Answer answer;
        answer.reader.append(bytes);
        EXPECT_TRUE(answer.reader.is_broken());
        answer.reader.append(whole);
        EXPECT_EQ(answer.output, "");
        EXPECT_FALSE(answer.reader.exit_code().has_value());
    }
}

}
