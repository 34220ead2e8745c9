#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace dumpext {

/// A value of JSON; an object's members keep their order.
using JsonValue = nlohmann::ordered_json;

/// A text is no JSON, or larger than anything that the engine writes; what it says fits behind "the engine's answer is not usable: ".
class InvalidJson : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads a whole text in UTF-8: at most 32 MiB, 64 levels, a million values, 1000 members in an object. Control characters in texts become question marks.
/// @throws InvalidJson
JsonValue parse_json(std::string_view text);

/// A member of an object; null when this is no object or has none of that name.
const JsonValue* find_member(const JsonValue& value, std::string_view name);

/// A member that is a text; empty when there is none.
std::string member_text(const JsonValue& value, std::string_view name);

/// A member that is an array; an empty one when there is none.
const JsonValue& member_array(const JsonValue& value, std::string_view name);

}
