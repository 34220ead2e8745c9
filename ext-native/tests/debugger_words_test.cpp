#include "commands/debugger_words.hpp"

#include <gtest/gtest.h>

using dumpext::in_debugger_words;

namespace {

TEST(DebuggerWords, TakeThePlaceOfTheEnginesOptions) {
    EXPECT_EQ(in_debugger_words("give the images with --images DIR"), "give the images with .exepath+ DIR");
    EXPECT_EQ(in_debugger_words("procdump -ma PID, and --symbols PATH with the PDB of a.dll"), "procdump -ma PID, and .sympath+ PATH with the PDB of a.dll");
    EXPECT_EQ(in_debugger_words("<b>install that runtime</b>, or give its directory with --dac DIR; --dac DIR"),
              "<b>install that runtime</b>, or give its directory with -dac DIR; -dac DIR");
}

TEST(DebuggerWords, TakeThePlaceOfTheEnginesCommands) {
    EXPECT_EQ(in_debugger_words("dumpanalyze dictloop FILE --heap; dumpanalyze dictloop FILE."), "!dictloop -heap; !dictloop.");
    EXPECT_EQ(in_debugger_words("see dumpanalyze dictloop FILE ADDRESS"), "see !dictloop ADDRESS");
    EXPECT_EQ(in_debugger_words("look with dumpanalyze threads FILE"), "look with ~*k");
}

TEST(DebuggerWords, LeaveEverythingElse) {
    for (const char* line : {"", "dumpanalyze", "--images", "dumpanalyze tasks FILE shows all"}) {
        EXPECT_EQ(in_debugger_words(line), line);
    }
}

}
