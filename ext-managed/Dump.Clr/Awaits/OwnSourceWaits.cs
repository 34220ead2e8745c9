using System.Collections.Immutable;
using System.Runtime.InteropServices;
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

/// <summary>Tasks of completion sources that calls of one method await, while it is found out who may complete them.</summary>
internal sealed class SourceGroup(
    string name, int[] tasks, AwaitPlace? place, AsyncNodes nodes, AwaitQueues queues, Continuations continuations, AwaitEndings endings)
{
    /// <summary>As many as leave an answer open: of fewer calls than the first those through libraries do (<c>AsyncOpenWaits</c>, <c>OwnCalls</c> in the analysis).</summary>
    private const int Many = 100;
    private const int Fewer = 10;

    /// <summary>So many stand for all: what completes calls has them all in one place, and to look for what leads to each of them takes its time.</summary>
    private const int MostLooked = 2_048;

    private readonly Lazy<SourceQueue> _queue = new(() => new SourceQueue(tasks, nodes, queues, continuations, endings));
    private readonly Lazy<SourceQueue> _lookedQueue = new(() => new SourceQueue(Some(tasks, nodes), nodes, queues, continuations, endings));

    /// <summary>The method.</summary>
    public string Name => name;

    /// <summary>The tasks.</summary>
    public int[] Tasks => tasks;

    /// <summary>The await at which all calls of the method stand; null when they stand at several, or it is not known.</summary>
    public AwaitPlace? Place => place;

    /// <summary>Those of the tasks that are looked at.</summary>
    public IReadOnlyList<int> Looked { get; } = Some(tasks, nodes);

    /// <summary>What stands behind those.</summary>
    public SourceQueue LookedQueue => _lookedQueue.Value;

    /// <summary>What stands behind all of them.</summary>
    public SourceQueue Queue => _queue.Value;

    /// <summary>Those of the tasks that nothing is known to complete so far.</summary>
    public HashSet<int> Open { get; private set; } = [.. Some(tasks, nodes)];

    /// <summary>How many nothing has but those who wait.</summary>
    public int Abandoned { get; private set; }

    /// <summary>True when those that nothing is known to complete are few.</summary>
    public bool IsLed => AreFew(this, Open.Count);

    /// <summary>True once the open ones are known.</summary>
    public bool IsKnown { get; set; }

    /// <summary>What leads to the sources, in words, with the number of tasks.</summary>
    public Dictionary<string, int> Leads { get; } = [];

    /// <summary>Threads that lead to all open ones but a few.</summary>
    public List<uint> Threads { get; } = [];

    /// <summary>Takes those out that their waiters may leave, and that nothing else has.</summary>
    /// <param name="had">Tasks that something else has.</param>
    public void Leave(IReadOnlySet<int> had)
    {
        HashSet<int> left = LookedQueue.Left(), kept = LookedQueue.Had(had.Contains);
        Abandoned = Looked.Count(t => !kept.Contains(t));
        Open = [.. Looked.Where(t => kept.Contains(t) && !left.Contains(t))];
    }

    /// <summary>Takes those out that something leads to.</summary>
    /// <param name="leads">What was found.</param>
    /// <param name="sources">Completion sources by their task.</param>
    public void Lead(SourceLeads leads, ILookup<ulong, ulong> sources)
    {
        foreach (IGrouping<string, ulong> end in leads.Ends.GroupBy(e => e.End, e => e.Object))
        {
            HashSet<ulong> reached = [];
            foreach (ulong from in end)
            {
                leads.Reach(from, reached);
            }

            int count = Looked.Count(t => IsReached(t, reached, sources));
            if (count > 0)
            {
                Leads[end.Key] = count;
                Open.RemoveWhere(t => IsReached(t, reached, sources));
            }
        }
    }

    /// <summary>True when so many of those that are looked at stand for few.</summary>
    public static bool AreFew(SourceGroup group, int open) => (long)open * group.Tasks.Length / group.Looked.Count < (group.Tasks.Length < Many ? Fewer : Many);

    /// <summary>True when a task, or its source, was reached.</summary>
    public bool IsReached(int task, HashSet<ulong> reached, ILookup<ulong, ulong> sources) =>
        reached.Contains(nodes[task].Address) || sources[nodes[task].Address].Any(reached.Contains);

    private static int[] Some(int[] tasks, AsyncNodes nodes)
    {
        if (tasks.Length <= MostLooked)
        {
            return tasks;
        }

        int[] ordered = [.. tasks.OrderBy(t => nodes[t].Address)];
        return [.. Enumerable.Range(0, MostLooked).Select(i => ordered[(long)i * ordered.Length / MostLooked])];
    }
}

/// <summary>
/// What stands behind tasks of completion sources: the methods that cannot go on before, which of the tasks their waiters may leave, and which nothing but
/// these waiters has.
/// </summary>
internal sealed class SourceQueue
{
    private readonly AsyncNodes _nodes;
    private readonly Continuations _continuations;
    private readonly AwaitEndings _endings;
    private readonly Dictionary<int, List<int>> _awaited = [];
    private readonly HashSet<int> _all;

    /// <summary>Finds them.</summary>
    /// <param name="tasks">The tasks.</param>
    /// <param name="nodes">All tasks.</param>
    /// <param name="queues">Follows their waiters.</param>
    /// <param name="continuations">Reads objects.</param>
    /// <param name="endings">What stands at the end of awaits.</param>
    public SourceQueue(IReadOnlyCollection<int> tasks, AsyncNodes nodes, AwaitQueues queues, Continuations continuations, AwaitEndings endings)
    {
        (_nodes, _continuations, _endings) = (nodes, continuations, endings);
        _all = [.. tasks];
        foreach (int node in queues.Behind([.. tasks], _all))
        {
            foreach (int awaiter in Awaiters(node).Where(_all.Contains))
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(_awaited, awaiter, out _) ??= []).Add(node);
            }
        }
    }

    /// <summary>The tasks and all that cannot go on before.</summary>
    public HashSet<int> All => _all;

    /// <summary>Those of them that somebody waits for who goes on without as well: with a limit, or for the first of several; or who is on its way.</summary>
    public HashSet<int> Left() => Passed(
        node => Awaiters(node).Any(a => !_all.Contains(a) && (_nodes[a].IsMethod || _endings.Of(a, _all) is not null)));

    /// <summary>Those of them that something else has than they themselves, or that are awaited by such ones.</summary>
    /// <param name="isHad">True for a task that something else has.</param>
    public HashSet<int> Had(Func<int, bool> isHad) => Passed(isHad);

    /// <summary>What holds of a task holds of all that it waits for.</summary>
    private HashSet<int> Passed(Func<int, bool> holds)
    {
        HashSet<int> found = [];
        Stack<int> open = new(_all.Where(holds));
        while (open.TryPop(out int node))
        {
            if (found.Add(node) && _awaited.TryGetValue(node, out List<int>? further))
            {
                further.ForEach(open.Push);
            }
        }

        return found;
    }

    private List<int> Awaiters(int node)
    {
        List<int> found = [];
        _continuations.Follow(_nodes[node].Continuation, found);
        return found;
    }
}

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
