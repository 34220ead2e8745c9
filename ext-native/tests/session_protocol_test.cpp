#include "engine/session_protocol.hpp"

#include <gtest/gtest.h>

#include <vector>

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
    EXPECT_EQ(dumpext::encode_question(u"C:\\s", u"", {u"locks", u"\u00DC.dmp", u""}), "\x14\0\0\0C:\\s\0\0locks\0\xC3\x9C.dmp\0\0"sv);
    EXPECT_EQ(dumpext::encode_question(u"", u"d", {std::u16string(u"a\0b", 3)}), "\x06\0\0\0\0d\0ab\0"sv);
}

TEST(Bytes, AreTheirNumberAndThemselves) {
    EXPECT_EQ(dumpext::encode_bytes("a\0b"sv), "\x03\0\0\0a\0b"sv);
    EXPECT_EQ(dumpext::encode_bytes(""), "\0\0\0\0"sv);
}

constexpr std::string_view request = "\x04\x0C\0\0\0\xF0\xDE\xBC\x9A\x78\x56\x34\x92\x01\0\x10\0"sv;

void expect_request(const dumpext::ProcessRequest& handed_over, dumpext::ProcessRequest::Kind kind, std::uint32_t length) {
    EXPECT_EQ(handed_over.kind, kind);
    EXPECT_EQ(handed_over.position, 0x923456789ABCDEF0U);
    EXPECT_EQ(handed_over.length, length);
}

TEST(AnswerReader, HandsRequestsOver) {
    std::vector<dumpext::ProcessRequest> requests;
    AnswerReader reader([](std::string_view) {}, [](std::string_view) {}, [&](const dumpext::ProcessRequest& wanted) { requests.push_back(wanted); });
    std::string two(request);
    two.replace(0, 1, "\x06");
    two.replace(two.size() - 4, 4, "\0\0\x10\0"sv);
    const std::string all = std::string(request.substr(0, 13)).append("\x01\0\0\0"sv).append(two).append(whole);
    for (const char byte : all) {
        reader.append({&byte, 1});
    }

    ASSERT_EQ(requests.size(), 2U);
    expect_request(requests[0], dumpext::ProcessRequest::Kind::memory, 1);
    expect_request(requests[1], dumpext::ProcessRequest::Kind::description, dumpext::most_bytes);
    EXPECT_EQ(reader.exit_code(), 0x8000000AU);
}

TEST(AnswerReader, RefusesRequestsThatAreNone) {
    for (const std::string_view length : {"\0\0\0\0"sv, "\x01\0\x10\0"sv, "\xFF\xFF\xFF\xFF"sv}) {
        int count = 0;
        AnswerReader reader([](std::string_view) {}, [](std::string_view) {}, [&](const dumpext::ProcessRequest&) { count++; });
        reader.append(std::string(request.substr(0, 13)).append(length).append(request));
        EXPECT_TRUE(reader.is_broken());
        EXPECT_EQ(count, 0);
    }

    for (const std::string_view head : {"\x04\x0D\0\0\0"sv, "\x06\x0B\0\0\0"sv, "\x05\x0C\0\0\0"sv}) {
        AnswerReader reader([](std::string_view) {}, [](std::string_view) {}, [](const dumpext::ProcessRequest&) {});
        reader.append(head);
        EXPECT_TRUE(reader.is_broken());
    }
}

TEST(AnswerReader, HasNoRequestsWhereNoneMayCome) {
    for (const char kind : {'\x04', '\x06'}) {
        Answer answer;
        answer.reader.append(std::string(1, kind).append(request.substr(1)));
        EXPECT_TRUE(answer.reader.is_broken());
    }
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
