using Dump.Model.Process;
using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.Frames;

/// <summary>Walks the stacks of one architecture. Safe for concurrent use.</summary>
public interface IStackWalker
{
    /// <summary>
    /// Walks a stack. Input is not trusted: a walk ends within its limits whatever memory holds, and stack pointers rise from frame to frame.
    /// </summary>
    /// <param name="context">The thread's saved registers, of the walker's architecture.</param>
    /// <param name="bounds">Where its stack lies, or null when unknown.</param>
    /// <param name="maximumFrames">Most frames, at least 1; the limits' number counts when it is lower.</param>
    WalkedStack Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames = int.MaxValue);
}

/// <summary>Addresses between which a thread's stack lies.</summary>
/// <param name="Limit">Lowest address.</param>
/// <param name="Base">Address just above the highest.</param>
public readonly record struct StackBounds(ulong Limit, ulong Base)
{
    /// <summary>True when the address lies in the stack.</summary>
    public bool Contains(ulong address) => address >= Limit && address < Base;
}

/// <summary>A walked stack.</summary>
/// <param name="Frames">Frames, innermost first.</param>
/// <param name="End">Why there are no further frames.</param>
public sealed record WalkedStack(IReadOnlyList<WalkedFrame> Frames, StackEnd End);

/// <summary>A frame as the unwinder found it, before symbols.</summary>
/// <param name="Registers">Registers in this frame. In callers only the instruction pointer, the stack pointer and the nonvolatile registers are meaningful,
/// and the nonvolatile ones only as far as <paramref name="Trust"/> allows.</param>
/// <param name="Trust">How the frame was found.</param>
/// <param name="FunctionStart">Address of the primary function (after following chained unwind information) that contains the frame's instruction, or null when
/// it has no unwind information or it was not read.</param>
public readonly record struct WalkedFrame(IFrameRegisters Registers, FrameTrust Trust, ulong? FunctionStart)
{
    /// <summary>The part of the function that contains the frame's instruction, or null when no unwind information describes it.</summary>
    public CodeRange? Code { get; init; }

    /// <summary>Address of the next instruction: in a caller, the return address.</summary>
    public ulong InstructionPointer => Registers.InstructionPointer;

    /// <summary>The stack pointer.</summary>
    public ulong StackPointer => Registers.StackPointer;
}

/// <summary>A range of code that one entry of a function table describes: a function, or a part of one that is split.</summary>
/// <param name="Begin">Address of its first byte.</param>
/// <param name="End">Address just after its last byte.</param>
public readonly record struct CodeRange(ulong Begin, ulong End);
