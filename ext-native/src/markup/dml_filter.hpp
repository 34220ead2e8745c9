#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dumpext {

/// Lets the debugger markup through that the engine is known to write, and turns everything else that looks like markup into text: a link runs
/// a command when it is clicked, so that only commands that read may stand in one.
///
/// Known are <c>&lt;link cmd="..."&gt;</c> with a command of is_reading_command, <c>&lt;/link&gt;</c>, <c>&lt;b&gt;</c>, <c>&lt;/b&gt;</c>,
/// <c>&lt;col fg="NAME"&gt;</c>, <c>&lt;/col&gt;</c> and the entities <c>&amp;lt; &amp;gt; &amp;amp; &amp;quot;</c>. Tags are balanced, and no more than eight are open at a time.
///
/// A long line comes in pieces, because debuggers cut long output anywhere: no tag, entity or character is cut, and what is open at the end of a piece is closed there and
/// opened again in the next one. Shown one behind the other they are the line.
/// @param line One line without its end, in UTF-8.
/// @param longest_piece How many bytes a piece has at most; less than 2000 counts as 2000.
/// @returns At least one piece.
std::vector<std::string> filter_dml(std::string_view line, std::size_t longest_piece);

/// True for the commands that may stand in a link: this extension's own, and showing a thread's stack, a module or memory.
/// No separator, quotation mark or other special character is possible in them.
bool is_reading_command(std::string_view command);

}
