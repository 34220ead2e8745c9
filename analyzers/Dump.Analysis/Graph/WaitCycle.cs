using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Analysis.Graph;

/// <summary>A cycle of waits that none of its threads can leave by itself.</summary>
/// <param name="Edges">The edges in order: each holder is the next edge's waiter, the last holder the first waiter. Begins at the smallest thread id.</param>
/// <param name="Grade">The weakest edge's grade.</param>
/// <param name="Component">All threads of the strongly connected component, ascending; more than the cycle's own when cycles share threads.</param>
public sealed record WaitCycle(ImmutableArray<WaitEdge> Edges, Grade Grade, ImmutableArray<uint> Component)
{
    /// <summary>The threads of the cycle in its order.</summary>
    public ImmutableArray<uint> Threads => [.. Edges.Select(e => e.Waiter)];
}
