#include "commands/thread_selection.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "system/windows_error.hpp"

namespace dumpext {

namespace {

std::uint32_t current_thread(const Debugger& debugger) {
    ULONG id = 0;
    if (FAILED(debugger.objects->GetCurrentThreadSystemId(&id))) {
        throw CommandError("the debugger has no current thread: give a thread id, or -all");
    }

    return id;
}

/// The name of the function at an address, without its module's place: "ntdll!DbgBreakPoint". Empty when it has none.
std::wstring function_name(const Debugger& debugger, std::uint64_t address) {
    std::array<wchar_t, 512> name{};
    ULONG size = 0;
    return debugger.symbols->GetNameByOffsetWide(address, name.data(), static_cast<ULONG>(name.size()), &size, nullptr) == S_OK ? std::wstring(name.data()) : std::wstring();
}

std::uint32_t thread_by_system_id(const Debugger& debugger, std::uint32_t id) {
    ULONG engine_id = 0;
    if (FAILED(debugger.objects->GetThreadIdBySystemId(id, &engine_id))) {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), "%x", static_cast<unsigned>(id));
        throw CommandError("there is no thread ~~[" + std::string(text.data()) + "]; ~ lists them");
    }

    return id;
}

std::uint32_t thread_by_number(const Debugger& debugger, std::uint32_t number) {
    ULONG count = 0;
    debugger.objects->GetNumberThreads(&count);
    for (ULONG index = 0; index < count; index++) {
        ULONG engine_id = 0;
        ULONG system_id = 0;
        if (SUCCEEDED(debugger.objects->GetThreadIdsByIndex(index, 1, &engine_id, &system_id)) && engine_id == number) {
            return system_id;
        }
    }

    throw CommandError("there is no thread ~" + std::to_string(number) + "; ~ lists them");
}

/// Whether the current thread stands in the function that stops the process. Walks no stack and asks for ntdll's symbols alone: the debugger may complain of other images in the middle of the answer.
bool is_at_break_point(const Debugger& debugger) {
    ULONG64 instruction = 0;
    ULONG64 base = 0;
    ULONG64 ntdll = 0;
    return SUCCEEDED(debugger.registers->GetInstructionOffset(&instruction)) && SUCCEEDED(debugger.symbols->GetModuleByOffset(instruction, 0, nullptr, &base)) &&
           SUCCEEDED(debugger.symbols->GetModuleByModuleName("ntdll", 0, nullptr, &ntdll)) && base == ntdll && function_name(debugger, instruction) == L"ntdll!DbgBreakPoint";
}

}

bool is_in_break_in(const Debugger& debugger) {
    if (!is_at_break_point(debugger)) {
        return false;
    }

    constexpr ULONG frame_count = 2;
    std::array<DEBUG_STACK_FRAME, frame_count> frames{};
    ULONG filled = 0;
    return SUCCEEDED(debugger.control->GetStackTrace(0, 0, 0, frames.data(), frame_count, &filled)) && filled == frame_count &&
           function_name(debugger, frames[1].InstructionOffset) == L"ntdll!DbgUiRemoteBreakin";
}

std::optional<std::uint32_t> find_thread(const Debugger& debugger, const CommandArguments& arguments) {
    switch (arguments.thread) {
    case ThreadChoice::current:
        return current_thread(debugger);
    case ThreadChoice::by_number:
        return thread_by_number(debugger, arguments.thread_value);
    case ThreadChoice::by_system_id:
        return thread_by_system_id(debugger, arguments.thread_value);
    default:
        return std::nullopt;
    }
}

}
