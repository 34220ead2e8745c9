#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dumpext {

/// What stands after a command is not understood; the text says what is expected.
class InvalidArguments : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// The commands that ask the engine.
enum class Question { verdict, lock_chain, held_locks, broken_collections, spinners, user_interface };

/// Which thread a question is about.
enum class ThreadChoice {
    /// The debugger's current thread.
    current,
    /// All threads.
    all,
    /// By the debugger's number, as in <c>~3</c>.
    by_number,
    /// By the system's thread id.
    by_system_id,
};

/// A command's arguments, understood.
struct CommandArguments {
    ThreadChoice thread = ThreadChoice::current;
    /// Number or id, for the choices that have one.
    std::uint32_t thread_value = 0;
    /// An expression for the debugger to evaluate: the address of one collection. Empty without one.
    std::string address;
    bool whole_heap = false;
    bool all_stacks = false;
    bool wants_help = false;
    /// A running process is to be read with all its memory.
    bool whole_memory = false;
    /// The directory of the target's own .NET runtime; empty when not given.
    std::string runtime_directory;
    /// Longest time for the answer, in seconds, from 1 to 86400.
    std::uint32_t seconds = 600;
};

/// Understands what stands after a command.
/// @param question The command.
/// @param text As the debugger hands it over: everything behind the command's name.
/// @throws InvalidArguments when an option, a thread or an address is wrong or does not belong to that command.
CommandArguments parse_arguments(Question question, std::string_view text);

/// A thread id as debuggers write it: hexadecimal with or without 0x, decimal after 0n.
std::optional<std::uint32_t> parse_thread_id(std::string_view text);

}
