#include "system/text.hpp"

#include <array>
#include <cstddef>

namespace dumpext {

namespace {

constexpr char32_t replacement = 0xFFFD;

struct Decoded {
    char32_t code;
    std::size_t length;
};

/// The first character of a text that is not empty. Overlong forms, surrogates and codes beyond U+10FFFF are no UTF-8 (RFC 3629).
Decoded decode(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first < 0x80) {
        return {first, 1};
    }

    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || first > 0xF4 || text.size() < length) {
        return {replacement, 1};
    }

    auto code = static_cast<char32_t>(first & (0xFFU >> (length + 1)));
    for (std::size_t i = 1; i < length; i++) {
        if (!is_continuation(text[i])) {
            return {replacement, 1};
        }

        code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }

    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool is_valid = code >= smallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return is_valid ? Decoded{code, length} : Decoded{replacement, 1};
}

void append_utf16(std::u16string& text, char32_t code) {
    if (code >= 0x10000) {
        text += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
        text += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF));
    } else {
        text += static_cast<char16_t>(code);
    }
}

void append_utf8(std::string& text, char32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }

    const int trailing = code >= 0x10000 ? 3 : code >= 0x800 ? 2 : 1;
    constexpr std::array<unsigned, 4> lead{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(lead[static_cast<std::size_t>(trailing)] | (code >> (6 * trailing)));
    for (int i = trailing - 1; i >= 0; i--) {
        text += static_cast<char>(0x80U | ((code >> (6 * i)) & 0x3FU));
    }
}

constexpr bool is_control(char32_t code) {
    const bool is_direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) || is_direction;
}

}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const Decoded next = decode(text);
        if (next.code == replacement && next.length == 1) {
            return false;
        }

        text.remove_prefix(next.length);
    }

    return true;
}

std::u16string to_utf16(std::string_view text) {
    std::u16string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Decoded next = decode(text);
        append_utf16(result, next.code);
        text.remove_prefix(next.length);
    }

    return result;
}

std::string to_utf8(std::u16string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); i++) {
        const char16_t unit = text[i];
        if (unit < 0xD800 || unit > 0xDFFF) {
            append_utf8(result, unit);
        } else if (unit <= 0xDBFF && i + 1 < text.size() && text[i + 1] >= 0xDC00 && text[i + 1] <= 0xDFFF) {
            append_utf8(result, 0x10000 + ((static_cast<char32_t>(unit) - 0xD800) << 10) + (static_cast<char32_t>(text[i + 1]) - 0xDC00));
            i++;
        } else {
            append_utf8(result, replacement);
        }
    }

    return result;
}

std::string without_controls(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Decoded next = decode(text);
        append_utf8(result, is_control(next.code) ? U'?' : next.code);
        text.remove_prefix(next.length);
    }

    return result;
}

std::size_t whole_characters(std::string_view text, std::size_t most) {
    constexpr std::size_t longest_character = 4;
    if (text.size() <= most) {
        return text.size();
    }

    std::size_t end = most;
    while (end > 0 && most - end < longest_character && is_continuation(text[end])) {
        end--;
    }

    // What has so many continuations is no UTF-8, and may be cut anywhere.
    return end == 0 || is_continuation(text[end]) ? most : end;
}

std::string hexadecimal(std::uint64_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (; value != 0 || text.empty(); value >>= 4) {
        text.insert(text.begin(), digits[value & 0xF]);
    }

    return "0x" + text;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blank);
    return first == std::string_view::npos ? std::string_view{} : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

}
