#include "target/debug_target.hpp"

#include <array>
#include <cwchar>
#include <string_view>
#include <utility>

#include "system/absolute_path.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

namespace {

/// Before the name that a dump has in a .cab archive: the debugger's process id in eight digits, a number, and an underscore.
std::wstring added_to_name(std::wstring_view path) {
    constexpr std::size_t digits = 8;
    const std::wstring_view name = path.substr(path.find_last_of(L"\\/") + 1);
    std::array<wchar_t, digits + 1> process{};
    std::swprintf(process.data(), process.size(), L"%08lx", static_cast<unsigned long>(GetCurrentProcessId()));
    const std::size_t end = name.find_first_not_of(L"0123456789", digits);
    const bool is_unpacked = name.starts_with(process.data()) && end != std::wstring_view::npos && end > digits && name[end] == L'_';
    return is_unpacked ? std::wstring(name.substr(0, end + 1)) : std::wstring();
}

/// Where a class of target cannot be read, why not and what to do.
void refuse_class(ULONG debuggee_class) {
    switch (debuggee_class) {
    case DEBUG_CLASS_USER_WINDOWS:
        return;
    case DEBUG_CLASS_UNINITIALIZED:
        throw CommandError("there is no target: open a dump (.opendump FILE) or attach to a process");
    case DEBUG_CLASS_KERNEL:
        throw CommandError("a kernel is no process: dumpext reads dumps of processes and running processes; write one with procdump -ma PID on that machine");
    default:
        throw CommandError("this target is no process: dumpext reads dumps of processes and running processes");
    }
}

std::wstring dump_path(const Debugger& debugger) {
    ULONG count = 0;
    if (FAILED(debugger.client->GetNumberDumpFiles(&count)) || count == 0) {
        throw CommandError("the debugger does not say which dump file is open");
    }

    std::wstring path(longest_path, L'\0');
    ULONG size = 0;
    ULONG64 handle = 0;
    ULONG type = 0;
    if (debugger.client->GetDumpFileWide(0, path.data(), longest_path, &size, &handle, &type) != S_OK || size == 0) {
        throw CommandError("the debugger does not say which dump file is open");
    }

    path.resize(size - 1);
    // A dump out of a .cab archive was unpacked to a file of its own, whose name this then is.
    if (GetFileAttributesW(path.c_str()) == INVALID_FILE_ATTRIBUTES) {
        throw last_error("the dump file cannot be found any more");
    }

    return absolute_path(path);
}

}

DebugTarget find_target(const Debugger& debugger) {
    ULONG debuggee_class = DEBUG_CLASS_UNINITIALIZED;
    ULONG qualifier = 0;
    if (FAILED(debugger.control->GetDebuggeeType(&debuggee_class, &qualifier))) {
        debuggee_class = DEBUG_CLASS_UNINITIALIZED;
    }

    refuse_class(debuggee_class);
    ULONG systems = 0;
    if (SUCCEEDED(debugger.objects->GetNumberSystems(&systems)) && systems > 1) {
        throw CommandError("several targets are open, and dumpext cannot tell which of their dumps the current one is: open one at a time");
    }

    switch (qualifier) {
    case DEBUG_USER_WINDOWS_PROCESS:
    case DEBUG_USER_WINDOWS_PROCESS_SERVER:
        return {true, qualifier == DEBUG_USER_WINDOWS_PROCESS, {}, {}};
    case DEBUG_USER_WINDOWS_IDNA:
    case DEBUG_USER_WINDOWS_REPT:
        throw CommandError("a trace is no dump: go to the position of the hang, write a dump there (.dump /ma FILE), and open that");
    default:
        break;
    }

    std::wstring path = dump_path(debugger);
    std::wstring added = added_to_name(path);
    return {false, false, std::move(path), std::move(added)};
}

}
