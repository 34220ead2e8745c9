#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dumpext {

/// True for a byte that goes on with a character of UTF-8 rather than beginning one.
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// True when every byte belongs to a character of UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// UTF-8 to UTF-16. Bytes that are no UTF-8 become U+FFFD, one for each.
std::u16string to_utf16(std::string_view text);

/// UTF-16 to UTF-8. Surrogates without a partner become U+FFFD.
std::string to_utf8(std::u16string_view text);

/// Control characters, except line feeds and tabs, become question marks; so do the marks that turn the direction of writing.
std::string without_controls(std::string_view text);

/// How much of a text in UTF-8 makes at most that many bytes without cutting a character; more than none of any text that is not empty.
std::size_t whole_characters(std::string_view text, std::size_t most);

/// A number as C writes it: "0x1a4".
std::string hexadecimal(std::uint64_t value);

/// White space off both ends.
std::string_view trimmed(std::string_view text);

}
