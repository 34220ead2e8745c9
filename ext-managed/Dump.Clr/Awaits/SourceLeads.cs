using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Looks for what goes on by itself and leads to completion sources: follows references backwards from them, through the insides of collections, delegates and
/// a few objects of the program, to timers, registrations with tokens, queued work, operations of the system, and pending tasks that wait for something from
/// outside. A table of calls that wait for their answers and the method that reads these answers meet so. All sources are looked for in the same rounds over
/// the heap. What is left of dead objects counts too.
/// </summary>
internal sealed class SourceLeads(AwaitEndings endings, AsyncNodes nodes, Continuations continuations, ReferenceSearch references)
{
    /// <summary>Objects of the program between: what a call is kept in, what keeps the calls, and what has that.</summary>
    private const int MostObjects = 3;

    /// <summary>The nodes and arrays of a collection, its parts and itself, twice, with as many objects and a delegate for each.</summary>
    private const int MostRounds = 14;
    private const int MostKnown = 1 << 20;
    private readonly Dictionary<ulong, int> _objects = [];
    private readonly Dictionary<ulong, List<ulong>> _leadsTo = [];
    private readonly Dictionary<ulong, string> _ends = [];
    private readonly HashSet<int> _middle = [];

    /// <summary>All objects that lead to a source and may be had by somebody.</summary>
    public IReadOnlyCollection<ulong> Objects => _objects.Keys;

    /// <summary>What was found that goes on by itself, in words.</summary>
    public IEnumerable<(string End, ulong Object)> Ends => _ends.OrderBy(e => e.Key).Select(e => (e.Value, e.Key));

    /// <summary>Looks.</summary>
    /// <param name="targets">The tasks and their sources.</param>
    /// <param name="sources">Completion sources by their task.</param>
    /// <param name="stopped">Tasks that cannot go on before: what they have does not count.</param>
    /// <param name="isEnough">Told after each round; true ends the search.</param>
    /// <returns>False when there is too much to look at, or the heap could not be walked.</returns>
    public bool Search(IEnumerable<ulong> targets, ILookup<ulong, ulong> sources, IReadOnlySet<int> stopped, Func<bool> isEnough)
    {
        HashSet<ulong> open = [.. targets];
        foreach (ulong target in open)
        {
            _objects[target] = 0;
        }

        for (int round = 0; round < MostRounds && open.Count > 0 && !(round > 0 && isEnough()); round++)
        {
            if (_objects.Count > MostKnown || references.Find(open) is not { } found)
            {
                return false;
            }

            HashSet<ulong> next = [];
            foreach ((ulong owner, _, ulong target) in found)
            {
                Follow(owner, target, sources, stopped, next);
            }

            open = next;
        }

        return true;
    }

    /// <summary>Walks from an object to all that it leads to.</summary>
    /// <param name="from">The object.</param>
    /// <param name="seen">What was reached before; receives what is reached now.</param>
    public void Reach(ulong from, HashSet<ulong> seen)
    {
        Stack<ulong> open = new([from]);
        while (open.TryPop(out ulong at))
        {
            if (seen.Add(at) && _leadsTo.TryGetValue(at, out List<ulong>? further))
            {
                foreach (ulong target in further)
                {
                    open.Push(target);
                }
            }
        }
    }

    private void Follow(ulong owner, ulong target, ILookup<ulong, ulong> sources, IReadOnlySet<int> stopped, HashSet<ulong> open)
    {
        if (nodes.Find(owner) is >= 0 and var node)
        {
            if (!stopped.Contains(node))
            {
                FollowTask(owner, target, node, sources, stopped, open);
            }

            return;
        }

        AsyncType? type = continuations.TypeAt(owner);
        if (type is { Kind: AsyncTypeKind.Other } && EndOf(owner, type) is { } end)
        {
            _ends[owner] = end;
            Link(owner, target);
            return;
        }

        int? own = type switch
        {
            { Kind: AsyncTypeKind.Callback or AsyncTypeKind.CompletionSource or AsyncTypeKind.Machine or AsyncTypeKind.ContinuationList } => 0,
            { Kind: AsyncTypeKind.Other, Role: ReferenceRole.Inside } => 0,
            { Kind: AsyncTypeKind.Other, Role: ReferenceRole.Object } => 1,
            _ => null,
        };
        int? cost = own + _objects.GetValueOrDefault(target);
        if (cost <= MostObjects)
        {
            Link(owner, target);
            if (_objects.TryAdd(owner, cost.Value))
            {
                open.Add(owner);
            }
        }
    }

    private void FollowTask(ulong owner, ulong target, int node, ILookup<ulong, ulong> sources, IReadOnlySet<int> stopped, HashSet<ulong> open)
    {
        Link(owner, target);
        if (_ends.ContainsKey(owner) || !_middle.Add(node))
        {
            return;
        }

        List<int> behind = [];
        if (endings.Of(node, stopped, behind) is { } end)
        {
            string name = nodes[node].Type.Name;
            _ends[owner] = name == end ? name : $"{name} ({end})";
            return;
        }

        // It goes on when somebody completes these, who may be found in the same way.
        foreach (int middle in behind)
        {
            ulong task = nodes[middle].Address;
            foreach (ulong address in sources[task].Prepend(task))
            {
                Link(address, owner);
                if (_objects.TryAdd(address, _objects.GetValueOrDefault(target)))
                {
                    open.Add(address);
                }
            }
        }
    }

    private string? EndOf(ulong owner, AsyncType type) => type.Role switch
    {
        // One that has fired or was disposed of has no time.
        ReferenceRole.Timer => type.Count >= 0 && (uint)continuations.Reference(owner, type.Count) == uint.MaxValue ? null : "a timer",
        ReferenceRole.Registration => AwaitedSources.Token,
        ReferenceRole.WorkItem => "work in the queue of the thread pool",
        ReferenceRole.Operation => $"an operation of the system ({type.Name})",
        _ => null,
    };

    private void Link(ulong owner, ulong target)
    {
        if (!_leadsTo.TryGetValue(owner, out List<ulong>? targets))
        {
            _leadsTo.Add(owner, targets = []);
        }

        if (targets.Count == 0 || targets[^1] != target)
        {
            targets.Add(target);
        }
    }
}
