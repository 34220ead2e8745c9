#include "target/image_exports.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace dumpext {

namespace {

/// Offsets in PE images, from the PE format specification (sections "MS-DOS Stub", "Optional Header", "Export Directory Table").
struct PeLayout {
    static constexpr std::uint64_t header_offset = 0x3C;
    static constexpr std::uint64_t optional_header = 24;
    static constexpr std::uint16_t magic_32 = 0x10B;
    static constexpr std::uint16_t magic_64 = 0x20B;
    static constexpr std::uint64_t export_directory_32 = 96;
    static constexpr std::uint64_t export_directory_64 = 112;
    static constexpr std::uint64_t number_of_names = 24;
    static constexpr std::uint64_t name_table = 32;
};

constexpr std::uint32_t signature = 0x00004550;
constexpr std::uint32_t longest_header_offset = 0x10000;
constexpr std::uint32_t most_names = 0x10000;

template <typename Number>
std::optional<Number> read_number(const MemoryReader& read, std::uint64_t address) {
    Number value{};
    return read(address, std::as_writable_bytes(std::span(&value, 1))) ? std::optional{value} : std::nullopt;
}

/// The address of the image's export directory.
std::optional<std::uint64_t> find_directory(const MemoryReader& read, std::uint64_t base) {
    const auto offset = read_number<std::uint32_t>(read, base + PeLayout::header_offset);
    if (!offset || *offset > longest_header_offset || read_number<std::uint32_t>(read, base + *offset) != signature) {
        return std::nullopt;
    }

    const std::uint64_t optional_header = base + *offset + PeLayout::optional_header;
    const auto magic = read_number<std::uint16_t>(read, optional_header);
    const bool is_64 = magic == PeLayout::magic_64;
    if (!is_64 && magic != PeLayout::magic_32) {
        return std::nullopt;
    }

    const std::uint64_t entry = optional_header + (is_64 ? PeLayout::export_directory_64 : PeLayout::export_directory_32);
    const auto relative = read_number<std::uint32_t>(read, entry);
    return relative && *relative != 0 ? std::optional{base + *relative} : std::nullopt;
}

/// A text in the target compared with one of ours: below zero when it sorts before, null when it cannot be read.
std::optional<int> compare(const MemoryReader& read, std::uint64_t address, std::string_view text) {
    std::array<char, 64> buffer{};
    const std::size_t length = std::min(text.size() + 1, buffer.size());
    if (!read(address, std::as_writable_bytes(std::span(buffer.data(), length)))) {
        return std::nullopt;
    }

    const std::string_view all(buffer.data(), length);
    return all.substr(0, all.find('\0')).compare(text);
}

}

bool exports_name(const MemoryReader& read, std::uint64_t base, std::string_view name) {
    const auto directory = find_directory(read, base);
    const auto count = directory ? read_number<std::uint32_t>(read, *directory + PeLayout::number_of_names) : std::nullopt;
    const auto table = directory ? read_number<std::uint32_t>(read, *directory + PeLayout::name_table) : std::nullopt;
    if (!count || !table || *count > most_names) {
        return false;
    }

    // The names are sorted.
    for (std::uint32_t low = 0, high = *count; low < high;) {
        const std::uint32_t middle = low + ((high - low) / 2);
        const auto relative = read_number<std::uint32_t>(read, base + *table + (std::uint64_t{4} * middle));
        const auto order = relative ? compare(read, base + *relative, name) : std::nullopt;
        if (!order || *order == 0) {
            return order.has_value();
        }

        (*order < 0 ? low : high) = *order < 0 ? middle + 1 : middle;
    }

    return false;
}

}
