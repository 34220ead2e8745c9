#include "target/last_event.hpp"

#include <algorithm>
#include <vector>

#include "system/unique_handle.hpp"

namespace dumpext {

namespace {

constexpr ULONG most_debugged_threads = 20'000;
// STATUS_WAKE_SYSTEM_DEBUGGER of ntstatus.h.
constexpr DWORD woken = 0x80000007;

/// The system's id of the thread that the last event is of; 0 when it cannot be known.
ULONG event_thread(const Debugger& debugger) {
    ULONG wanted = 0;
    ULONG count = 0;
    if (FAILED(debugger.objects->GetEventThread(&wanted)) || FAILED(debugger.objects->GetNumberThreads(&count)) || count == 0 || count > most_debugged_threads) {
        return 0;
    }

    std::vector<ULONG> ids(count);
    std::vector<ULONG> system_ids(count);
    if (FAILED(debugger.objects->GetThreadIdsByIndex(0, count, ids.data(), system_ids.data()))) {
        return 0;
    }

    const auto found = std::ranges::find(ids, wanted);
    return found == ids.end() ? 0 : system_ids[static_cast<std::size_t>(found - ids.begin())];
}

EXCEPTION_RECORD last_exception(const Debugger& debugger) {
    ULONG type = 0;
    ULONG process = 0;
    ULONG thread = 0;
    ULONG size = 0;
    DEBUG_LAST_EVENT_INFO_EXCEPTION information{};
    EXCEPTION_RECORD record{};
    if (FAILED(debugger.control->GetLastEventInformation(&type, &process, &thread, &information, sizeof information, &size, nullptr, 0, nullptr)) ||
        type != DEBUG_EVENT_EXCEPTION || size < sizeof information) {
        record.ExceptionCode = woken;
        return record;
    }

    const EXCEPTION_RECORD64& said = information.ExceptionRecord;
    record.ExceptionCode = static_cast<DWORD>(said.ExceptionCode);
    record.ExceptionFlags = said.ExceptionFlags;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the debugger gives addresses of the process as numbers
    record.ExceptionAddress = reinterpret_cast<void*>(said.ExceptionAddress);
    record.NumberParameters = std::min<DWORD>(said.NumberParameters, EXCEPTION_MAXIMUM_PARAMETERS);
    std::copy_n(said.ExceptionInformation, record.NumberParameters, record.ExceptionInformation);
    return record;
}

}

std::optional<LastEvent> find_last_event(const Debugger& debugger, const std::optional<CurrentRegisters>& current) {
    const ULONG id = event_thread(debugger);
    const UniqueHandle thread(id == 0 ? nullptr : OpenThread(THREAD_QUERY_INFORMATION | THREAD_GET_CONTEXT, FALSE, id));
    LastEvent event{id, last_exception(debugger), {}};
    event.context.ContextFlags = CONTEXT_FULL;
    if (!thread || !GetThreadContext(thread.get(), &event.context)) {
        return std::nullopt;
    }

    if (current && current->thread == id) {
        take_integers(event.context, current->context);
    }

    return event;
}

}
