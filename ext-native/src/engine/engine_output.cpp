#include "engine/engine_output.hpp"

#include <utility>

#include "system/text.hpp"

namespace dumpext {

namespace {

constexpr std::size_t longest_line = std::size_t{64} * 1024;

}

EngineOutput::EngineOutput(std::function<void(std::string_view)> on_line, std::size_t most_bytes) : on_line_(std::move(on_line)), left_(most_bytes) {}

void EngineOutput::append(std::string_view bytes) {
    if (bytes.size() > left_) {
        is_cut_ = true;
        bytes = bytes.substr(0, left_);
    }

    left_ -= bytes.size();
    pending_ += bytes;
    std::size_t start = 0;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', start)) {
        emit(std::string_view(pending_).substr(start, end - start));
        start = end + 1;
    }

    pending_.erase(0, start);
    while (pending_.size() > longest_line) {
        const std::size_t length = whole_characters(pending_, longest_line);
        emit(std::string_view(pending_).substr(0, length));
        pending_.erase(0, length);
    }
}

void EngineOutput::finish() {
    if (!pending_.empty()) {
        emit(pending_);
        pending_.clear();
    }
}

void EngineOutput::emit(std::string_view line) {
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }

    on_line_(without_controls(line));
}

}
