#include "dml_filter.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

class KnownMarkup : public testing::TestWithParam<const char*> {};

TEST_P(KnownMarkup, IsLetThrough) { EXPECT_EQ(filter_dml(GetParam()), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, KnownMarkup,
    testing::Values(
        "plain", "", "a &lt; b &gt; c &amp; d &quot;", "<b>Chain</b>", "<col fg=\"errfg\">DUMP1001</col>", "<link cmd=\"~~[1a4]s\">thread 1</link>",
        "<link cmd=\"~~[1a4]k\">[whole stack]</link>", "<link cmd=\"dps 0x7ff012345678\">0x7ff012345678</link>", "<link cmd=\"!dumpext.lockchain 1a4\">[Proven]</link>",
        "<link cmd=\"!dumpext.verdict\">all</link>", "<link cmd=\"lmvm kernelbase\">kernelbase</link>!Sleep", "<col fg=\"subfg\">see <link cmd=\"~~[1]k\">x</link></col>"));

struct ForeignCase {
    const char* text;
    const char* expected;
};

class ForeignMarkup : public testing::TestWithParam<ForeignCase> {};

TEST_P(ForeignMarkup, BecomesText) { EXPECT_EQ(filter_dml(GetParam().text), GetParam().expected); }

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
        ForeignCase{"<col fg=\"#ff0000\">y</col>", "&lt;col fg=\"#ff0000\"&gt;y&lt;/col&gt;"},
        ForeignCase{"std::vector<int>", "std::vector&lt;int&gt;"}, ForeignCase{"a & b &nbsp;", "a &amp; b &amp;nbsp;"},
        // Tags that are not closed, closed twice, or closed in the wrong order.
        ForeignCase{"<b>open", "<b>open</b>"}, ForeignCase{"</b>x", "&lt;/b&gt;x"}, ForeignCase{"<b><col fg=\"errfg\">x</b></col>", "<b><col fg=\"errfg\">x&lt;/b&gt;</col></b>"},
        ForeignCase{"<link cmd=\"~~[1]k", "&lt;link cmd=\"~~[1]k"}));

}
}
