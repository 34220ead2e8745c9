#include "analysis/verdict_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/contract.hpp"
#include "system/text.hpp"

namespace dumpext {

namespace {

constexpr std::size_t most_verdicts = 32;
constexpr std::size_t most_missing = 32;

/// Module and callback of the culprit, and its thread as debuggers write it; empty without one.
std::string where_to_look(const JsonValue& verdict) {
    const JsonValue* culprit = find_member(verdict, "culprit");
    if (culprit == nullptr || !culprit->is_object()) {
        return {};
    }

    std::string line = "\nLook at: " + member_text(*culprit, "module");
    if (const std::string callback = member_text(*culprit, "callback"); !callback.empty()) {
        line += ", " + callback;
    }

    const JsonValue* thread = find_member(*culprit, "thread");
    return thread != nullptr && thread->is_number_unsigned() ? line + ", on thread " + hexadecimal(thread->get<std::uint64_t>()) : line;
}

std::string verdict_tag(const JsonValue& verdict) {
    std::string tag = member_text(verdict, "id") + " " + member_text(verdict, "title") + " (" + member_text(verdict, "confidence") + ")";
    for (const JsonValue& claim : member_array(verdict, "claims")) {
        tag += "\n" + member_text(claim, "text") + " [" + member_text(claim, "confidence") + "]";
    }

    return tag + where_to_look(verdict);
}

/// What the detectors lack, each once.
std::string missing_tag(const JsonValue& report) {
    std::string tag(contract::undecidable_heading);
    std::set<std::string> lines;
    for (const JsonValue& detector : member_array(report, "detectors")) {
        for (const JsonValue& missing : member_array(detector, "missing")) {
            std::string line = "\nMissing: " + member_text(missing, "what") + ": " + member_text(missing, "consequence");
            if (lines.size() < most_missing && lines.insert(line).second) {
                tag += line;
            }
        }
    }

    return tag;
}

}

std::vector<std::string> verdict_tags(const JsonValue& report) {
    std::vector<std::string> tags;
    for (const JsonValue& verdict : member_array(report, "verdicts")) {
        if (tags.size() < most_verdicts && !member_text(verdict, "id").empty()) {
            tags.push_back(verdict_tag(verdict));
        }
    }

    const JsonValue* undecidable = find_member(report, "undecidable");
    if (tags.empty() && undecidable != nullptr && undecidable->is_boolean() && undecidable->get<bool>()) {
        tags.push_back(missing_tag(report));
    }

    return tags;
}

}
