#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dumpext {

/// Gathers from the lines of the engine's text report what a list of tags has room for: each verdict's heading with the sentences below it.
class VerdictLines {
public:
    /// Takes the next line.
    void add(std::string_view line);

    /// The verdicts in their order: heading and sentences, a line each. "Cannot decide" counts as one.
    const std::vector<std::string>& verdicts() const { return verdicts_; }

private:
    std::vector<std::string> verdicts_;
    bool is_in_sentences_ = false;
};

}
