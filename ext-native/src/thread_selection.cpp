#include "thread_selection.hpp"

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
        // The engine knows the dump's threads and says when this is none of them.
        return arguments.thread_value;
    default:
        return std::nullopt;
    }
}

}
