#include "target/target_changes.hpp"

#include <atomic>

namespace dumpext {

namespace {

/// Reasons to look at the target anew that are none: every command and every evaluated expression is one.
bool leaves_the_target(ULONG64 refresh) {
    switch (refresh) {
    case DEBUG_CDS_REFRESH_EVALUATE:
    case DEBUG_CDS_REFRESH_EXECUTE:
    case DEBUG_CDS_REFRESH_EXECUTECOMMANDFILE:
    case DEBUG_CDS_REFRESH_ADDBREAKPOINT:
    case DEBUG_CDS_REFRESH_REMOVEBREAKPOINT:
    case DEBUG_CDS_REFRESH_SETSCOPE:
    case DEBUG_CDS_REFRESH_SETSCOPEFRAMEBYINDEX:
    case DEBUG_CDS_REFRESH_SETSCOPEFROMJITDEBUGINFO:
    case DEBUG_CDS_REFRESH_SETSCOPEFROMSTOREDEVENT:
        return true;
    default:
        return false;
    }
}

/// Counts what the debugger says of changes. Lives as long as this library.
class ChangeCounter final : public DebugBaseEventCallbacks {
public:
    ChangeCounter() = default;
    virtual ~ChangeCounter() = default;
    ChangeCounter(const ChangeCounter&) = delete;
    ChangeCounter& operator=(const ChangeCounter&) = delete;

    STDMETHODIMP_(ULONG) AddRef() noexcept override { return 1; }
    STDMETHODIMP_(ULONG) Release() noexcept override { return 1; }

    STDMETHODIMP GetInterestMask(PULONG mask) noexcept override {
        *mask = DEBUG_EVENT_SESSION_STATUS | DEBUG_EVENT_CHANGE_DEBUGGEE_STATE | DEBUG_EVENT_CHANGE_ENGINE_STATE;
        return S_OK;
    }

    STDMETHODIMP SessionStatus(ULONG) noexcept override {
        ++count;
        return DEBUG_STATUS_NO_CHANGE;
    }

    STDMETHODIMP ChangeDebuggeeState(ULONG flags, ULONG64 argument) noexcept override {
        if (flags != DEBUG_CDS_REFRESH || !leaves_the_target(argument)) {
            ++count;
        }

        return S_OK;
    }

    STDMETHODIMP ChangeEngineState(ULONG flags, ULONG64 argument) noexcept override {
        if ((flags & DEBUG_CES_EXECUTION_STATUS) != 0 && (argument & DEBUG_STATUS_MASK) != DEBUG_STATUS_BREAK) {
            ++count;
        }

        if ((flags & DEBUG_CES_SYSTEMS) != 0) {
            ++count;
            if (on_target_gone != nullptr) {
                on_target_gone();
            }
        }

        return S_OK;
    }

    std::atomic<std::uint64_t> count{0};
    void (*on_target_gone)() noexcept = nullptr;
};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): one for the whole debugger is the point
ChangeCounter counter;
PDEBUG_CLIENT own_client = nullptr;
DWORD told_thread = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}

bool watch_target(const Debugger& debugger, void (*on_target_gone)() noexcept) noexcept {
    if (own_client == nullptr) {
        if (FAILED(debugger.client->CreateClient(&own_client))) {
            own_client = nullptr;
            return false;
        }

        counter.on_target_gone = on_target_gone;
        if (FAILED(own_client->SetEventCallbacks(&counter))) {
            stop_watching_target();
            return false;
        }

        told_thread = GetCurrentThreadId();
    }

    return told_thread == GetCurrentThreadId();
}

std::uint64_t target_change_count() noexcept { return counter.count; }

void note_target_change() noexcept { ++counter.count; }

void stop_watching_target() noexcept {
    if (own_client != nullptr) {
        own_client->SetEventCallbacks(nullptr);
        own_client->Release();
        own_client = nullptr;
    }
}

}
