#include <stdexcept>

#include "commands/commands.hpp"
#include "commands/single_command.hpp"
#include "markup/debugger_output.hpp"
#include "system/unique_handle.hpp"

// Commands that fail on purpose: only in builds for tests.

extern "C" {

HRESULT CALLBACK faultaccess(PDEBUG_CLIENT, PCSTR) {
    const dumpext::SingleCommand single;
    volatile int* nowhere = nullptr;
    *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference): on purpose
    return S_OK;
}

HRESULT CALLBACK faultexception(PDEBUG_CLIENT, PCSTR) { throw std::runtime_error("thrown on purpose"); }

/// Holds the right to run a command: sets the event "dumpext-fault-waits" then, and goes on when "dumpext-fault-goes-on" is set, both made by the host, or after a minute.
HRESULT CALLBACK faultwait(PDEBUG_CLIENT, PCSTR) {
    constexpr DWORD longest_milliseconds = 60000;
    const dumpext::SingleCommand single;
    const dumpext::UniqueHandle waits(OpenEventW(EVENT_MODIFY_STATE, FALSE, L"dumpext-fault-waits"));
    const dumpext::UniqueHandle goes_on(OpenEventW(SYNCHRONIZE, FALSE, L"dumpext-fault-goes-on"));
    SetEvent(waits.get());
    WaitForSingleObject(goes_on.get(), longest_milliseconds);
    return S_OK;
}

}
