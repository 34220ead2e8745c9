using Dump.Readers.Minidump;
using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>One decoded ARM64 unwind code.</summary>
/// <param name="Operation">What it undoes.</param>
/// <param name="Size">Bytes that it takes.</param>
/// <param name="Register">First register that was stored.</param>
/// <param name="Count">How many were stored, without those of preceding <see cref="Arm64UnwindOperation.SaveNext"/> codes.</param>
/// <param name="Offset">Where they were stored, in bytes from the stack pointer; for
/// <see cref="Arm64UnwindOperation.SetFramePointer"/> how far the frame pointer was set above it.</param>
/// <param name="Allocation">Bytes that the stack pointer moved down.</param>
internal readonly record struct Arm64UnwindCode(Arm64UnwindOperation Operation, int Size, int Register = 0, int Count = 0, int Offset = 0, int Allocation = 0)
{
    private const int Slot = sizeof(ulong);

    /// <summary>True for the codes that end a sequence.</summary>
    public bool IsEnd => Operation is Arm64UnwindOperation.End or Arm64UnwindOperation.EndChained;

    /// <summary>Instructions of the prolog or epilog that it stands for: one, but none for what hardware or kernel did.</summary>
    public int Instructions => Operation is Arm64UnwindOperation.TrapFrame or Arm64UnwindOperation.MachineFrame or Arm64UnwindOperation.Context
        or Arm64UnwindOperation.ClearUnwoundToCall or Arm64UnwindOperation.Unknown ? 0 : 1;

    /// <summary>Decodes the code at the beginning of the bytes; <see cref="Arm64UnwindOperation.Unknown"/> also when bytes are missing.</summary>
    public static Arm64UnwindCode Decode(ReadOnlySpan<byte> codes)
    {
        Arm64UnwindCode code = codes.IsEmpty ? default : codes[0] < Arm64UnwindLayout.FirstDouble ? Single(codes[0])
            : codes[0] >= Arm64UnwindLayout.FirstOther ? Other(codes)
            : codes.Length > 1 ? Double(codes[0] << 8 | codes[1])
            : default;
        return code.Size == 0 || code.Size > codes.Length ? new Arm64UnwindCode(Arm64UnwindOperation.Unknown, 1) : code;
    }

    private static Arm64UnwindCode Single(int code) => code switch
    {
        < Arm64UnwindLayout.SaveR19R20 => new(Arm64UnwindOperation.Allocate, 1, Allocation: code * Arm64UnwindLayout.AllocationUnit),
        < Arm64UnwindLayout.SaveFrameAndLink =>
            new(Arm64UnwindOperation.SaveGeneral, 1, Arm64Registers.FirstNonvolatile, 2, Allocation: (code & 0x1F) * Slot),
        < Arm64UnwindLayout.SaveFrameAndLinkIndexed =>
            new(Arm64UnwindOperation.SaveGeneral, 1, Arm64Registers.FramePointerNumber, 2, Offset: (code & 0x3F) * Slot),
        _ => new(Arm64UnwindOperation.SaveGeneral, 1, Arm64Registers.FramePointerNumber, 2, Allocation: ((code & 0x3F) + 1) * Slot),
    };

    /// <summary>
    /// Codes of two bytes, the first in the higher bits: number of the first register above the offset, which
    /// has six bits, or five in the indexed form for one register.
    /// </summary>
    private static Arm64UnwindCode Double(int code)
    {
        int wide = code & 0x3F;
        int narrow = code & 0x1F;
        int general = Arm64Registers.FirstNonvolatile + ((code >> 6) & 0xF);
        return (code >> 8) switch
        {
            < Arm64UnwindLayout.SavePair => new(Arm64UnwindOperation.Allocate, 2, Allocation: (code & 0x7FF) * Arm64UnwindLayout.AllocationUnit),
            < Arm64UnwindLayout.SavePairIndexed => new(Arm64UnwindOperation.SaveGeneral, 2, general, 2, Offset: wide * Slot),
            < Arm64UnwindLayout.SaveOne => new(Arm64UnwindOperation.SaveGeneral, 2, general, 2, Allocation: (wide + 1) * Slot),
            < Arm64UnwindLayout.SaveOneIndexed => new(Arm64UnwindOperation.SaveGeneral, 2, general, 1, Offset: wide * Slot),
            < Arm64UnwindLayout.SaveLinkPair =>
                new(Arm64UnwindOperation.SaveGeneral, 2, Arm64Registers.FirstNonvolatile + ((code >> 5) & 0xF), 1, Allocation: (narrow + 1) * Slot),
            < Arm64UnwindLayout.SaveVectorPair =>
                new(Arm64UnwindOperation.SaveWithLink, 2, Arm64Registers.FirstNonvolatile + 2 * ((code >> 6) & 7), 1, Offset: wide * Slot),
            < Arm64UnwindLayout.SaveVectorPairIndexed => new(Arm64UnwindOperation.SaveVector, 2, Count: 2),
            < Arm64UnwindLayout.SaveVector => new(Arm64UnwindOperation.SaveVector, 2, Count: 2, Allocation: (wide + 1) * Slot),
            < Arm64UnwindLayout.SaveVectorIndexed => new(Arm64UnwindOperation.SaveVector, 2, Count: 1),
            Arm64UnwindLayout.SaveVectorIndexed => new(Arm64UnwindOperation.SaveVector, 2, Count: 1, Allocation: (narrow + 1) * Slot),
            _ => default,
        };
    }

    private static Arm64UnwindCode Other(ReadOnlySpan<byte> codes) => codes[0] switch
    {
        Arm64UnwindLayout.AllocateLarge when codes.Length > 3 =>
            new(Arm64UnwindOperation.Allocate, 4, Allocation: (codes[1] << 16 | codes[2] << 8 | codes[3]) * Arm64UnwindLayout.AllocationUnit),
        Arm64UnwindLayout.SetFrame => new(Arm64UnwindOperation.SetFramePointer, 1),
        Arm64UnwindLayout.AddFrame when codes.Length > 1 => new(Arm64UnwindOperation.SetFramePointer, 2, Offset: codes[1] * Slot),
        Arm64UnwindLayout.Nothing => new(Arm64UnwindOperation.Nothing, 1),
        Arm64UnwindLayout.End => new(Arm64UnwindOperation.End, 1),
        Arm64UnwindLayout.EndChained => new(Arm64UnwindOperation.EndChained, 1),
        Arm64UnwindLayout.SaveNext => new(Arm64UnwindOperation.SaveNext, 1),
        Arm64UnwindLayout.SaveAny when codes.Length > 2 => SaveAny(codes[1], codes[2]),
        Arm64UnwindLayout.TrapFrame => new(Arm64UnwindOperation.TrapFrame, 1),
        Arm64UnwindLayout.MachineFrame => new(Arm64UnwindOperation.MachineFrame, 1),
        Arm64UnwindLayout.Context => new(Arm64UnwindOperation.Context, 1),
        Arm64UnwindLayout.ClearUnwoundToCall => new(Arm64UnwindOperation.ClearUnwoundToCall, 1),
        Arm64UnwindLayout.SignReturnAddress => new(Arm64UnwindOperation.SignReturnAddress, 1),

        // Reserved for codes of two to five bytes that an unwinder may skip.
        >= Arm64UnwindLayout.FirstReserved and var reserved =>
            new(Arm64UnwindOperation.Nothing, reserved < Arm64UnwindLayout.SignReturnAddress ? reserved - Arm64UnwindLayout.FirstReserved + 2 : 1),
        _ => default,
    };

    /// <summary>
    /// The code for any register: 0pxrrrrr ffoooooo with p a pair, x the indexed form, r the register, f its kind (0 general) and o the offset.
    /// </summary>
    private static Arm64UnwindCode SaveAny(int first, int second)
    {
        bool isPair = (first & 0x40) != 0;
        bool isIndexed = (first & 0x20) != 0;
        int kind = second >> 6;
        int unit = isIndexed || isPair || kind == 2 ? 2 * Slot : Slot;
        int offset = isIndexed ? 0 : (second & 0x3F) * unit;
        int allocation = isIndexed ? ((second & 0x3F) + 1) * unit : 0;
        return (first & 0x80) != 0 || kind == 3 ? default
            : kind == 0 ? new(Arm64UnwindOperation.SaveGeneral, 3, first & 0x1F, isPair ? 2 : 1, offset, allocation)
            : new(Arm64UnwindOperation.SaveVector, 3, Count: isPair ? 2 : 1, Allocation: allocation);
    }
}

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
