using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>
/// Calls of one async method that each await the task of a completion source of their own, or share it with a few, as calls do that wait for their answer. None
/// of these tasks has completed, and none has an owner: whoever has a source may complete it.
/// </summary>
/// <param name="Address">Address of the first of these tasks.</param>
public sealed record AwaitedSources(ulong Address)
{
    /// <summary>Words of <see cref="Leads"/> for a registration with a cancellation token.</summary>
    public const string Token = "a registration with a cancellation token";

    /// <summary>How many tasks are awaited so.</summary>
    public int Count { get; init; }

    /// <summary>How many of them were looked at, spread over all of them: the counts of what leads to them, and of what does not, are of these.</summary>
    public int Looked { get; init; }

    /// <summary>
    /// How many of them nothing is known to complete: nothing that waits for something from outside, for time or for a token leads to their sources, and those
    /// who wait for them wait for nothing else. Null where that was not looked at or is too much to look at.
    /// </summary>
    public int? Open { get; init; }

    /// <summary>How many nothing refers to but those who wait themselves: they are given up, and the next collection takes them. They are not open.</summary>
    public int Abandoned { get; init; }

    /// <summary>How many others of the program's calls of the methods that wait do not: one of them may complete the tasks.</summary>
    public int Further { get; init; }

    /// <summary>The innermost methods of the program's own that wait, with their number.</summary>
    public ImmutableArray<AwaitingMethod> Methods { get; init; } = [];

    /// <summary>The program's own methods of which calls cannot go on before, callers included, by name; cut at a few hundred.</summary>
    public ImmutableArray<string> Stopped { get; init; } = [];

    /// <summary>
    /// What leads to the sources and goes on by itself, in words, with the number of tasks that it leads to; those of most come first, the first few.
    /// </summary>
    public ImmutableArray<AwaitingMethod> Leads { get; init; } = [];

    /// <summary>Operating system ids of threads on whose stacks something leads to all open ones but a few. Whether they go on is for others to say.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];
}
