using Dump.Readers.Pe;
using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.X64;

/// <summary>Undoes a prolog by its unwind codes.</summary>
internal static class UnwindCodeInterpreter
{
    /// <summary>How undoing ended.</summary>
    public enum Result
    {
        /// <summary>All codes were undone; the return address is at the stack pointer.</summary>
        Done,

        /// <summary>A machine frame set the instruction and stack pointer; there is no return address to pop.</summary>
        MachineFrame,

        /// <summary>Stack memory was missing.</summary>
        MemoryMissing,

        /// <summary>The codes make no sense.</summary>
        Inconsistent,
    }

    /// <summary>Undoes the codes whose instructions have been executed.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="info">The unwind information.</param>
    /// <param name="offset">Offset of the instruction pointer from the range's beginning; codes of later prolog instructions are skipped.</param>
    /// <param name="registers">Registers of the frame; those of its caller afterwards, but for the return address.</param>
    public static Result Undo(IMemory memory, UnwindInfo info, uint offset, ref X64Registers registers)
    {
        ulong frameBase = FrameBase(info, offset, registers);
        for (int i = 0; i < info.Codes.Length;)
        {
            int slots = Slots(info.Codes[i], info.Version);
            if (slots == 0 || i + slots > info.Codes.Length)
            {
                return Result.Inconsistent;
            }

            bool isExecuted = offset >= (info.Codes[i] & 0xFF);
            if (isExecuted && Apply(memory, info, info.Codes.AsSpan(i, slots), frameBase, ref registers) is { } end)
            {
                return end;
            }

            i += slots;
        }

        return Result.Done;
    }

    private static int Operation(ushort code) => (code >> 8) & 0xF;

    private static int Argument(ushort code) => code >> 12;

    private static int Slots(ushort code, int version) => Operation(code) switch
    {
        UnwindInfoLayout.PushNonvolatile or UnwindInfoLayout.AllocateSmall or UnwindInfoLayout.SetFrameRegister or UnwindInfoLayout.PushMachineFrame => 1,
        UnwindInfoLayout.SaveNonvolatile or UnwindInfoLayout.SaveXmm => 2,
        UnwindInfoLayout.AllocateLarge => Argument(code) switch { 0 => 2, 1 => 3, _ => 0 },
        UnwindInfoLayout.SaveNonvolatileFar or UnwindInfoLayout.SaveXmmFar or UnwindInfoLayout.Spare => 3,
        UnwindInfoLayout.Epilog => version == 1 ? 2 : 1,
        _ => 0,
    };

    /// <summary>
    /// Where the offsets of saved registers count from: the lower end of the fixed allocation. The frame register tells it once it is set,
    /// because the stack pointer may have moved on since; until then the stack pointer itself does.
    /// </summary>
    private static ulong FrameBase(UnwindInfo info, uint offset, in X64Registers registers)
    {
        bool isSet = info.IsChained;
        for (int i = 0; i < info.Codes.Length && !isSet; i += Math.Max(1, Slots(info.Codes[i], info.Version)))
        {
            isSet = Operation(info.Codes[i]) == UnwindInfoLayout.SetFrameRegister && offset >= (info.Codes[i] & 0xFF);
        }

        return isSet && info.FrameRegister != X64Register.Rax ? unchecked(registers[info.FrameRegister] - info.FrameOffset) : registers.Rsp;
    }

    private static Result? Apply(IMemory memory, UnwindInfo info, ReadOnlySpan<ushort> code, ulong frameBase, ref X64Registers registers)
    {
        int argument = Argument(code[0]);
        switch (Operation(code[0]))
        {
            case UnwindInfoLayout.PushNonvolatile:
                if (memory.ReadUInt64(registers.Rsp) is not { } pushed)
                {
                    return Result.MemoryMissing;
                }

                registers[(X64Register)argument] = pushed;
                registers.Rsp += sizeof(ulong);
                return null;
            case UnwindInfoLayout.AllocateLarge:
                registers.Rsp += argument == 0 ? (ulong)code[1] * sizeof(ulong) : Far(code);
                return null;
            case UnwindInfoLayout.AllocateSmall:
                registers.Rsp += (ulong)argument * sizeof(ulong) + sizeof(ulong);
                return null;
            case UnwindInfoLayout.SetFrameRegister:
                registers.Rsp = unchecked(registers[info.FrameRegister] - info.FrameOffset);
                return null;
            case UnwindInfoLayout.SaveNonvolatile:
                return Restore(memory, argument, unchecked(frameBase + ((ulong)code[1] * sizeof(ulong))), ref registers);
            case UnwindInfoLayout.SaveNonvolatileFar:
                return Restore(memory, argument, unchecked(frameBase + Far(code)), ref registers);
            case UnwindInfoLayout.PushMachineFrame:
                return PopMachineFrame(memory, hasErrorCode: argument == 1, ref registers);
            default:
                return null;
        }
    }

    private static ulong Far(ReadOnlySpan<ushort> code) => code[1] | (ulong)code[2] << 16;

    private static Result? Restore(IMemory memory, int register, ulong place, ref X64Registers registers)
    {
        if (memory.ReadUInt64(place) is not { } saved)
        {
            return Result.MemoryMissing;
        }

        registers[(X64Register)register] = saved;
        return null;
    }

    private static Result PopMachineFrame(IMemory memory, bool hasErrorCode, ref X64Registers registers)
    {
        ulong frame = registers.Rsp + (hasErrorCode ? sizeof(ulong) : 0UL);
        if (memory.ReadUInt64(frame) is not { } instruction
            || memory.ReadUInt64(unchecked(frame + UnwindInfoLayout.MachineFrameStackPointer)) is not { } stack)
        {
            return Result.MemoryMissing;
        }

        registers.Rip = instruction;
        registers.Rsp = stack;
        return Result.MachineFrame;
    }
}
