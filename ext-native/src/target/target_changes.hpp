#pragma once

#include <cstdint>

#include "target/debugger.hpp"

namespace dumpext {

/// Lets the debugger say from now on when its target changes: when it goes on, when its memory or its registers are written, when another one comes. A debugger
/// says so to the thread that asked first.
/// @param on_target_gone Called when a target has come or gone.
/// @returns Whether this is that thread, so that no change can stay unknown to it.
bool watch_target(const Debugger& debugger, void (*on_target_gone)() noexcept) noexcept;

/// How many changes there have been.
std::uint64_t target_change_count() noexcept;

/// Counts one that the debugger said in another way.
void note_target_change() noexcept;

/// Listens no longer, so that this library can go.
void stop_watching_target() noexcept;

}
