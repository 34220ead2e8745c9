namespace Dump.Clr.Awaits;

/// <summary>
/// Tells tasks that something has from those that only wait for each other, which nothing can reach any more: calls whose callers have gone on without them are
/// left so until the next collection.
/// </summary>
internal sealed class SourceUsers(
    AsyncNodes nodes, Continuations continuations, ReferenceSearch references, HashSet<int> stopped, ILookup<ulong, ulong> sources)
{
    private readonly Dictionary<ulong, int> _standsFor = [];
    private readonly HashSet<ulong> _machines = [];

    /// <summary>The tasks that something has; null when that could not be found out.</summary>
    /// <param name="tasks">The tasks of the sources.</param>
    /// <param name="behind">These and what stands behind them.</param>
    /// <param name="outside">References from outside of the heap.</param>
    public HashSet<int>? Find(IEnumerable<int> tasks, IEnumerable<int> behind, IEnumerable<ulong> outside)
    {
        foreach (int node in behind)
        {
            _standsFor[nodes[node].Address] = node;
            if (nodes[node].IsMethod && continuations.TypeAt(nodes[node].Address) is { Machine: >= 0 } box)
            {
                _machines.Add(continuations.Reference(nodes[node].Address, box.Machine));
            }
        }

        foreach (int task in tasks)
        {
            foreach (ulong source in sources[nodes[task].Address])
            {
                _standsFor.TryAdd(source, task);
            }
        }

        if (references.Find(_standsFor.Keys) is not { } found)
        {
            return null;
        }

        HashSet<int> had = [];
        foreach ((ulong owner, _, ulong target) in found)
        {
            bool isStopped = nodes.Find(owner) is >= 0 and var node && stopped.Contains(node);
            if (!isStopped && !_standsFor.ContainsKey(owner) && !_machines.Contains(owner) && Counts(owner, target))
            {
                had.Add(_standsFor[target]);
            }
        }

        had.UnionWith(outside.Where(_standsFor.ContainsKey).Select(o => _standsFor[o]));
        return had;
    }

    /// <summary>False for what a call keeps of itself: the delegate that continues it, the list of those that a task continues, and what has ended.</summary>
    private bool Counts(ulong owner, ulong target)
    {
        AsyncType? type = continuations.TypeAt(owner);
        bool isMethod = nodes.Find(target) is >= 0 and var node && nodes[node].IsMethod;
        return type is { Kind: AsyncTypeKind.Callback } or { Name: ReferenceRoles.ObjectArray } ? !isMethod : continuations.IsCompleted(owner) != true;
    }
}
