using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>Counts equal chains. A chain begins with a task that no other awaits, with one that a thread blocks in, or somewhere in a circle.</summary>
internal sealed class ChainTally(AsyncNodes nodes, AwaitGraph graph, AwaitShapes shapes, AwaitEnds ends)
{
    private const int MostSteps = 256;
    private const int MostThreads = 64;

    /// <summary>More kinds of calls than a report could tell apart.</summary>
    private const int MostCalls = 1_000;

    /// <summary>So many calls of a kind are told one by one.</summary>
    private const int MostListed = 1_000;

    /// <summary>And so many of all kinds.</summary>
    private const int MostListedInAll = 50_000;

    private const int DeepestBranch = 3;
    private readonly Dictionary<(int Shape, bool IsBlocking), Chain> _chains = [];

    /// <summary>Adds all chains.</summary>
    /// <param name="blocked">Threads with the tasks that they block in.</param>
    public void Add(IEnumerable<(uint Thread, ulong Task)> blocked)
    {
        HashSet<int> withThread = [];
        foreach (IGrouping<ulong, uint> waiting in blocked.GroupBy(b => b.Task, b => b.Thread).OrderBy(g => g.Key))
        {
            if (nodes.Find(waiting.Key) is >= 0 and var task && withThread.Add(task))
            {
                Add(task, [.. waiting.Distinct().Order()]);
            }
        }

        foreach (int root in ByAddress(i => !graph.IsAwaited(i) && !withThread.Contains(i) && (nodes[i].IsMethod || HasAwaited(i))))
        {
            Add(root, []);
        }

        // What is left is awaited and belongs to no chain: a circle.
        foreach (int node in ByAddress(i => graph.IsAwaited(i) && !shapes.IsKnown(i)))
        {
            if (!shapes.IsKnown(node))
            {
                Add(node, []);
            }
        }
    }

    /// <summary>The calls of all async methods that wait, whoever awaits them, instead of chains; those that most form come first.</summary>
    /// <param name="endings">Knows what must happen for them to go on.</param>
    public ImmutableArray<PendingCalls> Calls(AwaitEndings endings)
    {
        bool[] isRequested = OfRequests();
        int listed = 0;
        foreach (int call in ByAddress(i => nodes[i] is { IsMethod: true, State: >= 0 }))
        {
            Chain chain = Add(call, []);
            chain.Requests += isRequested[call] ? 1 : 0;
            if (chain.First.Count < MostListed && listed < MostListedInAll)
            {
                listed++;
                chain.First.Add(ends.WaitOf(call));
            }
        }

        return
        [
            .. _chains.Select(c => (c.Key.Shape, Chain: c.Value)).OrderByDescending(c => c.Chain.Count)
                .ThenBy(c => shapes[c.Shape].Name.Text, StringComparer.Ordinal).ThenBy(c => c.Chain.Example).Take(MostCalls)
                .Select(c => Make(c.Shape, c.Chain, nodes.Find(c.Chain.Example), endings)),
        ];
    }

    /// <summary>Tasks without which requests to a server of ASP.NET Core cannot be answered.</summary>
    private bool[] OfRequests()
    {
        bool[] found = new bool[nodes.Count];
        Stack<int> open = new(Enumerable.Range(0, nodes.Count).Where(i => nodes[i].IsMethod && nodes[i].Type.Name == MethodOrigins.Request));
        while (open.TryPop(out int node))
        {
            (int start, int end) = nodes[node].IsMethod ? (0, 0) : graph.AwaitedBy(node);
            foreach (int below in nodes[node].IsMethod ? [graph.Next(node)] : Enumerable.Range(start, end - start).Select(graph.Awaited))
            {
                if (below >= 0 && !found[below])
                {
                    found[below] = true;
                    open.Push(below);
                }
            }
        }

        return found;
    }

    /// <summary>The chains; those that most tasks form come first.</summary>
    public ImmutableArray<AsyncChain> Chains() =>
    [
        .. _chains.Select(c => Make(c.Key.Shape, c.Value)).OrderByDescending(c => c.Count).ThenByDescending(c => c.Threads.Length)
            .ThenBy(c => c.Steps[0].Name, StringComparer.Ordinal).ThenBy(c => c.Example),
    ];

    private bool HasAwaited(int node) => graph.AwaitedBy(node) is var (start, end) && end > start;

    /// <summary>Tasks in the order of their addresses, which does not depend on which worker has found them.</summary>
    private int[] ByAddress(Predicate<int> isWanted)
    {
        int[] ordered = [.. Enumerable.Range(0, nodes.Count).Where(i => isWanted(i))];
        ulong[] addresses = [.. ordered.Select(i => nodes[i].Address)];
        Array.Sort(addresses, ordered);
        return ordered;
    }

    private Chain Add(int root, ImmutableArray<uint> threads)
    {
        (int, bool) key = (shapes.Of(root), !threads.IsEmpty);
        if (!_chains.TryGetValue(key, out Chain? chain))
        {
            _chains.Add(key, chain = new Chain { Example = nodes[root].Address });
        }

        chain.Count++;
        chain.Example = Math.Min(chain.Example, nodes[root].Address);
        chain.Threads.AddRange(threads.Take(Math.Max(0, MostThreads - chain.Threads.Count)));
        if (ends.Of(root) is not 0 and var end)
        {
            chain.Ends.Add(end);
        }

        return chain;
    }

    private AsyncChain Make(int shape, Chain chain)
    {
        chain.Ends.Sort();
        int different = chain.Ends.Where((end, i) => i == 0 || end != chain.Ends[i - 1]).Count();
        int room = MostSteps;
        return new AsyncChain(chain.Count, Steps(shape, 0, ref room), chain.Example)
        {
            Threads = [.. chain.Threads.Distinct()],
            Loss = shapes[shape].Loss,
            IsCycle = shapes[shape].IsCycle,
            Ends = different,
            End = different == 0 ? null : chain.Ends[0],
            EndState = different == 1 ? ends.StateOf(chain.Ends[0]) : null,
        };
    }

    /// <summary>What a chain branches into may end in different ways, of which not one decides.</summary>
    private PendingCalls Make(int shape, Chain calls, int first, AwaitEndings endings)
    {
        AsyncChain chain = Make(shape, calls);
        AwaitEndKind end = chain.Steps[^1].Branches.IsEmpty ? endings.KindOf(first) : AwaitEndKind.OtherCode;
        return new PendingCalls(chain.Count, chain.Steps, Math.Max(1, nodes[first].Type.Calls.Length), end)
        {
            Ends = chain.Ends, Object = chain.End, ObjectState = chain.EndState, First = [.. calls.First], Requests = calls.Requests,
        };
    }

    private ImmutableArray<AsyncStep> Steps(int shape, int depth, ref int room)
    {
        ImmutableArray<AsyncStep>.Builder steps = ImmutableArray.CreateBuilder<AsyncStep>();
        for (int current = shape; room > 0; room--)
        {
            AwaitShape at = shapes[current];
            AsyncStep step = new(at.Name.Text, at.Name.State) { IsRepeated = at.IsRepeated, RunningThread = at.Name.RunningThread, Code = at.Name.Code };
            if (at.Branches)
            {
                steps.Add(step with { Branches = Branches(at, depth + 1, ref room) });
                break;
            }

            steps.Add(step);
            if (at.Below.IsEmpty)
            {
                break;
            }

            current = at.Below[0].Shape;
        }

        return steps.ToImmutable();
    }

    private ImmutableArray<AsyncBranch> Branches(AwaitShape shape, int depth, ref int room)
    {
        ImmutableArray<AsyncBranch>.Builder branches = ImmutableArray.CreateBuilder<AsyncBranch>();
        foreach ((int below, int count) in shape.Below)
        {
            room--;
            branches.Add(new AsyncBranch(count, depth > DeepestBranch ? [] : Steps(below, depth, ref room)));
        }

        if (shape.LeftOut > 0)
        {
            branches.Add(new AsyncBranch(shape.LeftOut, []));
        }

        return branches.ToImmutable();
    }

    private sealed class Chain
    {
        public long Count { get; set; }

        public ulong Example { get; set; }

        public List<uint> Threads { get; } = [];

        public List<ulong> Ends { get; } = [];

        public List<PendingCall> First { get; } = [];

        public int Requests { get; set; }
    }
}
