using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>
/// Walks ARM64 stacks: by unwind information where it is readable, else by a validated chain of frame pointers, else by scanning the stack for return
/// addresses. Each frame carries how it was found. Pointer authentication codes are removed from return addresses. Safe for concurrent use.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="modules">Its modules.</param>
/// <param name="images">Their images.</param>
/// <param name="limits">Limits; null for the defaults.</param>
/// <param name="dynamicFunctions">Functions outside of modules; null for none.</param>
public sealed class Arm64StackWalker(
    IMemory memory, IModuleMap modules, PeImages images, ReadLimits? limits = null, IDynamicFunctions? dynamicFunctions = null) : IStackWalker
{
    // The first functions of a thread have frames of less than 0x100 bytes together; the system leaves some room above them.
    private const ulong FirstFrames = 0x400;
    private readonly int _maximumFrames = (limits ?? ReadLimits.Default).MaxFrames;
    private readonly Arm64FrameUnwinder _unwinder = new(images, memory);
    private readonly Arm64FrameRecovery _recovery = new(memory, new CodeMap(modules, images, dynamicFunctions));

    /// <inheritdoc/>
    public WalkedStack Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames = int.MaxValue) =>
        context is Arm64Registers registers ? Walk(registers, bounds, Math.Min(maximumFrames, _maximumFrames)) : new WalkedStack([], StackEnd.NoContext);

    private WalkedStack Walk(Arm64Registers registers, StackBounds? bounds, int maximumFrames)
    {
        List<WalkedFrame> frames = [];
        FrameTrust trust = FrameTrust.Context;
        bool isInnermost = true;
        bool isStackPointerKnown = true;
        while (true)
        {
            Arm64UnwoundFrame step = _unwinder.Unwind(registers, isInnermost, isStackPointerKnown);
            frames.Add(new WalkedFrame(registers, trust, step.FunctionStart) { Code = step.Code });
            if (frames.Count >= maximumFrames)
            {
                return new WalkedStack(frames, StackEnd.Limit);
            }

            StackEnd? end = Judge(step, registers, isInnermost, trust, bounds);
            if (end is StackEnd.Complete)
            {
                return new WalkedStack(frames, end.Value);
            }

            Arm64Registers caller = step.Caller;
            FrameTrust found = IsBelievable(step) ? FrameTrust.UnwindInfo : FrameTrust.Scan;
            if (end is not null || IsKeptByFrame(step, registers, bounds))
            {
                if (_recovery.Recover(registers, bounds) is not { } recovered)
                {
                    return new WalkedStack(frames, end ?? StackEnd.UnwindInfoMissing);
                }

                (caller, found) = recovered;
                isStackPointerKnown = false;
            }
            else
            {
                isStackPointerKnown = true;
            }

            isInnermost = step.IsMachineFrame && isStackPointerKnown;
            registers = caller;

            // A frame is no surer than the one that it was found from.
            trust = found < trust ? found : trust;
        }
    }

    /// <summary>
    /// True when a function without any table turns out to be no leaf: its frame keeps the same return address as the link register, and a leaf has no frame.
    /// </summary>
    private bool IsKeptByFrame(in Arm64UnwoundFrame step, in Arm64Registers frame, StackBounds? bounds) =>
        step.IsGuess && _recovery.Recover(frame, bounds) is { Trust: FrameTrust.FramePointer } kept && kept.Caller.Pc == step.Caller.Pc;

    /// <summary>
    /// False where the caller is a guess: of a function without any table, of an address that nothing says to be code, or of one whose authentication code no
    /// unwind code announced and that no call precedes.
    /// </summary>
    private bool IsBelievable(in Arm64UnwoundFrame step) =>
        !step.IsGuess && _recovery.IsSurelyCode(step.Caller.Pc) && (!step.WasStripped || _recovery.IsReturnAddress(step.Caller.Pc));

    /// <summary>
    /// Null when the step leads to a caller, else why not. A zero where a return address was only guessed to stand is no end, nor is one that a guessed frame
    /// led to, unless it lies where stacks end: a thread's first function has its frame directly below the base.
    /// </summary>
    private StackEnd? Judge(in Arm64UnwoundFrame step, in Arm64Registers frame, bool isInnermost, FrameTrust trust, StackBounds? bounds) =>
        (step.End ?? Check(step, frame, isInnermost, bounds)) switch
        {
            StackEnd.Complete when step.IsGuess => StackEnd.UnwindInfoMissing,
            StackEnd.Complete when trust == FrameTrust.Scan && !(bounds is { } known && step.Caller.Sp + FirstFrames >= known.Base) =>
                StackEnd.UnwindInfoMissing,
            var end => end,
        };

    /// <summary>Null when the caller's registers are believable; else why the walk cannot go on that way.</summary>
    private StackEnd? Check(in Arm64UnwoundFrame step, in Arm64Registers frame, bool isInnermost, StackBounds? bounds)
    {
        if (step.Caller.Pc == 0 || (bounds is { } known && step.Caller.Sp >= known.Base))
        {
            return StackEnd.Complete;
        }

        // A leaf function, or one whose prolog has not begun, has taken nothing from the stack. Its caller has.
        bool rises = step.Caller.Sp > frame.Sp || (isInnermost && !step.IsMachineFrame && step.Caller.Sp == frame.Sp);
        bool isInside = bounds is not { } stack || stack.Contains(step.Caller.Sp);
        bool isReturn = !step.IsGuess || Arm64CallInstruction.Precedes(memory, step.Caller.Pc) != false;
        return rises && isInside && isReturn && _recovery.MayBeCode(step.Caller.Pc) ? null : StackEnd.Inconsistent;
    }
}

/// <summary>
/// Finds an ARM64 frame's caller without unwind information: by its frame pointer, else by a scan of the stack. Where the code is readable both accept an
/// address only when a call instruction stands before it; where it is not, only beside a pointer to a frame further up, and no more than scanned. Where the
/// caller's frame begins is not known then: its stack pointer is a lower limit.
/// </summary>
internal sealed class Arm64FrameRecovery(IMemory memory, CodeMap code)
{
    private const int MaximumScan = 1024;
    private const int Slot = sizeof(ulong);

    /// <summary>True when headers or a call instruction before it say that the address is code.</summary>
    public bool IsSurelyCode(ulong address) => code.IsCode(address) ?? Arm64CallInstruction.Precedes(memory, address) == true;

    /// <summary>True when the address may be code: nothing says that it is not.</summary>
    public bool MayBeCode(ulong address) => code.IsCode(address) != false;

    /// <summary>True when it is in code and behind a call.</summary>
    public bool IsReturnAddress(ulong address) => MayBeCode(address) && Arm64CallInstruction.Precedes(memory, address) == true;

    /// <summary>The caller and how it was found, or null.</summary>
    public (Arm64Registers Caller, FrameTrust Trust)? Recover(in Arm64Registers frame, StackBounds? bounds) =>
        ByFramePointer(frame, bounds) is { } pointed ? (pointed, IsReturnAddress(pointed.Pc) ? FrameTrust.FramePointer : FrameTrust.Scan)
        : Scan(frame, bounds) is { } scanned ? (scanned, FrameTrust.Scan)
        : null;

    /// <summary>The frame pointer points to the caller's, behind which the return address stands.</summary>
    private Arm64Registers? ByFramePointer(in Arm64Registers frame, StackBounds? bounds)
    {
        ulong pointer = frame.Fp;
        if (pointer % Slot != 0 || pointer < frame.Sp || pointer > ulong.MaxValue - 2 * Slot
            || (bounds is { } stack && !stack.Contains(pointer))
            || memory.ReadUInt64(pointer) is not { } saved || (saved <= pointer && saved != 0)
            || memory.ReadUInt64(pointer + Slot) is not { } link || !MayReturnTo(Arm64ReturnAddress.Strip(link), pointer, saved, bounds))
        {
            return null;
        }

        Arm64Registers caller = frame;
        caller.Fp = saved;
        caller.Pc = Arm64ReturnAddress.Strip(link);
        caller.Sp = pointer + 2 * Slot;
        return caller;
    }

    /// <summary>
    /// True for an address behind a call; where its code is not readable, for one that stands beside a
    /// pointer to a frame further up in the stack, as functions store the two.
    /// </summary>
    private bool MayReturnTo(ulong address, ulong slot, ulong frame, StackBounds? bounds) =>
        IsReturnAddress(address)
        || (MayBeCode(address) && Arm64CallInstruction.Precedes(memory, address) is null && frame > slot && frame % Slot == 0
            && bounds?.Contains(frame) != false);

    private Arm64Registers? Scan(in Arm64Registers frame, StackBounds? bounds)
    {
        ulong slot = frame.Sp & ~(ulong)(Slot - 1);
        ulong below = 0;
        for (int i = 0; i < MaximumScan && slot <= ulong.MaxValue - Slot; i++, slot += Slot)
        {
            if ((bounds is { } stack && slot >= stack.Base) || memory.ReadUInt64(slot) is not { } value)
            {
                return null;
            }

            if (MayReturnTo(Arm64ReturnAddress.Strip(value), slot, below, bounds))
            {
                Arm64Registers caller = frame;
                caller.Pc = Arm64ReturnAddress.Strip(value);
                caller.Sp = slot + Slot;

                // Most functions store the frame pointer beside the return address.
                caller.Fp = below > slot && bounds?.Contains(below) != false ? below : caller.Fp;
                return caller;
            }

            below = value;
        }

        return null;
    }
}

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

/// <summary>The result of unwinding one ARM64 frame.</summary>
/// <param name="Caller">The caller's registers when <paramref name="End"/> is null.</param>
/// <param name="FunctionStart">Absolute address where the frame's function begins, or null when that is
/// unknown: parts of a function do not say which one they belong to.</param>
/// <param name="IsMachineFrame">True when the caller was interrupted rather than made a call.</param>
/// <param name="End">Why the caller is unknown, or null.</param>
internal readonly record struct Arm64UnwoundFrame(Arm64Registers Caller, ulong? FunctionStart, bool IsMachineFrame, StackEnd? End)
{
    /// <summary>True when nothing tells that the frame is that of a leaf function: the caller is a guess.</summary>
    public bool IsGuess { get; init; }

    /// <summary>True when the return address carried an authentication code that no unwind code announced.</summary>
    public bool WasStripped { get; init; }

    /// <summary>The table entry's range of code, or null when there is none.</summary>
    public CodeRange? Code { get; init; }
}
