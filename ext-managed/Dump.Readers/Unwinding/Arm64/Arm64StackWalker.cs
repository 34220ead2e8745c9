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
