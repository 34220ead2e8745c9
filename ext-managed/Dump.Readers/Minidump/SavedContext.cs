using System.Buffers.Binary;
using Dump.Model.Process;
using Dump.Readers.Registers;

namespace Dump.Readers.Minidump;

/// <summary>The registers of a saved CONTEXT.</summary>
internal sealed record SavedContext(uint Flags, IFrameRegisters? Registers, ulong InstructionPointer, ulong StackPointer)
{
    /// <summary>Reads a context, or returns null when it is too small for its architecture or outside the file.</summary>
    public static SavedContext? Read(FileBytes file, FileRange range, ProcessorArchitecture architecture)
    {
        int needed = architecture switch
        {
            ProcessorArchitecture.X64 => ContextLayout.X64Size,
            ProcessorArchitecture.X86 => ContextLayout.X86Size,
            ProcessorArchitecture.Arm64 => ContextLayout.Arm64Size,
            _ => int.MaxValue,
        };
        if (range.Size < needed || !file.Contains(range.Offset, needed))
        {
            return null;
        }

        // Threads may name overlapping contexts, so one on the heap for each could take far more than the file.
        Span<byte> bytes = stackalloc byte[ContextLayout.X64Size];
        bytes = bytes[..needed];
        file.Read(range.Offset, bytes);
        return architecture switch
        {
            ProcessorArchitecture.X64 => X64(bytes),
            ProcessorArchitecture.X86 => X86(bytes),
            _ => Arm64(bytes),
        };
    }

    /// <summary>The registers of an ARM64 CONTEXT.</summary>
    /// <param name="bytes">The structure, at least <see cref="ContextLayout.Arm64Size"/> bytes.</param>
    /// <param name="flags">Its ContextFlags.</param>
    public static Arm64Registers Arm64(ReadOnlySpan<byte> bytes, out uint flags)
    {
        Arm64Registers registers = new() { Sp = UInt64(bytes, ContextLayout.Arm64Sp), Pc = UInt64(bytes, ContextLayout.Arm64Pc) };
        for (int i = 0; i < Arm64Registers.Count; i++)
        {
            registers[i] = UInt64(bytes, ContextLayout.Arm64FirstRegister + sizeof(ulong) * i);
        }

        flags = UInt32(bytes, ContextLayout.Arm64Flags);
        return registers;
    }

    private static SavedContext Arm64(ReadOnlySpan<byte> bytes)
    {
        Arm64Registers registers = Arm64(bytes, out uint flags);
        return new SavedContext(flags, registers, registers.Pc, registers.Sp);
    }

    /// <summary>The registers of an x64 CONTEXT.</summary>
    /// <param name="bytes">The structure, at least <see cref="ContextLayout.X64Size"/> bytes.</param>
    public static SavedContext X64(ReadOnlySpan<byte> bytes)
    {
        X64Registers registers = default;
        for (X64Register register = X64Register.Rax; register <= X64Register.R15; register++)
        {
            registers[register] = UInt64(bytes, ContextLayout.X64FirstRegister + sizeof(ulong) * (int)register);
        }

        registers.Rip = UInt64(bytes, ContextLayout.X64Rip);
        return new SavedContext(UInt32(bytes, ContextLayout.X64Flags), registers, registers.Rip, registers.Rsp);
    }

    private static SavedContext X86(ReadOnlySpan<byte> bytes)
    {
        X86Registers registers = X86Context.Registers(bytes);
        return new SavedContext(UInt32(bytes, ContextLayout.X86Flags), registers, registers.Eip, registers.StackPointer);
    }

    private static uint UInt32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..]);

    private static ulong UInt64(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);
}
