#pragma once

#include "engine/json_document.hpp"
#include "system/debugger_headers.hpp"

namespace dumpext {

/// The report on the target, asked for by an expression (dx) and not by a command. What the debugger says while it writes a snapshot goes to all of its clients,
/// and an expression does not say to which of them its own output goes. So the debugger runs a command of this library, in which nothing it says is heard.
/// @param client A client of the debugger.
/// @throws std::exception as collect_report does.
JsonValue collect_unheard_report(IDebugClient* client);

/// That command. Without a report to collect it fails.
HRESULT answer_unheard() noexcept;

}
