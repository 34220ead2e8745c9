using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Walks the stacks of 32-bit x86 code, which has no unwind information in its images: by the frame data of PDB files
/// where there are any, by following a function's instructions to its return, by the chain of frame pointers, and
/// last by scanning the stack for return addresses. Each frame carries how it was found. Safe for concurrent use.
/// </summary>
public sealed class X86StackWalker : IStackWalker
{
    // The first functions of a thread have frames of less than 0x100 bytes together; the system leaves some room above them.
    private const uint FirstFrames = 0x400;
    // A thread that spins does so in one of its first frames.
    private const int SpinningFrames = 8;
    private readonly Lock _lock = new();
    private readonly IMemory _memory;
    private readonly int _maximumFrames;
    private readonly FrameRecovery _recovery;
    private readonly X86FrameSteps _steps;
    private readonly X86FunctionStarts _starts;
    private readonly X86FrameDescriptions _descriptions;

    /// <summary>Creates the walker.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="images">Their images.</param>
    /// <param name="limits">Limits; null for the defaults.</param>
    /// <param name="descriptions">Frame data of PDB files; null for none.</param>
    public X86StackWalker(IMemory memory, IModuleMap modules, PeImages images, ReadLimits? limits = null, IFrameDescriptions? descriptions = null)
    {
        _memory = memory;
        _maximumFrames = (limits ?? ReadLimits.Default).MaxFrames;
        _recovery = new FrameRecovery(memory, modules, images, null);
        X86CodeReader code = new(memory, images);
        _steps = new X86FrameSteps(code, modules, _recovery.IsCode);
        _starts = new X86FunctionStarts(code, images);
        _descriptions = new X86FrameDescriptions(memory, descriptions, _steps.MayBeReturnAddress, _steps.PoppedBy);
    }

    /// <inheritdoc/>
    public WalkedStack Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames = int.MaxValue)
    {
        if (context is not X86Registers registers)
        {
            return new WalkedStack([], StackEnd.NoContext);
        }

        // The code reader's budget and memories are shared by all stacks.
        lock (_lock)
        {
            return WalkFrom(registers, bounds, maximumFrames);
        }
    }

    private WalkedStack WalkFrom(X86Registers registers, StackBounds? bounds, int maximumFrames)
    {
        List<WalkedFrame> frames = [];
        FrameTrust trust = FrameTrust.Context;
        while (true)
        {
            bool isInnermost = frames.Count == 0;
            if (!isInnermost)
            {
                NameCallee(frames, registers);
            }

            frames.Add(Frame(registers, trust, frames.Count));
            if (frames.Count >= Math.Min(maximumFrames, _maximumFrames))
            {
                return new WalkedStack(frames, StackEnd.Limit);
            }

            if (Step(registers, isInnermost, bounds) is not var (caller, found))
            {
                return new WalkedStack(frames, Why(registers, trust, bounds));
            }

            if (caller.Eip == 0)
            {
                // A zero may stand anywhere; a thread's first function has its frame directly below the base, or a zero as its frame pointer too.
                bool isEnd = IsAtBase(caller.ArgumentBase, bounds) || (caller[X86Register.Ebp] == 0 && trust > FrameTrust.Scan);
                return new WalkedStack(frames, isEnd ? StackEnd.Complete : StackEnd.UnwindInfoMissing);
            }

            registers = caller;
            trust = found < trust ? found : trust;
        }
    }

    private WalkedFrame Frame(in X86Registers registers, FrameTrust trust, int index)
    {
        uint? start = _starts.OfExportAround(registers.Eip, isBehindCall: index > 0);
        return new WalkedFrame(registers, trust, start)
        {
            Code = start is { } known ? _starts.RangeOf(known) : index < SpinningFrames ? _starts.RangeAround(registers.Eip) : null,
        };
    }

    /// <summary>The call before a return address names the function that it led to, exported or not.</summary>
    private void NameCallee(List<WalkedFrame> frames, in X86Registers caller)
    {
        WalkedFrame callee = frames[^1];
        bool isBehindCall = frames.Count > 1;
        if (_steps.Targets.OfCallBefore(caller.Eip) is { } target && target != callee.FunctionStart
            && _starts.Reaches(target, (uint)callee.InstructionPointer, isBehindCall))
        {
            frames[^1] = callee with { FunctionStart = target, Code = _starts.RangeOf(target) };
        }
    }

    /// <summary>
    /// The caller and how it was found. Where the instructions leave a doubt, the nearer caller of theirs and
    /// the frame pointer's is taken: the other has passed it over.
    /// </summary>
    private (X86Registers Caller, FrameTrust Trust)? Step(in X86Registers frame, bool isInnermost, StackBounds? bounds)
    {
        if (_descriptions.Step(frame, isInnermost, bounds) is { } described)
        {
            return described;
        }

        (X86Registers Caller, FrameTrust Trust)? followed = _steps.ByInstructions(frame, bounds, out bool isSure);
        (X86Registers Caller, FrameTrust Trust)? pointed = _steps.ByFramePointer(frame, bounds);
        return (followed, pointed) switch
        {
            ({ } first, { } second) => isSure || first.Caller.ArgumentBase <= second.Caller.ArgumentBase ? first : second,
            ({ } first, null) => first,
            (null, { } second) => second,
            _ => _steps.ByScan(frame, bounds),
        };
    }

    /// <summary>
    /// Why no caller was found, not even by a scan. A thread begins with EBP zero, which its first function saves, or keeps when it has no frame pointer.
    /// </summary>
    private StackEnd Why(in X86Registers last, FrameTrust trust, StackBounds? bounds)
    {
        uint next = last[X86Register.Esp] ?? last.ArgumentBase;
        uint? pointer = last[X86Register.Ebp];
        bool isFirst = pointer is { } known && bounds is { } stack
            && ((known == 0 && IsAtBase(next, bounds)) || (known >= last.ArgumentBase && stack.Contains(known) && _memory.ReadUInt32(known) == 0));
        return isFirst && trust > FrameTrust.Scan ? StackEnd.Complete
            : _memory.ReadUInt32(next) is null ? StackEnd.MemoryMissing
            : StackEnd.UnwindInfoMissing;
    }

    private static bool IsAtBase(uint stackPointer, StackBounds? bounds) =>
        bounds is { } known && stackPointer <= known.Base && (ulong)stackPointer + FirstFrames >= known.Base;
}
