#include "markup/debugger_output.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "markup/dml_filter.hpp"
#include "system/wide_text.hpp"

namespace dumpext {

namespace {

// The engine formats into a buffer of 16 K characters; a piece of markup must arrive whole.
constexpr std::size_t longest_piece = 6000;

}

DebuggerOutput::DebuggerOutput(const Debugger& debugger)
    : debugger_(debugger),
      shows_links_(
          debugger.advanced && debugger.advanced->Request(DEBUG_REQUEST_CURRENT_OUTPUT_CALLBACKS_ARE_DML_AWARE, nullptr, 0, nullptr, 0, nullptr) == S_OK) {}

void DebuggerOutput::line(std::string_view text) {
    if (shows_links_) {
        std::vector<std::string> pieces = filter_dml(text, longest_piece);
        pieces.back() += "\n";
        for (const std::string& piece : pieces) {
            write(DEBUG_OUTCTL_AMBIENT_DML, DEBUG_OUTPUT_NORMAL, piece);
        }
    } else {
        this->text(std::string(text) + "\n");
    }
}

void DebuggerOutput::text(std::string_view text, ULONG mask) {
    while (!text.empty()) {
        const std::size_t length = whole_characters(text, longest_piece);
        write(DEBUG_OUTCTL_AMBIENT_TEXT, mask, text.substr(0, length));
        text.remove_prefix(length);
    }
}

void DebuggerOutput::error(std::string_view text) { this->text("dumpext: " + std::string(text) + "\n", DEBUG_OUTPUT_ERROR); }

void DebuggerOutput::write(ULONG control, ULONG mask, std::string_view text) {
    debugger_.control->ControlledOutputWide(control, mask, L"%ls", to_wide(text).c_str());
}

}
