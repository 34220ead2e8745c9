#include "json_value.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "text.hpp"

namespace dumpext {

namespace {

constexpr int deepest = 64;

/// Reads one text from its start to its end.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    JsonValue read_whole() {
        JsonValue value = read_value(0);
        skip_blanks();
        if (!rest_.empty()) {
            throw InvalidJson("something follows the value");
        }

        return value;
    }

private:
    // NOLINTNEXTLINE(misc-no-recursion): not deeper than the limit
    JsonValue read_value(int depth) {
        skip_blanks();
        if (rest_.empty() || depth > deepest) {
            throw InvalidJson(rest_.empty() ? "the text ends early" : "nested too deep");
        }

        switch (rest_[0]) {
        case '{':
            return {read_object(depth)};
        case '[':
            return {read_array(depth)};
        case '"':
            return {read_text()};
        case 't':
            return read_word("true", {true});
        case 'f':
            return read_word("false", {false});
        case 'n':
            return read_word("null", {});
        default:
            return read_number();
        }
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    JsonValue::Object read_object(int depth) {
        JsonValue::Object members;
        rest_.remove_prefix(1);
        for (bool more = !take('}'); more; more = !take_separator('}')) {
            skip_blanks();
            std::string name = read_text();
            if (!take(':')) {
                throw InvalidJson("a member without a colon");
            }

            members.push_back({std::move(name), read_value(depth + 1)});
        }

        return members;
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    JsonValue::Array read_array(int depth) {
        JsonValue::Array values;
        rest_.remove_prefix(1);
        for (bool more = !take(']'); more; more = !take_separator(']')) {
            values.push_back(read_value(depth + 1));
        }

        return values;
    }

    /// True for the end, false for a comma.
    bool take_separator(char end) {
        const bool is_end = take(end);
        if (!is_end && !take(',')) {
            throw InvalidJson("neither a comma nor the end");
        }

        return is_end;
    }

    bool take(char expected) {
        skip_blanks();
        const bool is_there = rest_.starts_with(expected);
        rest_.remove_prefix(is_there ? 1 : 0);
        return is_there;
    }

    JsonValue read_word(std::string_view word, JsonValue value) {
        if (!rest_.starts_with(word)) {
            throw InvalidJson("an unknown word");
        }

        rest_.remove_prefix(word.size());
        return value;
    }

    JsonValue read_number() {
        const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE"));
        const char* end = digits.data() + digits.size();
        rest_.remove_prefix(digits.size());
        std::int64_t whole = 0;
        if (const auto [last, error] = std::from_chars(digits.data(), end, whole); error == std::errc{} && last == end) {
            return {whole};
        }

        double number = 0;
        if (const auto [last, error] = std::from_chars(digits.data(), end, number); error != std::errc{} || last != end) {
            throw InvalidJson("a number that is none");
        }

        return {number};
    }

    std::string read_text() {
        if (!rest_.starts_with('"')) {
            throw InvalidJson("a text without a quotation mark");
        }

        rest_.remove_prefix(1);
        std::string text;
        for (std::size_t end = rest_.find_first_of("\"\\"); end != std::string_view::npos; end = rest_.find_first_of("\"\\")) {
            text += rest_.substr(0, end);
            const bool is_end = rest_[end] == '"';
            rest_.remove_prefix(end + 1);
            if (is_end) {
                return text;
            }

            text += read_escape();
        }

        throw InvalidJson("a text without an end");
    }

    /// What stands behind a backslash. Halves of surrogate pairs come as two escapes.
    std::string read_escape() {
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::size_t place = rest_.empty() ? std::string_view::npos : names.find(rest_[0]);
        if (place != std::string_view::npos) {
            rest_.remove_prefix(1);
            return {meanings[place]};
        }

        std::u16string units(1, read_unit());
        const bool is_first_half = units[0] >= 0xD800 && units[0] <= 0xDBFF;
        if (is_first_half && rest_.starts_with("\\u")) {
            rest_.remove_prefix(1);
            units += read_unit();
        }

        return to_utf8(units);
    }

    char16_t read_unit() {
        constexpr std::size_t digits = 4;
        std::uint16_t unit = 0;
        if (!rest_.starts_with('u') || rest_.size() <= digits || std::from_chars(rest_.data() + 1, rest_.data() + 1 + digits, unit, 16).ptr != rest_.data() + 1 + digits) {
            throw InvalidJson("an unknown escape");
        }

        rest_.remove_prefix(1 + digits);
        return unit;
    }

    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

    std::string_view rest_;
};

}

const JsonValue* JsonValue::member(std::string_view name) const {
    const auto* members = std::get_if<Object>(&content);
    if (members != nullptr) {
        for (const auto& [key, value] : *members) {
            if (key == name) {
                return &value;
            }
        }
    }

    return nullptr;
}

std::string_view JsonValue::text() const {
    const auto* text = std::get_if<std::string>(&content);
    return text == nullptr ? std::string_view{} : std::string_view(*text);
}

JsonValue parse_json(std::string_view text) { return Reader(text).read_whole(); }

}
