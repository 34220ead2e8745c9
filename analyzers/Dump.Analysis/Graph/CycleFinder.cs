using System.Collections.Immutable;
using Dump.Model;

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
                    cycles.Add(ShortestCycle(graph, component, stuck, weakest));
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

    /// <summary>A shortest cycle through the component's smallest thread, found breadth first.</summary>
    private static WaitCycle ShortestCycle(WaitGraph graph, uint[] component, StuckThreads stuck, Grade weakest)
    {
        HashSet<uint> members = [.. component];
        uint start = component[0];
        Dictionary<uint, WaitEdge> reachedBy = [];
        Queue<uint> open = new([start]);
        while (!reachedBy.ContainsKey(start) && open.TryDequeue(out uint thread))
        {
            foreach (WaitEdge edge in graph.From(thread)
                .Where(e => stuck.Holds(e) && members.Contains(e.Holder))
                .OrderByDescending(e => e.Grade).ThenBy(e => e.Holder))
            {
                if (reachedBy.TryAdd(edge.Holder, edge) && edge.Holder != start)
                {
                    open.Enqueue(edge.Holder);
                }
            }
        }

        List<WaitEdge> path = [];
        uint at = start;
        do
        {
            WaitEdge edge = reachedBy[at];
            path.Add(edge);
            at = edge.Waiter;
        }
        while (at != start);
        path.Reverse();

        // The alternatives of a wait for any one of several objects are no edges of the path, and may be weaker.
        Grade grade = path.Any(e => e.Wait.IsWaitAny) ? weakest : path.Min(e => e.EndingGrade!.Value);
        return new WaitCycle([.. path], grade, [.. component]);
    }
}
