using System.Buffers.Binary;
using Dump.Readers.Registers;

namespace Dump.Readers.Minidump;

/// <summary>Reads a 32-bit CONTEXT: that of a 32-bit dump, and the one that a 64-bit process keeps of its 32-bit side.</summary>
internal static class X86Context
{
    /// <summary>The registers of a context.</summary>
    /// <param name="bytes">Its bytes, at least <see cref="ContextLayout.X86Size"/>.</param>
    public static X86Registers Registers(ReadOnlySpan<byte> bytes)
    {
        X86Registers registers = X86Registers.At(UInt32(bytes, ContextLayout.X86Eip), UInt32(bytes, ContextLayout.X86Esp));
        registers[X86Register.Eax] = UInt32(bytes, ContextLayout.X86Eax);
        registers[X86Register.Ecx] = UInt32(bytes, ContextLayout.X86Ecx);
        registers[X86Register.Edx] = UInt32(bytes, ContextLayout.X86Edx);
        registers[X86Register.Ebx] = UInt32(bytes, ContextLayout.X86Ebx);
        registers[X86Register.Esp] = UInt32(bytes, ContextLayout.X86Esp);
        registers[X86Register.Ebp] = UInt32(bytes, ContextLayout.X86Ebp);
        registers[X86Register.Esi] = UInt32(bytes, ContextLayout.X86Esi);
        registers[X86Register.Edi] = UInt32(bytes, ContextLayout.X86Edi);
        return registers;
    }

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);
}
