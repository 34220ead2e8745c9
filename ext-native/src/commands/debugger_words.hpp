#pragma once

#include <string>
#include <string_view>

namespace dumpext {

/// A line of the engine with what it advises to type in the words of a debugger: ".exepath+ DIR" for its option "--images DIR", and so on.
std::string in_debugger_words(std::string_view line);

}
