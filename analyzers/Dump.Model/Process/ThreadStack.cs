using System.Collections.Immutable;

namespace Dump.Model.Process;

/// <summary>A thread's stack.</summary>
/// <param name="Frames">Frames, innermost first.</param>
/// <param name="End">Why there are no further frames.</param>
public sealed record ThreadStack(ImmutableArray<StackFrame> Frames, StackEnd End)
{
    /// <summary>A stack without any frame.</summary>
    public static ThreadStack None { get; } = new([], StackEnd.NoContext);
}
