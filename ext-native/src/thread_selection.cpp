#include "thread_selection.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "windows_error.hpp"

namespace dumpext {

namespace {

std::uint32_t current_thread(const Debugger& debugger) {
    ULONG id = 0;
    if (FAILED(debugger.objects->GetCurrentThreadSystemId(&id))) {
        throw CommandError("the debugger has no current thread: give a thread id, or -all");
    }

    return id;
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
