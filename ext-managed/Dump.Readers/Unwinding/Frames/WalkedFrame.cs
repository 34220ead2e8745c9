using Dump.Model.Process;
using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.Frames;

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
