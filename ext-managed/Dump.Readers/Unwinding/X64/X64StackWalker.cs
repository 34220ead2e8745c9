using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.X64;

/// <summary>
/// Walks x64 stacks: by unwind information where it is readable, else by a validated chain of frame pointers, else by scanning the stack
/// for return addresses. Each frame carries how it was found. Safe for concurrent use.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="modules">Its modules.</param>
/// <param name="images">Their images.</param>
/// <param name="limits">Limits; null for the defaults.</param>
/// <param name="dynamicFunctions">Functions outside of modules; null for none.</param>
public sealed class X64StackWalker(
    IMemory memory, IModuleMap modules, PeImages images, ReadLimits? limits = null, IDynamicFunctions? dynamicFunctions = null) : IStackWalker
{
    // The first functions of a thread (RtlUserThreadStart, BaseThreadInitThunk) have frames of less than 0x100 bytes together; the system leaves some room
    // above them.
    private const ulong FirstFrames = 0x400;
    private readonly int _maximumFrames = (limits ?? ReadLimits.Default).MaxFrames;
    private readonly FrameUnwinder _unwinder = new(memory, images, dynamicFunctions);
    private readonly FrameRecovery _recovery = new(memory, modules, images, dynamicFunctions);

    /// <inheritdoc/>
    WalkedStack IStackWalker.Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames) =>
        context is X64Registers registers ? Walk(registers, bounds, maximumFrames) : new WalkedStack([], StackEnd.NoContext);

    /// <summary>Walks a stack.</summary>
    /// <param name="context">The thread's saved registers.</param>
    /// <param name="bounds">Where its stack lies, or null when unknown.</param>
    /// <param name="maximumFrames">Most frames, at least 1; the limits' number counts when it is lower.</param>
    public WalkedStack Walk(in X64Registers context, StackBounds? bounds, int maximumFrames = int.MaxValue)
    {
        List<WalkedFrame> frames = [];
        X64Registers registers = context;
        FrameTrust trust = FrameTrust.Context;
        bool isInnermost = true;
        while (true)
        {
            UnwoundFrame step = _unwinder.Unwind(registers, isInnermost);
            frames.Add(new WalkedFrame(registers, trust, step.FunctionStart) { Code = step.Code });
            if (frames.Count >= Math.Min(maximumFrames, _maximumFrames))
            {
                return new WalkedStack(frames, StackEnd.Limit);
            }

            X64Registers caller = step.Caller;
            StackEnd? end = Judge(step, registers, trust, bounds);
            if (end is StackEnd.Complete)
            {
                return new WalkedStack(frames, end.Value);
            }

            FrameTrust found = step.IsGuess || !_recovery.IsSurelyCode(caller.Rip) ? FrameTrust.Scan : FrameTrust.UnwindInfo;
            if (end is not null)
            {
                if (_recovery.Recover(registers, bounds, isCaller: !isInnermost) is not { } recovered)
                {
                    return new WalkedStack(frames, end.Value);
                }

                (caller, found) = recovered;
            }

            isInnermost = step.IsMachineFrame && end is null;
            registers = caller;

            // A frame is no surer than the one that it was found from.
            trust = found < trust ? found : trust;
        }
    }

    /// <summary>
    /// Null when the step leads to a caller, else why not. A zero where a return address was only guessed to stand is no end, nor is one that a guessed frame
    /// led to, unless it lies where stacks end: a thread's first function has its frame directly below the base.
    /// </summary>
    private StackEnd? Judge(in UnwoundFrame step, in X64Registers frame, FrameTrust trust, StackBounds? bounds) =>
        (step.End ?? Check(frame, step.Caller, step.IsGuess, bounds)) switch
        {
            StackEnd.Complete when step.IsGuess => StackEnd.UnwindInfoMissing,
            StackEnd.Complete when trust == FrameTrust.Scan && !(bounds is { } known && step.Caller.Rsp + FirstFrames >= known.Base) =>
                StackEnd.UnwindInfoMissing,
            var end => end,
        };

    /// <summary>Null when the caller's registers are believable; else why the walk cannot go on that way.</summary>
    private StackEnd? Check(in X64Registers frame, in X64Registers caller, bool isGuess, StackBounds? bounds)
    {
        if (caller.Rip == 0 || (bounds is { } known && caller.Rsp >= known.Base))
        {
            return StackEnd.Complete;
        }

        // The system pushes a machine frame below the stack that it interrupts, so that one rises too.
        bool isInside = bounds is not { } stack || stack.Contains(caller.Rsp);
        bool isBelievable = isGuess ? _recovery.MayBeReturnOfLeaf(caller.Rsp - sizeof(ulong), caller.Rip) : _recovery.IsCode(caller.Rip) != false;
        return caller.Rsp > frame.Rsp && isInside && isBelievable ? null : StackEnd.Inconsistent;
    }
}
