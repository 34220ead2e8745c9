using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis;

/// <summary>Builds the tree of waits: cycles, then the threads at which chains end, each with all that wait for it. No thread is unfolded twice.</summary>
internal sealed class WaitTreeBuilder
{
    private readonly AnalysisContext _context;
    private readonly FollowedWaits _followed;
    private readonly ILookup<Holder, WaitEdge> _waiters;
    private readonly FrozenDictionary<uint, int> _order;
    private readonly List<WaitTreeNode> _nodes = [];
    private readonly HashSet<Holder> _inCycles = [];
    private readonly HashSet<(uint Waiter, Resource Resource, uint Holder)> _ofCycles = [];
    private readonly Dictionary<Holder, int> _unfolded = [];
    private readonly Dictionary<int, Holder> _elsewhere = [];

    /// <summary>Of one snapshot.</summary>
    public WaitTreeBuilder(AnalysisContext context)
    {
        _context = context;
        _followed = new FollowedWaits(context);
        _waiters = _followed.All.ToLookup(Holder.Of);
        _order = context.Snapshot.Threads.GroupBy(t => t.Id).ToFrozenDictionary(g => g.Key, g => g.First().Index);
    }

    /// <summary>All nodes, parents before children.</summary>
    public ImmutableArray<WaitTreeNode> Build()
    {
        IReadOnlyList<WaitEdge>[] cycles = [.. Cycles()];
        _inCycles.UnionWith(cycles.SelectMany(c => c).Select(e => new Holder(e.Waiter, null)));
        _ofCycles.UnionWith(cycles.SelectMany(c => c).Select(e => (e.Waiter, e.Resource, e.Holder)));
        for (int i = 0; i < cycles.Length; i++)
        {
            AddCycle(cycles[i], i);
        }

        foreach (Group root in Ends().OrderByDescending(r => r.Behind).ThenByDescending(r => r.Threads.Length).ThenBy(r => Order(r.Threads)))
        {
            Add(new Pending(null, root));
        }

        return [.. _nodes.Select(n => _elsewhere.TryGetValue(n.Node, out Holder holder) ? n with { WaitersNode = _unfolded[holder] } : n)];
    }

    /// <summary>The cycles that verdicts are about, and one of each other set of threads that lead to each other: no thread is without a root.</summary>
    private IEnumerable<IReadOnlyList<WaitEdge>> Cycles()
    {
        HashSet<uint> met = [.. _context.Cycles.SelectMany(c => c.Threads)];
        ILookup<uint, uint> successors = _followed.All.Where(e => e.Ownership.OwnerDescription is null).ToLookup(e => e.Waiter, e => e.Holder);
        IEnumerable<IReadOnlyList<WaitEdge>> others = StronglyConnectedComponents
            .WithCycle(successors.Select(g => g.Key).Order(), node => [.. successors[node].Distinct().Order()])
            .Where(c => !c.Any(met.Contains))
            .Select(c => ShortestCycle.Find(_context.Graph, c, _followed.Contains));
        return [.. _context.Cycles.Select(c => c.Edges), .. others];
    }

    private void AddCycle(IReadOnlyList<WaitEdge> edges, int number)
    {
        Holder[] members = [.. edges.Select(e => new Holder(e.Waiter, null))];
        bool lasts = edges.All(_followed.Lasts);
        int behind = Behind(members);
        foreach (WaitEdge edge in edges)
        {
            Holder holder = new(edge.Waiter, null);
            int node = Append(new WaitTreeNode(_nodes.Count, null, [edge.Waiter])
            {
                At = _followed.Place(edge.Waiter),
                Links = [_followed.Link(edge)],
                Cycle = number,
                IsLasting = lasts,
                Behind = behind,
            });
            _unfolded.TryAdd(holder, node);
            foreach (Group group in Groups(holder))
            {
                Add(new Pending(node, group));
            }
        }
    }

    /// <summary>Adds a node with all that stands below it; without recursion, as a chain may be as long as the process has threads.</summary>
    private void Add(Pending first)
    {
        Stack<Pending> open = new([first]);
        while (open.TryPop(out Pending? next))
        {
            int node = Append(Node(next));
            if (next.Group.Alone is not { } holder || !_waiters.Contains(holder))
            {
                continue;
            }

            if (_inCycles.Contains(holder) || !_unfolded.TryAdd(holder, node))
            {
                _elsewhere.Add(node, holder);
                continue;
            }

            foreach (Group group in Groups(holder).Reverse())
            {
                open.Push(new Pending(node, group));
            }
        }
    }

    private WaitTreeNode Node(Pending pending) => new(_nodes.Count, pending.Parent, pending.Group.Threads)
    {
        HolderDescription = pending.Group.Alone?.Description,
        IsAlive = pending.Group.IsAlive,
        At = Place(pending.Group.Threads),
        Links = [.. pending.Group.Links()],
        Behind = pending.Parent is null ? pending.Group.Behind : null,
    };

    /// <summary>The place of threads in one function; without its line where they stand in different ones.</summary>
    private CodePlace? Place(ImmutableArray<uint> threads)
    {
        CodePlace? first = threads.IsEmpty ? null : _followed.Place(threads[0]);
        return first?.Source is not null && threads.Any(t => _followed.Place(t)?.Source != first.Source) ? first with { Source = null } : first;
    }

    private int Append(WaitTreeNode node)
    {
        _nodes.Add(node);
        return node.Node;
    }

    /// <summary>What waits for a holder: a thread that others wait for by itself, the rest in groups that wait alike; the largest first.</summary>
    private IEnumerable<Group> Groups(Holder holder) =>
        _waiters[holder].Where(e => !_ofCycles.Contains((e.Waiter, e.Resource, e.Holder)))
            .DistinctBy(e => (e.Waiter, e.Resource))
            .GroupBy(e => (e.Resource, e.Grade, Owner: e.Ownership.Grade, e.Ownership.OwnerIsAlive, e.Wait.Timeout, e.Wait.IsWaitAny, e.Wait.IsSatisfied,
                Alone: IsWaitedFor(e.Waiter) ? e.Waiter : 0, Stack: _followed.StackKey(e.Waiter)))
            .Select(g => g.OrderBy(e => Order(e.Waiter)).ToArray())
            .Select(edges => new Group([.. edges.Select(e => e.Waiter)], () => [_followed.Link(edges[0])])
            {
                Alone = IsWaitedFor(edges[0].Waiter) ? new Holder(edges[0].Waiter, null) : null,
            })
            .OrderByDescending(g => g.Threads.Length).ThenBy(g => Order(g.Threads)).ThenBy(g => g.Alone is null);

    /// <summary>Where chains end: holders that wait for no other thread, and threads that wait for what nobody holds.</summary>
    private IEnumerable<Group> Ends()
    {
        IEnumerable<Group> holders = _waiters.Where(h => h.Key.Description is not null || !_followed.From(h.Key.Id).Any())
            .Select(h => new Group(h.Key.Description is null ? [h.Key.Id] : [], () => _followed.Waits(h.Key.Id))
            {
                Alone = h.Key,
                IsAlive = h.First().Ownership.OwnerIsAlive,
                Behind = Behind([h.Key]),
            });
        IEnumerable<Group> waiters = _context.Snapshot.Threads.Select(t => t.Id).Distinct()
            .Where(id => !_context.Graph.WaitsOf(id).IsEmpty && !_followed.From(id).Any() && !IsWaitedFor(id))
            .GroupBy(id => (Waits: string.Join('\n', _context.Graph.WaitsOf(id).Select(WaitKey)), Stack: _followed.StackKey(id)))
            .Select(g => new Group([.. g.OrderBy(Order)], () => _followed.Waits(g.First())));
        return holders.Concat(waiters);
    }

    private static string WaitKey(WaitFact wait) => $"{wait.Resource} {wait.Grade} {wait.Timeout} {wait.IsWaitAny} {wait.IsSatisfied}";

    /// <summary>How many threads wait for some, directly or through others, those themselves excluded.</summary>
    private int Behind(Holder[] holders)
    {
        HashSet<Holder> seen = [.. holders];
        Queue<Holder> open = new(seen);
        while (open.TryDequeue(out Holder holder))
        {
            foreach (Holder waiter in _waiters[holder].Select(e => new Holder(e.Waiter, null)).Where(seen.Add))
            {
                open.Enqueue(waiter);
            }
        }

        return seen.Count - holders.Length;
    }

    private bool IsWaitedFor(uint thread) => _waiters.Contains(new Holder(thread, null));

    private int Order(uint thread) => _order.GetValueOrDefault(thread, int.MaxValue);

    private int Order(ImmutableArray<uint> threads) => threads.IsEmpty ? int.MaxValue : Order(threads[0]);

    /// <summary>Who holds something: a thread, or what words alone name.</summary>
    private readonly record struct Holder(uint Id, string? Description)
    {
        public static Holder Of(WaitEdge edge) => new(edge.Holder, edge.Ownership.OwnerDescription);
    }

    /// <summary>What becomes one node.</summary>
    private sealed record Group(ImmutableArray<uint> Threads, Func<IEnumerable<ChainLink>> Links)
    {
        /// <summary>The holder that it is; null for threads that nobody waits for.</summary>
        public Holder? Alone { get; init; }

        public bool? IsAlive { get; init; }

        public int Behind { get; init; }
    }

    private sealed record Pending(int? Parent, Group Group);
}
