#include "markup/dml_filter.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "system/text.hpp"

namespace dumpext {

namespace {

constexpr std::array<std::string_view, 4> entities{"&lt;", "&gt;", "&amp;", "&quot;"};
constexpr std::array<std::string_view, 4> colours{"emphfg", "warnfg", "errfg", "subfg"};
constexpr std::string_view link_start = "<link cmd=\"";
constexpr std::string_view colour_start = "<col fg=\"";
constexpr std::string_view attribute_end = "\">";
// No step adds more to a piece: a link with the longest command, that of a module.
constexpr std::size_t longest_step = 100;
// Room for what is open in a piece, and for more than that.
constexpr std::size_t shortest_limit = 2000;

constexpr bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_number(std::string_view text) { return !text.empty() && text.size() <= 18 && std::all_of(text.begin(), text.end(), is_hexadecimal); }

/// The text without what it must begin with, or nothing.
std::optional<std::string_view> after(std::string_view text, std::string_view start) {
    return text.starts_with(start) ? std::optional{text.substr(start.size())} : std::nullopt;
}

/// "~~[1a4]k" and "~~[1a4]s".
bool is_thread_command(std::string_view command) {
    const auto rest = after(command, "~~[");
    const std::size_t end = rest ? rest->find(']') : std::string_view::npos;
    return end != std::string_view::npos && is_number(rest->substr(0, end)) && (rest->substr(end) == "]k" || rest->substr(end) == "]s");
}

/// "!dumpext.lockchain 1a4" and the like: letters, then at most one number. No options: some of them name directories with code.
bool is_own_command(std::string_view command) {
    const auto rest = after(command, "!dumpext.");
    if (!rest) {
        return false;
    }

    const std::size_t space = rest->find(' ');
    const std::string_view name = rest->substr(0, space);
    return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; }) &&
           (space == std::string_view::npos || is_number(rest->substr(space + 1)));
}

/// "dps 0x7ff012345678", and "!cs 0x7ff012345678" for a critical section.
bool is_address_command(std::string_view command) {
    const auto memory = after(command, "dps 0x");
    const auto number = memory ? memory : after(command, "!cs 0x");
    return number && is_number(*number);
}

/// "lmvm kernelbase": the name of a module as debuggers write it.
bool is_module_command(std::string_view command) {
    const auto name = after(command, "lmvm ");
    return name && !name->empty() && name->size() <= 64 && std::all_of(name->begin(), name->end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// A tag at the start of a text: its length, and the name that closes it when it opens something.
struct Tag {
    std::size_t length;
    std::string_view name;
    bool opens;
};

std::optional<Tag> attribute_tag(std::string_view text, std::string_view start, std::string_view name, bool (*is_allowed)(std::string_view)) {
    const auto rest = after(text, start);
    const std::size_t end = rest ? rest->find(attribute_end) : std::string_view::npos;
    return end != std::string_view::npos && is_allowed(rest->substr(0, end)) ? std::optional{Tag{start.size() + end + attribute_end.size(), name, true}} : std::nullopt;
}

std::optional<Tag> read_tag(std::string_view text) {
    for (const std::string_view name : {"link", "col", "b"}) {
        if (text.starts_with("</") && text.substr(2).starts_with(name) && text.substr(2 + name.size()).starts_with('>')) {
            return Tag{name.size() + 3, name, false};
        }
    }

    if (text.starts_with("<b>")) {
        return Tag{3, "b", true};
    }

    if (const auto link = attribute_tag(text, link_start, "link", is_reading_command)) {
        return link;
    }

    return attribute_tag(text, colour_start, "col", [](std::string_view colour) { return std::find(colours.begin(), colours.end(), colour) != colours.end(); });
}

/// Writes a line's markup so that every tag is known and closed, in pieces.
class Filter {
public:
    explicit Filter(std::size_t longest_piece) : longest_(longest_piece) {}

    std::vector<std::string> run(std::string_view line) {
        while (!line.empty()) {
            if (piece_.size() + longest_step + closing_size() > longest_ && !is_continuation(line[0])) {
                next_piece();
            }

            line.remove_prefix(line[0] == '<' ? take_tag(line) : line[0] == '&' ? take_entity(line) : take_character(line));
        }

        end_piece();
        return std::move(pieces_);
    }

private:
    /// A tag that is open: its text, with which it is opened again, and the name that closes it.
    struct OpenTag {
        std::string_view text;
        std::string_view name;
    };

    std::size_t take_tag(std::string_view line) {
        const auto tag = read_tag(line);
        if (tag && tag->opens && open_.size() < most_open) {
            open_.push_back({line.substr(0, tag->length), tag->name});
            piece_ += open_.back().text;
            return tag->length;
        }

        if (tag && !tag->opens && !open_.empty() && open_.back().name == tag->name) {
            piece_ += closing(open_.back().name);
            open_.pop_back();
            return tag->length;
        }

        piece_ += "&lt;";
        return 1;
    }

    std::size_t take_entity(std::string_view line) {
        for (const std::string_view entity : entities) {
            if (line.starts_with(entity)) {
                piece_ += entity;
                return entity.size();
            }
        }

        piece_ += "&amp;";
        return 1;
    }

    std::size_t take_character(std::string_view line) {
        piece_ += line[0] == '>' ? std::string_view{"&gt;"} : line.substr(0, 1);
        return 1;
    }

    static std::string closing(std::string_view name) { return "</" + std::string(name) + ">"; }

    std::size_t closing_size() const {
        return std::transform_reduce(open_.begin(), open_.end(), std::size_t{0}, std::plus<>(), [](const OpenTag& tag) { return closing(tag.name).size(); });
    }

    /// Closes what is open, for this piece.
    void end_piece() {
        std::for_each(open_.rbegin(), open_.rend(), [this](const OpenTag& tag) { piece_ += closing(tag.name); });
        pieces_.push_back(std::exchange(piece_, {}));
    }

    void next_piece() {
        end_piece();
        for (const OpenTag& tag : open_) {
            piece_ += tag.text;
        }
    }

    // The engine nests three deep. What is open is written again in every piece, so that it must stay much shorter than one.
    static constexpr std::size_t most_open = 8;

    std::size_t longest_;
    std::string piece_;
    std::vector<std::string> pieces_;
    std::vector<OpenTag> open_;
};

}

bool is_reading_command(std::string_view command) { return is_thread_command(command) || is_own_command(command) || is_address_command(command) || is_module_command(command); }

std::vector<std::string> filter_dml(std::string_view line, std::size_t longest_piece) { return Filter(std::max(longest_piece, shortest_limit)).run(line); }

}
