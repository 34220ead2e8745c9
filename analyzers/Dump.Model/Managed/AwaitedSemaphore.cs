using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>A SemaphoreSlim that cannot be entered now (its count is 0) and that async methods or threads wait for. It has no owner.</summary>
/// <param name="Address">Its address.</param>
public sealed record AwaitedSemaphore(ulong Address)
{
    /// <summary>How many waits its own list of async waiters has.</summary>
    public int Waiters { get; init; }

    /// <summary>How many of these have neither a time limit nor a cancellation token; what is not known to have none does not count.</summary>
    public int Unlimited { get; init; }

    /// <summary>How many requests to a web server cannot be answered before it is released; 0 also where that is not known.</summary>
    public int Requests { get; init; }

    /// <summary>How many threads wait for it, as it counts them itself.</summary>
    public int Blocked { get; init; }

    /// <summary>How many other calls of the program's methods among its waiters do not wait for it: one of them may have entered it, and release it.</summary>
    public int Further { get; init; }

    /// <summary>The innermost methods of the program's own that wait, with their number; those of most waits come first, the first few.</summary>
    public ImmutableArray<AwaitingMethod> Methods { get; init; } = [];

    /// <summary>
    /// The program's own methods of which calls cannot go on before it is released, callers included, by name; cut at a few hundred. A thread that executes
    /// one of them may have entered it.
    /// </summary>
    public ImmutableArray<string> Stopped { get; init; } = [];

    /// <summary>Operating system ids of threads that are known to wait for it, directly or in a task, ascending.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];

    /// <summary>Who besides its waiters can release it.</summary>
    public SemaphoreUsers Users { get; init; }
}
