#pragma once

#include <string_view>

#include "commands/command_arguments.hpp"
#include "engine/json_document.hpp"
#include "system/debugger_headers.hpp"

namespace dumpext {

/// Answers a question by the engine and shows the answer. Nothing leaves this as an exception.
/// @param caller The debugger's client.
/// @param question The command.
/// @param name The command's name, for its help.
/// @param arguments What stands behind it; null counts as nothing.
HRESULT answer(PDEBUG_CLIENT caller, Question question, std::string_view name, PCSTR arguments) noexcept;

/// The report on the target (docs/json-schema.md), for hosts that ask without showing anything.
/// @throws CommandError when there is none; the text says why.
JsonValue collect_report(PDEBUG_CLIENT caller);

/// Ends the engine that has answered so far, and forgets what it was told of a process, unless another thread is asking it.
void end_idle_engine() noexcept;

/// Shows help. Nothing leaves this as an exception.
HRESULT show_help(PDEBUG_CLIENT caller, PCSTR arguments) noexcept;

}
