using Dump.Model.Process;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.X64;

/// <summary>The result of unwinding one frame.</summary>
/// <param name="Caller">The caller's registers when <paramref name="End"/> is null.</param>
/// <param name="FunctionStart">Absolute address where the frame's primary function begins, or null.</param>
/// <param name="IsMachineFrame">True when the caller was interrupted rather than made a call.</param>
/// <param name="End">Why the caller is unknown, or null.</param>
internal readonly record struct UnwoundFrame(X64Registers Caller, ulong? FunctionStart, bool IsMachineFrame, StackEnd? End)
{
    /// <summary>True when nothing tells that the frame is that of a leaf function: the caller is a guess.</summary>
    public bool IsGuess { get; init; }

    /// <summary>The table entry's range of code, or null when there is none.</summary>
    public CodeRange? Code { get; init; }
}
