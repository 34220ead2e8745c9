#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the extension and an engine that answers one question after the other say to each other over its standard input and output; the other side is
// Dump.Cli/Sessions. Numbers are little-endian.
//   question  u32 count of bytes; then texts in UTF-8, each with a zero behind it: the symbol path; the name among the arguments that stands for a process,
//             which stands still, and not for a dump, empty for none; and the arguments. Another name is another moment of a process.
//   answer    pieces, each u8 kind, u32 count of bytes, the bytes: 1 standard output, 2 standard error, 3 the end, with the exit code as u32, 4 a request for
//             memory of that process, with its address as u64 and the number of bytes as u32, 6 a request for bytes of the small dump that describes it, with
//             their offset as u64 and their number as u32; one request after the other
//   bytes     to each request: u32 count of bytes; then the bytes that there are from the address or the offset on, none when nothing is there. Fewer of the
//             description than were asked for are its end.

namespace dumpext {

/// Longest question in bytes; the engine refuses longer ones.
inline constexpr std::size_t longest_question = std::size_t{1024} * 1024;

/// Most bytes that the engine may ask for at once.
inline constexpr std::uint32_t most_bytes = std::uint32_t{1024} * 1024;

/// What the engine asks for of a process.
struct ProcessRequest {
    enum class Kind { memory, description };

    Kind kind;
    /// The address, or the offset.
    std::uint64_t position;
    /// 1 to `most_bytes`.
    std::uint32_t length;
};

/// A question as bytes. Zeros inside of texts are left out.
/// @param process The name that stands for a process; empty for none.
std::string encode_question(std::u16string_view symbol_path, std::u16string_view process, const std::vector<std::u16string>& arguments);

/// The answer to a request, as bytes.
std::string encode_bytes(std::string_view bytes);

/// Takes an answer apart, in whatever pieces it comes.
class AnswerReader {
public:
    using Sink = std::function<void(std::string_view)>;
    using RequestSink = std::function<void(const ProcessRequest&)>;

    /// @param on_output Receives what belongs to standard output.
    /// @param on_errors Receives what belongs to standard error.
    /// @param on_request Receives what is asked for; without it, a request is no part of an answer.
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
    bool take_request(ProcessRequest::Kind kind, std::string_view content);

    Sink on_output_;
    Sink on_errors_;
    RequestSink on_request_;
    std::string pending_;
    std::optional<std::uint32_t> exit_code_;
    bool is_broken_ = false;
    bool is_empty_ = true;
};

}
