#pragma once

#include <string_view>

#include "target/debugger.hpp"

namespace dumpext {

/// Where a command's answer goes.
class DebuggerOutput {
public:
    explicit DebuggerOutput(const Debugger& debugger);

    /// True when the host shows links.
    bool shows_links() const { return shows_links_; }

    /// A line of the engine's answer, in markup when the host shows links.
    void line(std::string_view text);

    /// Text of this extension; every line feed ends a line.
    void text(std::string_view text, ULONG mask = DEBUG_OUTPUT_NORMAL);

    /// One line that says why there is no answer.
    void error(std::string_view text);

private:
    void write(ULONG control, ULONG mask, std::string_view text);

    const Debugger& debugger_;
    bool shows_links_;
};

}
