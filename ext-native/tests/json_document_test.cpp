#include "engine/json_document.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dumpext {
namespace {

std::string repeated(std::string_view text, int count) {
    std::string result;
    for (int i = 0; i < count; i++) {
        result += text;
    }

    return result;
}

std::string object_with(int members) {
    std::string text = "{\"m\":0";
    for (int i = 1; i < members; i++) {
        text += ",\"" + std::to_string(i) + "\":0";
    }

    return text + "}";
}

TEST(JsonDocument, MembersOfEveryKindAreFound) {
    const JsonValue value = parse_json(R"( {"b": [1, -2.5, true, null], "text": "x", "a": {}} )");
    EXPECT_EQ(member_array(value, "b").size(), 4U);
    EXPECT_EQ(member_text(value, "text"), "x");
    EXPECT_TRUE(find_member(value, "a")->is_object());
    EXPECT_EQ(value.begin().key(), "b") << "members keep their order";
}

TEST(JsonDocument, MembersThatAreMissingOrOfAnotherKindAreEmpty) {
    const JsonValue value = parse_json(R"({"number": 1, "text": "x"})");
    EXPECT_EQ(find_member(value, "none"), nullptr);
    EXPECT_EQ(member_text(value, "number"), "");
    EXPECT_TRUE(member_array(value, "text").empty());
    EXPECT_EQ(find_member(parse_json("[1]"), "text"), nullptr);
    EXPECT_EQ(member_text(parse_json("\"text\""), "text"), "");
}

TEST(JsonDocument, TextsHaveNoControlCharacters) {
    EXPECT_EQ(parse_json(R"(["a\u001b[2J\u202eb\u00fc\ud83d\ude00"])")[0].get<std::string>(), "a?[2J?b\xC3\xBC\xF0\x9F\x98\x80");
}

class NoJson : public testing::TestWithParam<const char*> {};

TEST_P(NoJson, IsRefused) { EXPECT_THROW(parse_json(GetParam()), InvalidJson); }

INSTANTIATE_TEST_SUITE_P(
    All, NoJson,
    testing::Values(
        "", " ", "{", "[1", "[1 2]", "{\"a\":}", "{a:1}", "{\"a\":1,}", "\"open", "\"\\x\"", "\"\\ud83dx\"", "\"\xFF\"", "nul", "1 2", "-", "1e999", "}", "a: no"));

TEST(JsonDocument, NestingHasALimit) {
    EXPECT_NO_THROW(parse_json(repeated("[", 64) + repeated("]", 64)));
    EXPECT_THROW(parse_json(repeated("[", 65) + repeated("]", 65)), InvalidJson);
    EXPECT_THROW(parse_json(repeated("[", 1'000'000)), InvalidJson);
    EXPECT_THROW(parse_json(repeated("{\"a\":", 1'000'000)), InvalidJson);
}

TEST(JsonDocument, SizesHaveLimits) {
    EXPECT_EQ(parse_json("[0" + repeated(",0", 999'998) + "]").size(), 999'999U);
    EXPECT_THROW(parse_json("[0" + repeated(",0", 999'999) + "]"), InvalidJson);
    EXPECT_THROW(parse_json("[\"" + std::string(std::size_t{32} * 1024 * 1024, 'x') + "\"]"), InvalidJson);
}

TEST(JsonDocument, MembersOfEachObjectHaveALimit) {
    EXPECT_NO_THROW(parse_json("[" + object_with(1000) + "," + object_with(1000) + "]"));
    EXPECT_THROW(parse_json("[" + object_with(1001) + "]"), InvalidJson);
}

}
}
