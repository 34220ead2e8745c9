using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Analysis.Graph;

/// <summary>Finds the cycles of a wait graph: strongly connected components of edges whose wait ends only when the holder acts.</summary>
public static class CycleFinder
{
    /// <summary>Finds cycles, the best proven first: a component of proven edges is not weakened by a guessed edge that would enlarge it.</summary>
    public static IReadOnlyList<WaitCycle> Find(WaitGraph graph)
    {
        List<WaitCycle> cycles = [];
        HashSet<uint> explained = [];
        foreach (Grade weakest in (Grade[])[Grade.Proven, Grade.Derived, Grade.Suspected])
        {
            StuckThreads stuck = new(graph, weakest);
            foreach (uint[] component in Components(graph, stuck))
            {
                if (!component.Any(explained.Contains))
                {
                    IReadOnlyList<WaitEdge> edges = ShortestCycle.Find(graph, component, stuck.Holds);

                    // The alternatives of a wait for any one of several objects are no edges of the path, and may be weaker.
                    Grade grade = edges.Any(e => e.Wait.IsWaitAny) ? weakest : edges.Min(e => e.EndingGrade!.Value);
                    cycles.Add(new WaitCycle([.. edges], grade, [.. component]));
                    explained.UnionWith(component);
                }
            }
        }

        return cycles;
    }

    private static IReadOnlyList<uint[]> Components(WaitGraph graph, StuckThreads stuck)
    {
        ILookup<uint, uint> successors = graph.Edges
            .Where(stuck.Holds)
            .ToLookup(e => e.Waiter, e => e.Holder);
        return StronglyConnectedComponents.WithCycle(
            successors.Select(g => g.Key).Order(),
            node => [.. successors[node].Distinct().Order()]);
    }
}

/// <summary>A cycle of waits that none of its threads can leave by itself.</summary>
/// <param name="Edges">The edges in order: each holder is the next edge's waiter, the last holder the first waiter. Begins at the smallest thread id.</param>
/// <param name="Grade">The weakest edge's grade.</param>
/// <param name="Component">All threads of the strongly connected component, ascending; more than the cycle's own when cycles share threads.</param>
public sealed record WaitCycle(ImmutableArray<WaitEdge> Edges, Grade Grade, ImmutableArray<uint> Component)
{
    /// <summary>The threads of the cycle in its order.</summary>
    public ImmutableArray<uint> Threads => [.. Edges.Select(e => e.Waiter)];
}
