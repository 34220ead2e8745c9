using System.Buffers.Binary;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Windows;

/// <summary>The 32-bit side of a thread in a 64-bit dump.</summary>
/// <param name="Registers">Its 32-bit registers.</param>
/// <param name="Environment">Its 32-bit TEB.</param>
/// <param name="RunsEmulatedCode">True when the thread was executing 32-bit code: the registers that the dump lists are those of that code.</param>
internal sealed record EmulatedThread(X86Registers Registers, ThreadEnvironmentBlock Environment, bool RunsEmulatedCode)
{
    /// <summary>Reads it; null when anything of it is missing or does not fit together.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="images">Its images.</param>
    /// <param name="thread">The thread list's entry.</param>
    /// <param name="wow64">Where the 64-bit side keeps the 32-bit one.</param>
    /// <param name="layout">Where the 32-bit TEB has its fields.</param>
    public static EmulatedThread? Read(IMemory memory, PeImages images, MinidumpThread thread, Wow64Layout wow64, TebLayout layout)
    {
        bool runs = thread.Registers is X64Registers { Rip: <= uint.MaxValue } and { }
            && images.Find(thread.InstructionPointer!.Value, out _) is { Machine: PeLayout.MachineX86 };
        X86Registers? registers = runs ? Narrowed((X64Registers)thread.Registers!) : Saved(memory, thread.Teb);
        return registers is { } known
            && Candidates(memory, wow64, thread.Teb).Select(teb => ThreadEnvironmentBlock.Read(memory, layout, teb, thread.Id, known.StackPointer))
                .FirstOrDefault(e => e is not null) is { } environment
                ? new EmulatedThread(known, environment, runs)
                : null;
    }

    /// <summary>Where the 32-bit TEB may be; which is right its content tells.</summary>
    private static IEnumerable<ulong> Candidates(IMemory memory, Wow64Layout wow64, ulong teb)
    {
        if (memory.ReadUInt32(teb, wow64.TebWowTebOffset) is { } offset and not 0)
        {
            yield return unchecked(teb + (ulong)(int)offset);
        }

        if (memory.ReadUInt64(teb + Wow64Layout.TebExceptionList) is { } list and <= uint.MaxValue)
        {
            yield return list;
        }
    }

    /// <summary>The context that the emulation layer saved when the thread left 32-bit code.</summary>
    private static X86Registers? Saved(IMemory memory, ulong teb)
    {
        Span<byte> context = stackalloc byte[ContextLayout.X86Size];
        return teb is not 0 and < ulong.MaxValue - 0x10000
            && memory.ReadUInt64(teb + Wow64Layout.TebCpuReserved) is { } area and not 0 && area < ulong.MaxValue - ContextLayout.MaximumSize
            && memory.ReadUInt16(area + Wow64Layout.CpuMachine) is 0 or PeLayout.MachineX86
            && memory.TryRead(area + Wow64Layout.CpuContext, context)
            && (BinaryPrimitives.ReadUInt32LittleEndian(context[ContextLayout.X86Flags..]) & Wow64Layout.ContextIsX86) != 0
                ? X86Context.Registers(context)
                : null;
    }

    private static X86Registers Narrowed(in X64Registers wide)
    {
        X86Registers registers = X86Registers.At((uint)wide.Rip, (uint)wide.Rsp);
        for (X86Register register = X86Register.Eax; register <= X86Register.Edi; register++)
        {
            registers[register] = (uint)wide[(X64Register)(int)register];
        }

        return registers;
    }
}
