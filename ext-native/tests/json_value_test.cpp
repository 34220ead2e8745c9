#include "json_value.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

TEST(Json, ValuesOfEveryKindAreRead) {
    const JsonValue value = parse_json(R"( {"a" : [1, -2.5, true, false, null, {}, []], "text": "x", "big": 18446744073709551615} )");
    const auto& values = std::get<JsonValue::Array>(value.member("a")->content);
    ASSERT_EQ(values.size(), 7U);
    EXPECT_EQ(std::get<std::int64_t>(values[0].content), 1);
    EXPECT_EQ(std::get<double>(values[1].content), -2.5);
    EXPECT_TRUE(std::get<bool>(values[2].content));
    EXPECT_FALSE(std::get<bool>(values[3].content));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(values[4].content));
    EXPECT_TRUE(std::get<JsonValue::Object>(values[5].content).empty());
    EXPECT_TRUE(std::get<JsonValue::Array>(values[6].content).empty());
    EXPECT_EQ(value.member("text")->text(), "x");
    EXPECT_EQ(std::get<double>(value.member("big")->content), 18446744073709551615.0);
    EXPECT_EQ(value.member("none"), nullptr);
    EXPECT_EQ(values[0].text(), "");
}

TEST(Json, EscapesBecomeWhatTheyStandFor) {
    EXPECT_EQ(parse_json(R"("a\"b\\c\/\n\t\u00fc\ud83d\ude00\u003c")").text(), "a\"b\\c/\n\t\xC3\xBC\xF0\x9F\x98\x80<");
    EXPECT_EQ(parse_json(R"("\ud83dx")").text(), "\xEF\xBF\xBDx");
}

class NoJson : public testing::TestWithParam<const char*> {};

TEST_P(NoJson, IsRefused) { EXPECT_THROW(parse_json(GetParam()), InvalidJson); }

INSTANTIATE_TEST_SUITE_P(
    All, NoJson,
    testing::Values(
        "", " ", "{", "[1", "[1,", "[1 2]", "[,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "\"open", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "tru", "nul", "1 2", "1.2.3", "-", "+-1", "}", "'a'"));

TEST(Json, NestingHasALimit) {
    EXPECT_NO_THROW(parse_json(std::string(60, '[') + std::string(60, ']')));
    EXPECT_THROW(parse_json(std::string(100, '[') + std::string(100, ']')), InvalidJson);
    EXPECT_THROW(parse_json(std::string(100000, '[')), InvalidJson);
}

}
}
