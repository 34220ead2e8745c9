#include "engine/json_document.hpp"

#include <array>
#include <cstddef>

#include <nlohmann/json.hpp>

#include "system/text.hpp"

namespace dumpext {

namespace {

constexpr std::size_t longest = std::size_t{32} * 1024 * 1024;
constexpr int deepest = 64;
constexpr std::size_t most_values = 1'000'000;
// Members are looked up one after the other.
constexpr std::size_t most_members = 1000;

/// Counts while a text is read, and ends the reading by an exception: a value that is only refused would still be walked.
class Limits {
public:
    bool operator()(int depth, JsonValue::parse_event_t event, JsonValue& value) {
        switch (event) {
        case JsonValue::parse_event_t::object_start:
        case JsonValue::parse_event_t::array_start:
            require(depth < deepest, "nested too deep");
            members_[static_cast<std::size_t>(depth)] = 0;
            count_value();
            break;
        case JsonValue::parse_event_t::key:
            // What belongs to an object is one level below it.
            require(++members_[static_cast<std::size_t>(depth) - 1] <= most_members, "an object with too many members");
            break;
        case JsonValue::parse_event_t::value:
            count_value();
            if (value.is_string()) {
                value = without_controls(value.get_ref<const std::string&>());
            }

            break;
        default:
            break;
        }

        return true;
    }

private:
    static void require(bool is_within, const char* otherwise) {
        if (!is_within) {
            throw InvalidJson(otherwise);
        }
    }

    void count_value() { require(++values_ <= most_values, "too many values"); }

    std::size_t values_ = 0;
    std::array<std::size_t, deepest> members_{};
};

}

JsonValue parse_json(std::string_view text) {
    if (text.size() > longest) {
        throw InvalidJson("longer than 32 MiB");
    }

    // The reader copies the function that it is given.
    Limits limits;
    JsonValue value = JsonValue::parse(
        text, [&limits](int depth, JsonValue::parse_event_t event, JsonValue& parsed) { return limits(depth, event, parsed); }, /* allow_exceptions: */ false);
    if (value.is_discarded()) {
        throw InvalidJson("no JSON");
    }

    return value;
}

const JsonValue* find_member(const JsonValue& value, std::string_view name) {
    const auto found = value.find(name);
    return value.is_object() && found != value.end() ? &*found : nullptr;
}

std::string member_text(const JsonValue& value, std::string_view name) {
    const JsonValue* member = find_member(value, name);
    return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

const JsonValue& member_array(const JsonValue& value, std::string_view name) {
    static const JsonValue none = JsonValue::array();
    const JsonValue* member = find_member(value, name);
    return member != nullptr && member->is_array() ? *member : none;
}

}
