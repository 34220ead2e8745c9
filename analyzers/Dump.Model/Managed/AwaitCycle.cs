using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>Tasks each of which awaits the next one, and the last one the first: none of them can complete.</summary>
/// <param name="Links">The tasks in the order of their awaits, the first hundred; never empty.</param>
/// <param name="Length">How many tasks the cycle has.</param>
/// <param name="Grade">How well the weakest await is known.</param>
public sealed record AwaitCycle(ImmutableArray<AwaitLink> Links, int Length, Grade Grade)
{
    /// <summary>How many cycles of the same methods there are, this one included.</summary>
    public int Count { get; init; } = 1;

    /// <summary>How many further async methods await a task of one of these cycles, directly or through others.</summary>
    public int Behind { get; init; }

    /// <summary>Operating system ids of threads that block in a task of one of these cycles, or in one behind it, ascending.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];
}
