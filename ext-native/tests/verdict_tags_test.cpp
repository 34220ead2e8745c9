#include "analysis/verdict_tags.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dumpext {
namespace {

std::vector<std::string> tags(std::string_view report) { return verdict_tags(parse_json(report)); }

TEST(VerdictTags, HeadingSentencesAndCulpritAreALineEach) {
    const std::vector<std::string> found = tags(R"({"undecidable": false, "verdicts": [
        {"id": "DUMP1002", "title": "Lock-cycle deadlock", "confidence": "Confirmed",
         "claims": [{"text": "Thread 1 (0xc4) waits.", "confidence": "Confirmed"}, {"text": "It waits.", "confidence": "Likely"}],
         "culprit": {"module": "a.dll", "callback": "DllMain", "thread": 196}, "chain": [{"text": "x"}]},
        {"id": "DUMP2001", "title": "Spinning owner", "confidence": "Likely", "claims": [], "culprit": null}]})");
    EXPECT_EQ(
        found,
        (std::vector<std::string>{
            "DUMP1002 Lock-cycle deadlock (Confirmed)\nThread 1 (0xc4) waits. [Confirmed]\nIt waits. [Likely]\nLook at: a.dll, DllMain, on thread 0xc4",
            "DUMP2001 Spinning owner (Likely)"}));
}

TEST(VerdictTags, WhatCannotBeDecidedSaysWhatIsMissingOnce) {
    constexpr const char* report = R"({"undecidable": true, "verdicts": [], "detectors": [
        {"id": "DUMP1001", "missing": [{"what": "stacks", "consequence": "waits are unknown"}]},
        {"id": "DUMP1002", "missing": [{"what": "stacks", "consequence": "waits are unknown"}, {"what": "times", "consequence": "loops are unknown"}]}]})";
    EXPECT_EQ(
        tags(report),
        (std::vector<std::string>{"DUMP9001 This dump cannot answer\nMissing: stacks: waits are unknown\nMissing: times: loops are unknown"}));
}

TEST(VerdictTags, NothingFoundHasNoTag) { EXPECT_TRUE(tags(R"({"undecidable": false, "verdicts": [], "detectors": []})").empty()); }

TEST(VerdictTags, OtherDocumentsHaveNoTagAndDoNoHarm) {
    EXPECT_TRUE(tags("[]").empty());
    EXPECT_TRUE(tags("1").empty());
    EXPECT_TRUE(tags(R"({"verdicts": {"a": 1}, "undecidable": "yes"})").empty());
    EXPECT_TRUE(tags(R"({"verdicts": [1, {"title": "x"}]})").empty());
    EXPECT_EQ(tags(R"({"verdicts": [{"id": "x", "claims": [2], "culprit": {"thread": -1}}]})"), (std::vector<std::string>{"x  ()\n []\nLook at: "}));
}

TEST(VerdictTags, ThereIsRoomForSome) {
    std::string report = R"({"verdicts": [{"id": "x"})";
    for (int i = 0; i < 1000; i++) {
        report += R"(,{"id": "x"})";
    }

    EXPECT_EQ(tags(report + "]}").size(), 32U);
}

}
}
