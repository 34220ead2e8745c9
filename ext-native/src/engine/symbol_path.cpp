#include "engine/symbol_path.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dumpext {

namespace {

std::vector<std::u16string_view> split(std::u16string_view text, char16_t separator) {
    std::vector<std::u16string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }

    return parts;
}

std::u16string_view without_blanks(std::u16string_view text) {
    const std::size_t first = text.find_first_not_of(u" \t");
    return first == std::u16string_view::npos ? std::u16string_view{} : text.substr(first, text.find_last_not_of(u" \t") - first + 1);
}

/// @param name In lower case.
bool is_kind(std::u16string_view text, std::u16string_view name) {
    return std::ranges::equal(without_blanks(text), name, [](char16_t c, char16_t wanted) { return c == wanted || (c >= u'A' && c <= u'Z' && c - u'A' + u'a' == wanted); });
}

/// The index of the first part of an element that is a place; the number of its parts for an element of an unknown kind.
std::size_t first_place(const std::vector<std::u16string_view>& parts) {
    if (parts.size() == 1) {
        return 0;
    }

    return is_kind(parts[0], u"srv") || is_kind(parts[0], u"cache") ? 1 : is_kind(parts[0], u"symsrv") ? 2 : parts.size();
}

constexpr bool is_separator(char16_t c) { return c == u'\\' || c == u'/'; }

bool is_directory(std::u16string_view place) {
    const bool is_share = place.size() >= 2 && is_separator(place[0]) && is_separator(place[1]);
    return !place.empty() && !is_share && place.find(u"://") == std::u16string_view::npos;
}

}

std::u16string absolute_symbol_path(std::u16string_view path, const std::function<std::u16string(std::u16string_view)>& absolute) {
    std::u16string result;
    for (const std::u16string_view element : split(path, u';')) {
        const std::vector<std::u16string_view> parts = split(element, u'*');
        const std::size_t first = first_place(parts);
        for (std::size_t i = 0; i < parts.size(); i++) {
            const std::u16string_view part = without_blanks(parts[i]);
            result += i >= first && is_directory(part) ? absolute(part) : std::u16string(part);
            result += i + 1 < parts.size() ? u'*' : u';';
        }
    }

    result.pop_back();
    return result;
}

}
