#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace dumpext {

/// Cuts the bytes that a program prints into clean lines and stops when it prints too much.
class EngineOutput {
public:
    /// @param on_line Receives each line without its end, valid UTF-8 without control characters.
    /// @param most_bytes How much is taken; what comes after it is dropped.
    EngineOutput(std::function<void(std::string_view)> on_line, std::size_t most_bytes);

    /// Takes the next bytes. A line longer than 64 KiB is cut into several.
    void append(std::string_view bytes);

    /// Hands over what stands behind the last line feed.
    void finish();

    /// True when bytes were dropped.
    bool is_cut() const { return is_cut_; }

private:
    void emit(std::string_view line);

    std::function<void(std::string_view)> on_line_;
    std::size_t left_;
    std::string pending_;
    bool is_cut_ = false;
};

}
