#include "engine/symbol_path.hpp"

#include <gtest/gtest.h>

namespace dumpext {
namespace {

struct PathCase {
    const char16_t* path;
    const char16_t* expected;
};

class SymbolPath : public testing::TestWithParam<PathCase> {};

TEST_P(SymbolPath, HasItsDirectoriesInFull) {
    EXPECT_EQ(absolute_symbol_path(GetParam().path, [](std::u16string_view place) { return u"<" + std::u16string(place) + u">"; }), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, SymbolPath,
    testing::Values(
        PathCase{u"", u""}, PathCase{u"pdb", u"<pdb>"}, PathCase{u"a; b c ;", u"<a>;<b c>;"}, PathCase{u"..\\pdb;C:\\pdb", u"<..\\pdb>;<C:\\pdb>"},
        PathCase{u"srv*", u"srv*"}, PathCase{u"SRV*cache*https://symbols.example/s", u"SRV*<cache>*https://symbols.example/s"},
        PathCase{u"srv**\\\\server\\share", u"srv**\\\\server\\share"}, PathCase{u"cache*a;cache*", u"cache*<a>;cache*"},
        // The library of a symbol server is a name, not a place.
        PathCase{u"symsrv*symsrv.dll*cache*http://x", u"symsrv*symsrv.dll*<cache>*http://x"}, PathCase{u"other*thing*x;b", u"other*thing*x;<b>"},
        PathCase{u"//server/share;\\\\.\\pipe", u"//server/share;\\\\.\\pipe"}, PathCase{u";;a", u";;<a>"}));

}
}
