#include "engine/engine_output.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dumpext {
namespace {

struct Collected {
    std::vector<std::string> lines;
    EngineOutput output;

    explicit Collected(std::size_t most_bytes = 1'000'000) : output([this](std::string_view line) { lines.emplace_back(line); }, most_bytes) {}
};

TEST(EngineOutput, LinesAreWholeHoweverTheBytesArrive) {
    Collected collected;
    for (const char byte : std::string("first\r\nsecond \xC3\xBC\n\nlast")) {
        collected.output.append({&byte, 1});
    }

    EXPECT_EQ(collected.lines, (std::vector<std::string>{"first", "second \xC3\xBC", ""}));
    collected.output.finish();
    EXPECT_EQ(collected.lines.back(), "last");
    EXPECT_FALSE(collected.output.is_cut());
}

TEST(EngineOutput, ControlCharactersAndBrokenTextBecomeHarmless) {
    Collected collected;
    collected.output.append("a\x1b[31mb\xFF\x07\n");
    EXPECT_EQ(collected.lines, (std::vector<std::string>{"a?[31mb\xEF\xBF\xBD?"}));
}

TEST(EngineOutput, TooMuchIsCutAndSaidSo) {
    Collected collected(10);
    collected.output.append("12345\n789012345\n");
    collected.output.append("more\n");
    collected.output.finish();
    EXPECT_TRUE(collected.output.is_cut());
    EXPECT_EQ(collected.lines, (std::vector<std::string>{"12345", "7890"}));
}

TEST(EngineOutput, AnEndlessLineIsCutIntoPieces) {
    Collected collected;
    collected.output.append(std::string(150'000, 'x'));
    collected.output.finish();
    ASSERT_EQ(collected.lines.size(), 3U);
    EXPECT_EQ(collected.lines[0].size(), 65536U);
    EXPECT_EQ(collected.lines[2].size(), 150'000U - 2U * 65536U);
}

}
}
