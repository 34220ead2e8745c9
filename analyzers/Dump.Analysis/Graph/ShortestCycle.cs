using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Analysis.Graph;

/// <summary>
/// The cycle that stands for a component: a shortest one, of several one through the loader, of those one that does not consist of spin locks alone. Ids of
/// threads decide only between cycles that are alike in all of that, so that another numbering gives the same kind of cycle.
/// </summary>
internal sealed class ShortestCycle
{
    // A component in which threads wait for several others has as many starts as threads; beyond this many, which no lock pattern makes, the first ones must
    // do.
    private const int MostStarts = 256;

    // Nor does one make so many edges to follow, over all starts; once a cycle is known, it must do.
    private const long MostFollowed = 2_000_000;
    private readonly Dictionary<uint, WaitEdge[]> _edges;
    private long _followed;

    private ShortestCycle(WaitGraph graph, uint[] component, Func<WaitEdge, bool> follows)
    {
        HashSet<uint> members = [.. component];
        _edges = component.ToDictionary(t => t, t => graph.From(t)
            .Where(e => follows(e) && members.Contains(e.Holder))
            .OrderByDescending(e => e.Resource.Facts.IsLoader).ThenBy(e => e.Resource.Kind == ResourceKind.SpinLock).ThenBy(e => e.Wait.IsWaitAny)
            .ThenByDescending(e => e.Grade).ThenBy(e => e.Holder)
            .DistinctBy(e => e.Holder).ToArray());
    }

    /// <summary>Finds it.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="component">The threads of a strongly connected component, ascending.</param>
    /// <param name="follows">Which edges count: those that make the component.</param>
    /// <returns>Its edges in order, beginning at its smallest thread.</returns>
    public static IReadOnlyList<WaitEdge> Find(WaitGraph graph, uint[] component, Func<WaitEdge, bool> follows)
    {
        ShortestCycle search = new(graph, component, follows);
        bool isPlain = search._edges.Values.All(e => e.Length == 1);
        WaitEdge[]? best = null;
        foreach (WaitEdge first in isPlain ? search._edges[component[0]] : component.Take(MostStarts).SelectMany(t => search._edges[t]))
        {
            if (best is not null && search._followed > MostFollowed)
            {
                break;
            }

            if (search.Close(first, best?.Length ?? int.MaxValue) is { } cycle && (best is null || IsBetter(cycle, best)))
            {
                best = cycle;
            }
        }

        int smallest = Array.FindIndex(best!, e => e.Waiter == best!.Min(b => b.Waiter));
        return [.. best![smallest..], .. best[..smallest]];
    }

    private static bool IsBetter(WaitEdge[] cycle, WaitEdge[] than) => Rank(cycle).CompareTo(Rank(than)) < 0;

    private static (int Length, bool HasNoLoader, bool SpinsOnly) Rank(WaitEdge[] cycle) =>
        (cycle.Length, !cycle.Any(e => e.Resource.Facts.IsLoader), cycle.All(e => e.Resource.Kind == ResourceKind.SpinLock));

    /// <summary>The shortest cycle that begins with an edge, found breadth first; null when it is longer than allowed.</summary>
    private WaitEdge[]? Close(WaitEdge first, int longest)
    {
        Dictionary<uint, (WaitEdge Edge, int Length)> reached = new() { [first.Holder] = (first, 1) };
        Queue<uint> open = new([first.Holder]);
        while (!reached.ContainsKey(first.Waiter) && open.TryDequeue(out uint thread))
        {
            int length = reached[thread].Length + 1;
            foreach (WaitEdge edge in length > longest ? [] : _edges[thread])
            {
                _followed++;
                if (reached.TryAdd(edge.Holder, (edge, length)))
                {
                    open.Enqueue(edge.Holder);
                }
            }
        }

        if (!reached.ContainsKey(first.Waiter))
        {
            return null;
        }

        List<WaitEdge> path = [];
        uint at = first.Waiter;
        do
        {
            path.Add(reached[at].Edge);
            at = reached[at].Edge.Waiter;
        }
        while (at != first.Waiter);
        path.Reverse();
        return [.. path];
    }
}
