#include "target/current_registers.hpp"

namespace dumpext {

std::optional<CurrentRegisters> current_registers(const Debugger& debugger) {
    ULONG machine = 0;
    ULONG thread = 0;
    if (!debugger.advanced || FAILED(debugger.control->GetEffectiveProcessorType(&machine)) || machine != IMAGE_FILE_MACHINE_AMD64 ||
        FAILED(debugger.objects->GetCurrentThreadSystemId(&thread))) {
        return std::nullopt;
    }

    CurrentRegisters current{thread, {}};
    return SUCCEEDED(debugger.advanced->GetThreadContext(&current.context, sizeof current.context)) ? std::optional(current) : std::nullopt;
}

void take_integers(CONTEXT& context, const CONTEXT& from) {
    context.Rax = from.Rax;
    context.Rcx = from.Rcx;
    context.Rdx = from.Rdx;
    context.Rbx = from.Rbx;
    context.Rsp = from.Rsp;
    context.Rbp = from.Rbp;
    context.Rsi = from.Rsi;
    context.Rdi = from.Rdi;
    context.R8 = from.R8;
    context.R9 = from.R9;
    context.R10 = from.R10;
    context.R11 = from.R11;
    context.R12 = from.R12;
    context.R13 = from.R13;
    context.R14 = from.R14;
    context.R15 = from.R15;
    context.Rip = from.Rip;
    context.EFlags = from.EFlags;
}

}
