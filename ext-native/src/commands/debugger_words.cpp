#include "commands/debugger_words.hpp"

#include <array>
#include <cstddef>

namespace dumpext {

namespace {

struct Phrase {
    std::string_view engine;
    std::string_view debugger;
};

// Longer ones before those that they begin with.
constexpr std::array<Phrase, 7> phrases{{
    {"dumpanalyze dictloop FILE --heap", "!dictloop -heap"},
    {"dumpanalyze dictloop FILE ADDRESS", "!dictloop ADDRESS"},
    {"dumpanalyze dictloop FILE", "!dictloop"},
    {"dumpanalyze threads FILE", "~*k"},
    {"--images DIR", ".exepath+ DIR"},
    {"--symbols PATH", ".sympath+ PATH"},
    {"--dac DIR", "-dac DIR"},
}};

}

std::string in_debugger_words(std::string_view line) {
    std::string result(line);
    for (const Phrase& phrase : phrases) {
        for (std::size_t at = result.find(phrase.engine); at != std::string::npos; at = result.find(phrase.engine, at + phrase.debugger.size())) {
            result.replace(at, phrase.engine.size(), phrase.debugger);
        }
    }

    return result;
}

}
