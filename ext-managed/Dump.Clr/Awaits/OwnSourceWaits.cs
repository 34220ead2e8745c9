using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Calls of one method that each await the task of a completion source of their own. One that awaits such a task by its own awaiter waits for nothing else, as
/// <see cref="SourceWaits"/> says of many that await the same.
/// </summary>
/// <param name="nodes">The tasks.</param>
/// <param name="graph">Who awaits whom.</param>
/// <param name="continuations">Reads objects.</param>
/// <param name="references">Finds who refers to objects.</param>
/// <param name="roots">References from outside of the heap.</param>
/// <param name="blocked">Threads by the task that they wait for.</param>
internal sealed class OwnSourceWaits(
    AsyncNodes nodes, AwaitGraph graph, Continuations continuations, ReferenceSearch references, IRootReferences roots, ILookup<ulong, uint> blocked)
{
    /// <summary>Fewer are what any program has.</summary>
    private const int LeastTold = 10;

    private const int MostGroups = 8;
    private const int MostLeads = 4;
    private readonly AwaitQueues _queues = new(nodes, graph, continuations);
    private readonly AwaitEndings _endings = new(nodes, graph, continuations);

    /// <summary>All of them; those of most tasks come first, the first few.</summary>
    /// <param name="sources">Completion sources with their tasks.</param>
    public ImmutableArray<AwaitedSources> Of(IEnumerable<(ulong Source, ulong Task)> sources)
    {
        SourceGroup[] groups =
        [
            .. Tasks().Select(t => (t.Task, Method: _queues.MethodOf(t.Waiter) ?? t.Waiter)).GroupBy(t => nodes[t.Method].Type.Name)
                .Select(g => new SourceGroup(
                    g.Key, [.. g.Select(t => t.Task)], _queues.CommonPlace(g.Select(t => t.Method)), nodes, _queues, continuations, _endings))
                .Where(g => g.Tasks.Length >= LeastTold)
                .OrderByDescending(g => g.Tasks.Length).ThenBy(g => g.Name, StringComparer.Ordinal).Take(MostGroups),
        ];
        if (groups.Length > 0)
        {
            Look(groups, sources.ToLookup(s => s.Task, s => s.Source));
        }

        return [.. groups.Select(Fact)];
    }

    /// <summary>Tasks that a few methods await, with one of these.</summary>
    private IEnumerable<(int Task, int Waiter)> Tasks()
    {
        Dictionary<int, (int Waiter, int Count)> waiters = [];
        for (int i = 0; i < nodes.Count; i++)
        {
            if (nodes[i].IsMethod && nodes[i].State >= 0 && graph.Next(i) is >= 0 and var task && graph.IsOfSource(task))
            {
                (int first, int count) = waiters.GetValueOrDefault(task, (i, 0));
                waiters[task] = (nodes[i].Address < nodes[first].Address ? i : first, count + 1);
            }
        }

        return waiters.Where(w => w.Value.Count < SourceWaits.LeastWaiters).Select(w => (w.Key, w.Value.Waiter));
    }

    private void Look(SourceGroup[] groups, ILookup<ulong, ulong> sources)
    {
        HashSet<int> stopped = [.. groups.SelectMany(g => g.Queue.All)];
        SourceUsers users = new(nodes, continuations, references, stopped, sources);
        if (users.Find(groups.SelectMany(g => g.Looked), groups.SelectMany(g => g.LookedQueue.All), roots.Words(ImmutableHashSet<uint>.Empty)) is not { } had)
        {
            return;
        }

        foreach (SourceGroup group in groups)
        {
            group.Leave(had);
        }

        SourceLeads leads = new(_endings, nodes, continuations, references);
        ulong[] targets = [.. groups.SelectMany(g => g.Open).SelectMany(t => sources[nodes[t].Address].Prepend(nodes[t].Address))];
        bool isKnown = leads.Search(targets, sources, stopped, () =>
        {
            Array.ForEach(groups, g => g.Lead(leads, sources));
            return groups.All(g => g.IsLed);
        });
        Array.ForEach(groups, g => g.Lead(leads, sources));
        foreach (SourceGroup group in groups.Where(g => isKnown || g.IsLed))
        {
            group.IsKnown = true;
        }

        if (isKnown && !groups.All(g => g.IsLed))
        {
            LookAtThreads(groups, leads, sources, stopped);
        }
    }

    private void LookAtThreads(SourceGroup[] groups, SourceLeads leads, ILookup<ulong, ulong> sources, HashSet<int> stopped)
    {
        HashSet<uint> waiting = [.. stopped.SelectMany(n => blocked[nodes[n].Address])];
        foreach (IGrouping<uint, ulong> thread in roots.Having(leads.Objects.ToHashSet(), waiting).GroupBy(r => r.Thread, r => r.Object))
        {
            HashSet<ulong> reached = [];
            foreach (ulong from in thread)
            {
                leads.Reach(from, reached);
            }

            foreach (SourceGroup group in groups.Where(g => !g.IsLed && SourceGroup.AreFew(g, g.Open.Count(t => !g.IsReached(t, reached, sources)))))
            {
                group.Threads.Add(thread.Key);
            }
        }
    }

    private AwaitedSources Fact(SourceGroup group)
    {
        HashSet<AsyncType> stopped = _queues.Stopped(group.Queue.All);
        return new AwaitedSources(group.Tasks.Min(t => nodes[t].Address))
        {
            Count = group.Tasks.Length,
            Looked = group.Looked.Count,
            Open = group.IsKnown ? group.Open.Count : null,
            Abandoned = group.Abandoned,
            Further = _queues.Further(group.Queue.All, stopped),
            Methods = [new AwaitingMethod(group.Name, group.Tasks.Length) { Place = group.Place }],
            Stopped = AwaitQueues.Names(stopped),
            Leads =
            [
                .. group.Leads.OrderByDescending(l => l.Value).ThenBy(l => l.Key, StringComparer.Ordinal).Take(MostLeads)
                    .Select(l => new AwaitingMethod(l.Key, l.Value)),
            ],
            Threads = [.. group.Threads.Order()],
        };
    }
}
