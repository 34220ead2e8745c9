#include "target/standing_threads.hpp"

#include <optional>

#include "system/unique_handle.hpp"
#include "target/current_registers.hpp"

namespace dumpext {

namespace {

constexpr ULONG most_standing_threads = 20'000;
// THREADINFOCLASS of ntddk.h: how often a thread was stopped without being let go. Since Windows 8.1; older ones refuse it.
constexpr ULONG thread_suspend_count = 35;

using QueryThread = LONG(NTAPI*)(HANDLE, ULONG, PVOID, ULONG, PULONG);

/// Null when it is not stopped.
std::optional<StandingThread> find_standing(QueryThread query, ULONG id, const std::optional<CurrentRegisters>& current) {
    const UniqueHandle thread(OpenThread(THREAD_QUERY_INFORMATION | THREAD_GET_CONTEXT, FALSE, id));
    ULONG count = 0;
    if (!thread || query(thread.get(), thread_suspend_count, &count, sizeof count, nullptr) < 0 || count == 0) {
        return std::nullopt;
    }

    CONTEXT context{};
    context.ContextFlags = CONTEXT_FULL;
    if (!GetThreadContext(thread.get(), &context)) {
        return std::nullopt;
    }

    // So that it makes no difference whether the debugger has written them back.
    if (current && current->thread == id) {
        take_integers(context, current->context);
    }

    return StandingThread{
        id, count,
        {context.Rax, context.Rcx, context.Rdx, context.Rbx, context.Rsp, context.Rbp, context.Rsi, context.Rdi, context.R8, context.R9, context.R10, context.R11,
         context.R12, context.R13, context.R14, context.R15, context.Rip}};
}

}

std::vector<StandingThread> find_standing_threads(const Debugger& debugger, const DebugTarget& target) {
    const HMODULE system = GetModuleHandleW(L"ntdll.dll");
    const auto query = system == nullptr ? nullptr : reinterpret_cast<QueryThread>(reinterpret_cast<void*>(GetProcAddress(system, "NtQueryInformationThread")));
    ULONG count = 0;
    if (query == nullptr || !target.is_on_this_machine || FAILED(debugger.objects->GetNumberThreads(&count)) || count == 0 || count > most_standing_threads) {
        return {};
    }

    std::vector<ULONG> ids(count);
    if (FAILED(debugger.objects->GetThreadIdsByIndex(0, count, nullptr, ids.data()))) {
        return {};
    }

    const std::optional<CurrentRegisters> current = current_registers(debugger);
    std::vector<StandingThread> threads;
    threads.reserve(ids.size());
    for (const ULONG id : ids) {
        const auto thread = find_standing(query, id, current);
        if (!thread) {
            return {};
        }

        threads.push_back(*thread);
    }

    return threads;
}

}
