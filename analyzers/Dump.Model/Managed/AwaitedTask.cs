using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>
/// The task of a completion source that has not completed and that many async methods await at once. It has no owner: whoever has the source may complete it.
/// </summary>
/// <param name="Address">Its address.</param>
public sealed record AwaitedTask(ulong Address)
{
    /// <summary>How many async methods await it and nothing else, so that none of them has a time limit.</summary>
    public int Waiters { get; init; }

    /// <summary>How many other calls of the program's methods among its waiters do not wait for it: one of them may complete it.</summary>
    public int Further { get; init; }

    /// <summary>The innermost methods of the program's own that wait, with their number; those of most waits come first, the first few.</summary>
    public ImmutableArray<AwaitingMethod> Methods { get; init; } = [];

    /// <summary>
    /// The program's own methods of which calls cannot go on before it completes, callers included, by name; cut at a few hundred. A thread that executes one
    /// of them may be about to complete it.
    /// </summary>
    public ImmutableArray<string> Stopped { get; init; } = [];

    /// <summary>
    /// True where a timer or a registration with a cancellation token leads to its source: then it may complete by itself. Null where that is not known.
    /// </summary>
    public bool? EndsByItself { get; init; }
}
