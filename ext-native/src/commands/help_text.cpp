#include "commands/help_text.hpp"

#include <array>

namespace dumpext {

namespace {

struct Entry {
    std::string_view name;
    std::string_view summary;
    std::string_view text;
};

constexpr std::string_view common_options =
    "  -dac DIRECTORY    the target's own .NET runtime, where it is not installed here; code from there is run\n"
    "  -timeout SECONDS  end the answer's search after so long (default 600)\n"
    "  -full             a running process: answer from a snapshot of all its memory, written for this\n"
    "  -?                this help\n"
    "\n"
    "Ctrl+Break ends a search at once.\n";

constexpr std::array<Entry, 7> entries{{
    {"verdict", "why this process hangs: all findings with the stacks that prove them",
     "!verdict [-stacks] [-dac DIRECTORY] [-timeout SECONDS] [-full]\n"
     "\n"
     "Says why the process hangs: deadlocks over native and managed locks, the loader lock, orphaned locks, spinning\n"
     "owners, broken collections, stuck UI threads, starved thread pools. Every sentence says how sure it is. When data\n"
     "are missing the answer is \"cannot decide\" and how to capture a better dump.\n"
     "\n"
     "  -stacks           the stacks of all threads too\n"},
    {"lockchain", "who waits for whom: the chain of one thread, or all as a tree",
     "!lockchain [~N | TID] [-all] [-dac DIRECTORY] [-timeout SECONDS] [-full]\n"
     "\n"
     "Follows waits from one thread to the thread that must act. Without a thread: from the current one.\n"
     "All waits are a tree: cycles first, then each thread that holds others up, and below it what waits for it. Threads that\n"
     "wait alike in one function are one line.\n"
     "\n"
     "  ~N                a thread by the debugger's number; ~. is the current one\n"
     "  TID               a thread by its system id: 1a4, 0x1a4, 0n420 or ~~[1a4]\n"
     "  -all, ~*          every thread that waits, as a tree\n"},
    {"heldlocks", "locks that are held or waited for, the most contended first",
     "!heldlocks [-dac DIRECTORY] [-timeout SECONDS] [-full]\n"
     "\n"
     "Lists locks of every kind, native and managed, with owner and waiters: what !locks lists of critical sections.\n"
     "Some locks do not store their owner (SRW locks, for example); the list says so.\n"},
    {"dictloop", "broken Dictionary and other collections of .NET",
     "!dictloop [ADDRESS | -heap] [-dac DIRECTORY] [-timeout SECONDS] [-full]\n"
     "\n"
     "Finds collections of .NET that unsynchronised writes have broken, where a search never ends: a Dictionary whose\n"
     "chain leads back into itself, for example. Prints the chain, its keys, and the threads inside.\n"
     "\n"
     "  ADDRESS           one object; any expression of the debugger, for example @rcx or poi(@rsp+8)\n"
     "  -heap             every collection of the heap; without it, those that stacks refer to\n"},
    {"spinners", "threads that burn CPU time, and who waits for them",
     "!spinners [-stacks] [-dac DIRECTORY] [-timeout SECONDS] [-full]\n"
     "\n"
     "Finds owners of locks that burn CPU time while others wait, threads that burn it for nobody, and threads\n"
     "that spin on each other. Needs CPU times in the dump (procdump -ma has them).\n"
     "\n"
     "  -stacks           the stacks of all threads too\n"},
    {"uihang", "UI threads that do not answer, and who is to blame",
     "!uihang [-stacks] [-dac DIRECTORY] [-timeout SECONDS] [-full]\n"
     "\n"
     "Finds threads with a message loop whose handler is blocked on a lock, in a task, in a blocking call, or busy.\n"
     "\n"
     "  -stacks           the stacks of all threads too\n"},
    {"dumphelp", "this list, or one command's help",
     "!dumphelp [COMMAND]\n"
     "\n"
     "Lists the commands of this extension, or explains one of them.\n"},
}};

}

std::string command_list() {
    std::string text = "dumpext: says why a process hangs.\n\n";
    for (const Entry& entry : entries) {
        text += "  !" + std::string(entry.name) + std::string(12 - entry.name.size(), ' ') + std::string(entry.summary) + "\n";
    }

    return text + "\n  dx @$hang()   the verdicts as objects of the data model\n\n!dumphelp COMMAND explains one. Where another extension has a command of the same name, write !dumpext.COMMAND.\n";
}

std::optional<std::string> command_help(std::string_view command) {
    for (const std::string_view prefix : {"!", "dumpext."}) {
        if (command.starts_with(prefix)) {
            command.remove_prefix(prefix.size());
        }
    }

    for (const Entry& entry : entries) {
        if (entry.name == command) {
            const bool has_options = entry.name != "dumphelp";
            return std::string(entry.text) + (has_options ? std::string(common_options) : std::string());
        }
    }

    return std::nullopt;
}

}
