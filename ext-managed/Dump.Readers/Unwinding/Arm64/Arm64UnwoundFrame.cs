using Dump.Model.Process;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.Arm64;

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
