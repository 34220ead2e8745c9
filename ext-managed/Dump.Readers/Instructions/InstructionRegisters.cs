using Dump.Readers.Registers;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>The 64-bit general registers as the instruction decoder names them.</summary>
internal static class InstructionRegisters
{
    /// <summary>The register's number; null for all others, parts of a register among them.</summary>
    public static X64Register? Number(Register register) =>
        register is >= Register.RAX and <= Register.R15 ? (X64Register)(register - Register.RAX) : null;

    /// <summary>The value of a register that a called function preserves, without the stack pointer; null for all others.</summary>
    public static ulong? Preserved(in X64Registers registers, Register register) =>
        Number(register) is { } number && X64Registers.NonvolatileRegisters.Contains(number) ? registers[number] : null;
}
