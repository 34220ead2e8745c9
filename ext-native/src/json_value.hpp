#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dumpext {

/// A text is no JSON, or nested deeper than 64 levels; what it says fits behind "the engine's answer is no JSON: ".
class InvalidJson : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct JsonMember;

/// A value of JSON (RFC 8259).
struct JsonValue {
    using Array = std::vector<JsonValue>;
    /// Members in the order of the text.
    using Object = std::vector<JsonMember>;

    /// Null, a truth value, a whole number that fits, any other number, text in UTF-8, or several values.
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> content;

    /// A member of an object; null when this is no object or has none of that name.
    const JsonValue* member(std::string_view name) const;

    /// A text; empty when this is none.
    std::string_view text() const;
};

/// A member of an object.
struct JsonMember {
    std::string name;
    JsonValue value;
};

/// Reads a whole text.
/// @throws InvalidJson
JsonValue parse_json(std::string_view text);

}
