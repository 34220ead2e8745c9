#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dumpext {

/// UTF-8 to UTF-16. Bytes that are no UTF-8 become U+FFFD, one for each.
std::u16string to_utf16(std::string_view text);

/// UTF-16 to UTF-8. Surrogates without a partner become U+FFFD.
std::string to_utf8(std::u16string_view text);

/// Control characters, except line feeds and tabs, become question marks; so do the marks that turn the direction of writing.
std::string without_controls(std::string_view text);

/// How much of a text in UTF-8 makes at most that many bytes without cutting a character; more than none of any text that is not empty.
std::size_t whole_characters(std::string_view text, std::size_t most);

/// White space off both ends.
std::string_view trimmed(std::string_view text);

}
