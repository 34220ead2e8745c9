#include "target/image_exports.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace dumpext {

namespace {

constexpr std::uint64_t base = 0x140000000;

/// A mapped image with nothing but what a look-up of exports reads: headers at 0x80, directory at 0x200, table at 0x300, names from 0x400 on.
class MappedImage {
public:
    explicit MappedImage(bool is_64_bit, const std::vector<std::string>& names) : bytes_(0x1000) {
        put<std::uint32_t>(0x3C, 0x80);
        put<std::uint32_t>(0x80, 0x4550);
        put<std::uint16_t>(0x98, is_64_bit ? 0x20B : 0x10B);
        put<std::uint32_t>(0x98 + (is_64_bit ? 112 : 96), 0x200);
        put(0x200 + 24, static_cast<std::uint32_t>(names.size()));
        put<std::uint32_t>(0x200 + 32, 0x300);
        std::uint32_t at = 0x400;
        for (std::size_t i = 0; i < names.size(); i++) {
            put(0x300 + (4 * i), at);
            std::memcpy(&bytes_[at], names[i].c_str(), names[i].size() + 1);
            at += static_cast<std::uint32_t>(names[i].size()) + 1;
        }
    }

    template <typename Number>
    void put(std::size_t offset, Number value) {
        std::memcpy(&bytes_[offset], &value, sizeof value);
    }

    bool has(std::string_view name) const {
        return exports_name([this](std::uint64_t address, std::span<std::byte> into) {
            if (address < base || address - base > bytes_.size() || into.size() > bytes_.size() - (address - base)) {
                return false;
            }

            std::memcpy(into.data(), &bytes_[address - base], into.size());
            return true;
        }, base, name);
    }

private:
    std::vector<std::byte> bytes_;
};

TEST(ImageExports, EveryNameIsFoundAndNoOther) {
    const std::vector<std::string> names{"Alpha", "DotNetRuntimeInfo", "DotNetRuntimeInfoEx", "Zeta", "a"};
    for (const bool is_64_bit : {true, false}) {
        const MappedImage image(is_64_bit, names);
        for (const std::string& name : names) {
            EXPECT_TRUE(image.has(name)) << name;
        }

        for (const char* name : {"", "A", "Alph", "Alphaa", "DotNetRuntime", "Zz", "b"}) {
            EXPECT_FALSE(image.has(name)) << name;
        }
    }
}

TEST(ImageExports, DamagedImagesExportNothing) {
    MappedImage no_signature(true, {"a"});
    no_signature.put<std::uint32_t>(0x80, 0);
    EXPECT_FALSE(no_signature.has("a"));
    MappedImage far_header(true, {"a"});
    far_header.put<std::uint32_t>(0x3C, 0xFFFFFFF0);
    EXPECT_FALSE(far_header.has("a"));
    MappedImage too_many(true, {"a"});
    too_many.put<std::uint32_t>(0x200 + 24, 0xFFFFFFFF);
    EXPECT_FALSE(too_many.has("a"));
    MappedImage far_names(true, {"a"});
    far_names.put<std::uint32_t>(0x300, 0xFFFFFFF0);
    EXPECT_FALSE(far_names.has("a"));
    MappedImage no_exports(true, {"a"});
    no_exports.put<std::uint32_t>(0x98 + 112, 0);
    EXPECT_FALSE(no_exports.has("a"));
}

}

}
