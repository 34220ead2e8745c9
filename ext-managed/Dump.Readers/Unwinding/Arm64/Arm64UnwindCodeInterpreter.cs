using Dump.Readers.Minidump;
using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>Undoes an ARM64 prolog, or carries out the rest of an epilog, by its unwind codes.</summary>
internal static class Arm64UnwindCodeInterpreter
{
    /// <summary>How undoing ended.</summary>
    public enum Result
    {
        /// <summary>All codes were undone; the return address is in the link register.</summary>
        Done,

        /// <summary>The caller was interrupted; the codes set its program counter.</summary>
        MachineFrame,

        /// <summary>Stack memory was missing.</summary>
        MemoryMissing,

        /// <summary>The codes make no sense, or are not undone here.</summary>
        Inconsistent,
    }

    /// <summary>Undoes codes.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="codes">The codes, from the first that counts.</param>
    /// <param name="skip">Instructions that have not been executed in a prolog, or have been in an epilog: their codes are skipped.</param>
    /// <param name="registers">Registers of the frame; those of its caller afterwards, but for the program
    /// counter where the result is <see cref="Result.Done"/>.</param>
    public static Result Undo(IMemory memory, ReadOnlySpan<byte> codes, uint skip, ref Arm64Registers registers)
    {
        Result result = Result.Done;
        int pairs = 0;
        while (!codes.IsEmpty)
        {
            Arm64UnwindCode code = Arm64UnwindCode.Decode(codes);
            codes = codes[code.Size..];
            if (skip > 0 && !code.IsEnd)
            {
                skip--;
                continue;
            }

            skip = 0;
            if (code.Operation == Arm64UnwindOperation.End)
            {
                return pairs == 0 ? result : Result.Inconsistent;
            }

            if (code.Operation == Arm64UnwindOperation.SaveNext)
            {
                pairs++;
                continue;
            }

            bool takesPairs = code.Count == 2 && code.Operation is Arm64UnwindOperation.SaveGeneral or Arm64UnwindOperation.SaveVector;
            if ((pairs > 0 && !takesPairs) || Apply(memory, code, pairs, ref registers) is not { } step)
            {
                return Result.Inconsistent;
            }

            if (step == Result.MemoryMissing)
            {
                return step;
            }

            pairs = 0;
            result = step == Result.MachineFrame ? step : result;
        }

        // Codes end with a code that says so.
        return Result.Inconsistent;
    }

    private static Result? Apply(IMemory memory, in Arm64UnwindCode code, int pairs, ref Arm64Registers registers)
    {
        switch (code.Operation)
        {
            case Arm64UnwindOperation.Nothing or Arm64UnwindOperation.EndChained:
                return Result.Done;
            case Arm64UnwindOperation.Allocate or Arm64UnwindOperation.SaveVector:
                registers.Sp += (ulong)code.Allocation;
                return Result.Done;
            case Arm64UnwindOperation.SetFramePointer:
                registers.Sp = unchecked(registers.Fp - (ulong)code.Offset);
                return Result.Done;
            case Arm64UnwindOperation.SignReturnAddress:
                registers.Lr = Arm64ReturnAddress.Strip(registers.Lr);
                return Result.Done;
            case Arm64UnwindOperation.SaveGeneral:
                return Restore(memory, code, code.Count + 2 * pairs, ref registers);
            case Arm64UnwindOperation.SaveWithLink:
                ulong link = registers.Sp + (ulong)code.Offset + sizeof(ulong);
                return RestoreOne(memory, link, Arm64Registers.LinkNumber, ref registers) ? Restore(memory, code, 1, ref registers) : Result.MemoryMissing;
            case Arm64UnwindOperation.MachineFrame:
                return MachineFrame(memory, ref registers);
            case Arm64UnwindOperation.TrapFrame:
                return TrapFrame(memory, ref registers);
            case Arm64UnwindOperation.Context:
                return Context(memory, ref registers);
            case Arm64UnwindOperation.ClearUnwoundToCall:
                registers.Pc = registers.Lr;
                return Result.MachineFrame;
            default:
                return null;
        }
    }

    /// <summary>Restores registers that stand one behind the other. Pairs behind X28 are vector registers, whose values are not followed.</summary>
    private static Result? Restore(IMemory memory, in Arm64UnwindCode code, int count, ref Arm64Registers registers)
    {
        ulong place = registers.Sp + (ulong)code.Offset;
        for (int i = 0; i < count; i++, place += sizeof(ulong))
        {
            int register = code.Register + i;
            bool isNamed = i < code.Count;
            if (isNamed && register >= Arm64Registers.Count)
            {
                return null;
            }

            if ((isNamed || register <= Arm64Registers.LastNonvolatile) && !RestoreOne(memory, place, register, ref registers))
            {
                return Result.MemoryMissing;
            }
        }

        registers.Sp += (ulong)code.Allocation;
        return Result.Done;
    }

    private static bool RestoreOne(IMemory memory, ulong place, int register, ref Arm64Registers registers)
    {
        if (memory.ReadUInt64(place) is not { } value)
        {
            return false;
        }

        registers[register] = value;
        return true;
    }

    private static Result MachineFrame(IMemory memory, ref Arm64Registers registers)
    {
        if (memory.ReadUInt64(registers.Sp) is not { } stack || memory.ReadUInt64(unchecked(registers.Sp + Arm64UnwindLayout.MachineFramePc)) is not { } code)
        {
            return Result.MemoryMissing;
        }

        registers.Sp = stack;
        registers.Pc = code;
        return Result.MachineFrame;
    }

    private static Result TrapFrame(IMemory memory, ref Arm64Registers registers)
    {
        ulong frame = registers.Sp;
        bool isRead = RestoreOne(memory, unchecked(frame + Arm64UnwindLayout.TrapFrameLr), Arm64Registers.LinkNumber, ref registers)
            && RestoreOne(memory, unchecked(frame + Arm64UnwindLayout.TrapFrameFp), Arm64Registers.FramePointerNumber, ref registers);
        for (int i = 0; i < Arm64UnwindLayout.TrapFrameRegisters && isRead; i++)
        {
            isRead = RestoreOne(memory, unchecked(frame + Arm64UnwindLayout.TrapFrameX0 + (ulong)(i * sizeof(ulong))), i, ref registers);
        }

        if (!isRead || memory.ReadUInt64(unchecked(frame + Arm64UnwindLayout.TrapFrameSp)) is not { } stack
            || memory.ReadUInt64(unchecked(frame + Arm64UnwindLayout.TrapFramePc)) is not { } code)
        {
            return Result.MemoryMissing;
        }

        registers.Sp = stack;
        registers.Pc = code;
        return Result.MachineFrame;
    }

    private static Result Context(IMemory memory, ref Arm64Registers registers)
    {
        Span<byte> bytes = stackalloc byte[ContextLayout.Arm64Size];
        if (!memory.TryRead(registers.Sp, bytes))
        {
            return Result.MemoryMissing;
        }

        registers = SavedContext.Arm64(bytes, out uint flags);
        if ((flags & Arm64UnwindLayout.UnwoundToCall) == 0)
        {
            return Result.MachineFrame;
        }

        // Its program counter is a return address, which the unwinder takes from the link register.
        registers.Lr = registers.Pc;
        return Result.Done;
    }
}
