#include <cstdlib>
#include <stdexcept>

#include "commands.hpp"
#include "debugger_output.hpp"
#include "single_command.hpp"

// Commands that fail on purpose: only in builds for tests.

extern "C" {

HRESULT CALLBACK faultaccess(PDEBUG_CLIENT, PCSTR) {
    const dumpext::SingleCommand single;
    volatile int* nowhere = nullptr;
    *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference): on purpose
    return S_OK;
}

HRESULT CALLBACK faultexception(PDEBUG_CLIENT, PCSTR) { throw std::runtime_error("thrown on purpose"); }

/// Holds the right to run a command for as many seconds as its argument says.
HRESULT CALLBACK faultwait(PDEBUG_CLIENT, PCSTR arguments) {
    const dumpext::SingleCommand single;
    Sleep(1000 * static_cast<DWORD>(std::strtoul(arguments == nullptr ? "1" : arguments, nullptr, 10)));
    return S_OK;
}

}
