#include "engine/session_protocol.hpp"

#include <utility>

#include "system/text.hpp"

namespace dumpext {

namespace {

constexpr std::size_t head_size = 5;
constexpr std::size_t most_piece_bytes = std::size_t{1024} * 1024;

/// Kinds of pieces of an answer.
enum class Piece : unsigned char { output = 1, errors = 2, end = 3, memory = 4, description = 6 };

constexpr std::size_t request_size = sizeof(std::uint64_t) + sizeof(std::uint32_t);

std::uint32_t number_at(std::string_view bytes, std::size_t offset) {
    std::uint32_t number = 0;
    for (std::size_t i = sizeof number; i > 0; i--) {
        number = (number << 8U) | static_cast<unsigned char>(bytes[offset + i - 1]);
    }

    return number;
}

void append_number(std::string& bytes, std::uint32_t number) {
    for (std::size_t i = 0; i < sizeof number; i++, number >>= 8U) {
        bytes += static_cast<char>(number & 0xFFU);
    }
}

void append_text(std::string& bytes, std::u16string_view text) {
    for (const char byte : to_utf8(text)) {
        if (byte != '\0') {
            bytes += byte;
        }
    }

    bytes += '\0';
}

}

std::string encode_question(std::u16string_view symbol_path, std::u16string_view process, const std::vector<std::u16string>& arguments) {
    std::string texts;
    append_text(texts, symbol_path);
    append_text(texts, process);
    for (const std::u16string& argument : arguments) {
        append_text(texts, argument);
    }

    std::string question;
    append_number(question, static_cast<std::uint32_t>(texts.size()));
    return question + texts;
}

std::string encode_bytes(std::string_view bytes) {
    std::string answer;
    append_number(answer, static_cast<std::uint32_t>(bytes.size()));
    return answer.append(bytes);
}

AnswerReader::AnswerReader(Sink on_output, Sink on_errors, RequestSink on_request)
    : on_output_(std::move(on_output)), on_errors_(std::move(on_errors)), on_request_(std::move(on_request)) {}

void AnswerReader::append(std::string_view bytes) {
    is_empty_ = is_empty_ && bytes.empty();
    pending_ += bytes;
    while (!exit_code_ && !is_broken_ && take_piece()) {
    }
}

bool AnswerReader::take_piece() {
    if (pending_.size() < head_size) {
        return false;
    }

    const std::size_t length = number_at(pending_, 1);
    const auto kind = static_cast<Piece>(pending_[0]);
    const bool is_request = kind == Piece::memory || kind == Piece::description;
    const bool is_known = kind == Piece::output || kind == Piece::errors || (kind == Piece::end && length == sizeof(std::uint32_t)) ||
                          (is_request && length == request_size && on_request_);
    if (!is_known || length > most_piece_bytes) {
        is_broken_ = true;
        return false;
    }

    if (pending_.size() - head_size < length) {
        return false;
    }

    const std::string_view content = std::string_view(pending_).substr(head_size, length);
    if (kind == Piece::end) {
        exit_code_ = number_at(content, 0);
    } else if (is_request) {
        if (!take_request(kind == Piece::memory ? ProcessRequest::Kind::memory : ProcessRequest::Kind::description, content)) {
            is_broken_ = true;
            return false;
        }
    } else {
        (kind == Piece::output ? on_output_ : on_errors_)(content);
    }

    pending_.erase(0, head_size + length);
    return true;
}

bool AnswerReader::take_request(ProcessRequest::Kind kind, std::string_view content) {
    const std::uint64_t high = number_at(content, sizeof(std::uint32_t));
    const ProcessRequest request{kind, (high << 32U) | number_at(content, 0), number_at(content, sizeof(std::uint64_t))};
    if (request.length == 0 || request.length > most_bytes) {
        return false;
    }

    on_request_(request);
    return true;
}

}
