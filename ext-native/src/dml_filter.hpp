#pragma once

#include <string>
#include <string_view>

namespace dumpext {

/// Lets the debugger markup through that the engine is known to write, and turns everything else that looks like markup into text: a link runs
/// a command when it is clicked, so that only commands that read may stand in one.
///
/// Known are <c>&lt;link cmd="..."&gt;</c> with a command of is_reading_command, <c>&lt;/link&gt;</c>, <c>&lt;b&gt;</c>, <c>&lt;/b&gt;</c>,
/// <c>&lt;col fg="NAME"&gt;</c>, <c>&lt;/col&gt;</c> and the entities <c>&amp;lt; &amp;gt; &amp;amp; &amp;quot;</c>. Tags are balanced within the line.
/// @param line One line without its end.
std::string filter_dml(std::string_view line);

/// True for the commands that may stand in a link: this extension's own, and showing a thread's stack, a module or memory.
/// No separator, quotation mark or other special character is possible in them.
bool is_reading_command(std::string_view command);

}
