#include "verdict_lines.hpp"

#include <algorithm>

namespace dumpext {

namespace {

constexpr std::string_view id_start = "DUMP";
constexpr std::size_t id_length = 8;
constexpr std::size_t most_verdicts = 32;
constexpr std::string_view sentence_indent = "  ";

bool is_heading(std::string_view line) {
    return line.size() > id_length && line.starts_with(id_start) && line[id_length] == ' ' &&
           std::all_of(line.begin() + id_start.size(), line.begin() + id_length, [](char c) { return c >= '0' && c <= '9'; });
}

/// Sentences are indented by two and end with how sure they are, or name the culprit; "Chain" and what follows is not.
bool is_sentence(std::string_view line) {
    const bool is_indented = line.starts_with(sentence_indent) && line.size() > sentence_indent.size() && line[sentence_indent.size()] != ' ';
    return is_indented && (line.ends_with(']') || line.starts_with("  Look at: "));
}

}

void VerdictLines::add(std::string_view line) {
    if (is_heading(line) && verdicts_.size() < most_verdicts) {
        verdicts_.emplace_back(line);
        is_in_sentences_ = true;
    } else if (is_in_sentences_ && is_sentence(line)) {
        verdicts_.back().append("\n").append(line.substr(sentence_indent.size()));
    } else {
        is_in_sentences_ = false;
    }
}

}
