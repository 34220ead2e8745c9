#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the extension and an engine that answers one question after the other say to each other over its standard input and output; the other side is
// Dump.Cli/Sessions. Numbers are little-endian.
//   question  u32 count of bytes; then texts in UTF-8, each with a zero behind it: the symbol path; the dump that only describes a process, which stands still
//             and whose memory is asked for, empty for none; and the arguments
//   answer    pieces, each u8 kind, u32 count of bytes, the bytes: 1 standard output, 2 standard error, 3 the end, with the exit code as u32, 4 a request for
//             memory of that process, with its address as u64 and the number of bytes as u32, one after the other
//   memory    to each request: u32 count of bytes; then the bytes that could be read from the address on, none when it is not there

namespace dumpext {

/// Longest question in bytes; the engine refuses longer ones.
inline constexpr std::size_t longest_question = std::size_t{1024} * 1024;

/// Most bytes of memory that the engine may ask for at once.
inline constexpr std::uint32_t most_memory = std::uint32_t{1024} * 1024;

/// Memory that the engine asks for.
struct MemoryRequest {
    std::uint64_t address;
    /// 1 to `most_memory` bytes.
    std::uint32_t length;
};

/// A question as bytes. Zeros inside of texts are left out.
/// @param description The dump that only describes a process; empty for none.
std::string encode_question(std::u16string_view symbol_path, std::u16string_view description, const std::vector<std::u16string>& arguments);

/// The answer to a request for memory, as bytes.
std::string encode_memory(std::string_view bytes);

/// Takes an answer apart, in whatever pieces it comes.
class AnswerReader {
public:
    using Sink = std::function<void(std::string_view)>;
    using RequestSink = std::function<void(const MemoryRequest&)>;

    /// @param on_output Receives what belongs to standard output.
    /// @param on_errors Receives what belongs to standard error.
    /// @param on_request Receives requests for memory; without it, one is no part of an answer.
    AnswerReader(Sink on_output, Sink on_errors, RequestSink on_request = {});

    /// Takes the next bytes. What follows the end, or something that is no answer, is dropped.
    void append(std::string_view bytes);

    /// The exit code, once the answer is whole.
    std::optional<std::uint32_t> exit_code() const { return exit_code_; }

    /// True when something came that is no answer.
    bool is_broken() const { return is_broken_; }

    /// True when nothing has come yet.
    bool is_empty() const { return is_empty_; }

private:
    bool take_piece();
    bool take_request(std::string_view content);

    Sink on_output_;
    Sink on_errors_;
    RequestSink on_request_;
    std::string pending_;
    std::optional<std::uint32_t> exit_code_;
    bool is_broken_ = false;
    bool is_empty_ = true;
};

}
