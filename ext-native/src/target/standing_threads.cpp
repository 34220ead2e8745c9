#include "target/standing_threads.hpp"

#include <vector>

#include "system/unique_handle.hpp"

namespace dumpext {

namespace {

constexpr ULONG most_threads = 20'000;
// THREADINFOCLASS of ntddk.h: how often a thread was stopped without being let go. Since Windows 8.1; older ones refuse it.
constexpr ULONG thread_suspend_count = 35;

using QueryThread = LONG(NTAPI*)(HANDLE, ULONG, PVOID, ULONG, PULONG);

bool is_stopped(QueryThread query, ULONG id) {
    const UniqueHandle thread(OpenThread(THREAD_QUERY_INFORMATION, FALSE, id));
    ULONG count = 0;
    return thread && query(thread.get(), thread_suspend_count, &count, sizeof count, nullptr) >= 0 && count > 0;
}

}

bool stands_still(const Debugger& debugger, const DebugTarget& target) {
    const HMODULE system = GetModuleHandleW(L"ntdll.dll");
    const auto query = system == nullptr ? nullptr : reinterpret_cast<QueryThread>(reinterpret_cast<void*>(GetProcAddress(system, "NtQueryInformationThread")));
    ULONG count = 0;
    if (query == nullptr || !target.is_on_this_machine || FAILED(debugger.objects->GetNumberThreads(&count)) || count == 0 || count > most_threads) {
        return false;
    }

    std::vector<ULONG> ids(count);
    if (FAILED(debugger.objects->GetThreadIdsByIndex(0, count, nullptr, ids.data()))) {
        return false;
    }

    for (const ULONG id : ids) {
        if (!is_stopped(query, id)) {
            return false;
        }
    }

    return true;
}

}
