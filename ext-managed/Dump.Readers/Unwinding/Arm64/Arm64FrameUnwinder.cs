using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>Unwinds one ARM64 frame by its function's unwind information.</summary>
internal sealed class Arm64FrameUnwinder(PeImages images, IMemory memory)
{
    /// <summary>Takes the registers of a frame to those of its caller.</summary>
    /// <param name="registers">Its registers.</param>
    /// <param name="isInnermost">True when the program counter is where the thread stands, so that it may be
    /// in a leaf function, a prolog or an epilog; false for a return address.</param>
    /// <param name="isStackPointerKnown">False when the stack pointer is only a lower limit: then only
    /// functions that restore it from the frame pointer can be unwound.</param>
    public Arm64UnwoundFrame Unwind(in Arm64Registers registers, bool isInnermost, bool isStackPointerKnown = true)
    {
        ulong lookup = isInnermost ? registers.Pc : registers.Pc - Arm64CallInstruction.Size;
        if (images.Find(lookup, out uint rva) is not { } image)
        {
            return NoTable(registers, isInnermost);
        }

        return image.LookUpFunction(rva, out RuntimeFunction function) switch
        {
            FunctionLookup.Found =>
                Unwind(registers, image, function, (rva - function.Begin) / Arm64CallInstruction.Size, isInnermost, isStackPointerKnown) with
            {
                Code = new CodeRange(image.BaseAddress + function.Begin, image.BaseAddress + function.End),
            },
            FunctionLookup.NoEntry when isInnermost => Return(registers, null),
            FunctionLookup.NoEntry => new Arm64UnwoundFrame(registers, null, false, StackEnd.Inconsistent),
            _ => NoTable(registers, isInnermost),
        };
    }

    /// <summary>Without any table the innermost function may be a leaf, and most often is one: a system-call stub.</summary>
    private static Arm64UnwoundFrame NoTable(in Arm64Registers registers, bool isInnermost) =>
        isInnermost ? Return(registers, null) with { IsGuess = true } : new Arm64UnwoundFrame(registers, null, false, StackEnd.UnwindInfoMissing);

    /// <summary>To the address in the link register, where unwinding has left the return address.</summary>
    private static Arm64UnwoundFrame Return(Arm64Registers registers, ulong? start)
    {
        ulong from = registers.Pc;
        registers.Pc = Arm64ReturnAddress.Strip(registers.Lr);

        // A function that returns to where it stands makes no progress.
        return new Arm64UnwoundFrame(registers, start, false,
            registers.Pc == from ? StackEnd.Inconsistent : null) { WasStripped = Arm64ReturnAddress.IsSigned(registers.Lr) };
    }

    private Arm64UnwoundFrame Unwind(
        in Arm64Registers frame, PeImage image, RuntimeFunction function, uint offset, bool isInnermost, bool isStackPointerKnown)
    {
        if (Arm64UnwindInfo.Read(image, function, offset) is not { } info)
        {
            return new Arm64UnwoundFrame(frame, null, false, StackEnd.UnwindInfoMissing);
        }

        ulong? start = info.IsFragment ? null : image.BaseAddress + function.Begin;
        (int codes, uint skip) = Position(info, offset, isInnermost);
        if (!isStackPointerKnown && !RestoresStackPointer(info.Codes.AsSpan(codes), skip))
        {
            return new Arm64UnwoundFrame(frame, start, false, StackEnd.UnwindInfoMissing);
        }

        Arm64Registers registers = frame;
        return Arm64UnwindCodeInterpreter.Undo(memory, info.Codes.AsSpan(codes), skip, ref registers) switch
        {
            Arm64UnwindCodeInterpreter.Result.Done => Return(registers, start),
            Arm64UnwindCodeInterpreter.Result.MachineFrame => new Arm64UnwoundFrame(registers, start, true, null),
            Arm64UnwindCodeInterpreter.Result.MemoryMissing => new Arm64UnwoundFrame(frame, start, false, StackEnd.MemoryMissing),
            _ => new Arm64UnwoundFrame(frame, start, false, StackEnd.Inconsistent),
        };
    }

    /// <summary>
    /// First code to undo, and how many instructions' codes to skip from there. A prolog may call, to grow the stack, but an epilog never does.
    /// </summary>
    private static (int CodeIndex, uint Skip) Position(Arm64UnwindInfo info, uint offset, bool isInnermost)
    {
        uint prolog = info.CountInstructions(0);
        if (offset < prolog)
        {
            return (0, prolog - offset);
        }

        return isInnermost && info.Epilog is { } epilog && epilog.CodeIndex < info.Codes.Length && offset >= epilog.Start
            && offset - epilog.Start <= info.CountInstructions(epilog.CodeIndex)
                ? (epilog.CodeIndex, offset - epilog.Start)
                : (0, 0);
    }

    /// <summary>True when the first code that uses the stack pointer sets it from the frame pointer.</summary>
    private static bool RestoresStackPointer(ReadOnlySpan<byte> codes, uint skip)
    {
        while (!codes.IsEmpty)
        {
            Arm64UnwindCode code = Arm64UnwindCode.Decode(codes);
            codes = codes[code.Size..];
            if (skip > 0 && !code.IsEnd)
            {
                skip--;
            }
            else if (code.Operation is not (Arm64UnwindOperation.Nothing or Arm64UnwindOperation.SignReturnAddress or Arm64UnwindOperation.EndChained))
            {
                return code.Operation == Arm64UnwindOperation.SetFramePointer;
            }
        }

        return false;
    }
}
