using Dump.Model.Process;

namespace Dump.Readers.Unwinding.Frames;

/// <summary>A walked stack.</summary>
/// <param name="Frames">Frames, innermost first.</param>
/// <param name="End">Why there are no further frames.</param>
public sealed record WalkedStack(IReadOnlyList<WalkedFrame> Frames, StackEnd End);
