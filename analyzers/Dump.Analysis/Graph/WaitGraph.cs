using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Analysis.Graph;

/// <summary>The wait graph of a process: threads, and edges from a waiting thread to the thread that holds what it waits for.</summary>
public sealed class WaitGraph
{
    private readonly FrozenDictionary<uint, ImmutableArray<WaitEdge>> _out;
    private readonly FrozenDictionary<uint, ImmutableArray<WaitEdge>> _in;
    private readonly FrozenDictionary<uint, ImmutableArray<WaitFact>> _waits;
    private readonly Lazy<ILookup<Resource, WaitFact>> _waitsFor;

    /// <summary>
    /// Joins waits and ownerships by resource. A wait of a thread for a recursive resource that it holds itself makes
    /// no edge. Waits, ownerships and edges stand in the order of thread ids, so that whatever is the first of several
    /// does not depend on the order in which the source lists its threads; the waits of one thread keep theirs.
    /// </summary>
    /// <param name="waits">Who waits for what.</param>
    /// <param name="ownerships">Who holds what; several holders of one resource are allowed.</param>
    public WaitGraph(ImmutableArray<WaitFact> waits, ImmutableArray<OwnershipFact> ownerships)
    {
        Waits = [.. waits.OrderBy(w => w.ThreadId)];
        Ownerships = [.. ownerships.OrderBy(o => o.OwnerThreadId)];
        ILookup<Resource, OwnershipFact> holders = Ownerships.ToLookup(o => o.Resource);
        Edges = [.. from wait in Waits
                    from ownership in holders[wait.Resource]
                    where ownership.OwnerThreadId != wait.ThreadId || !wait.Resource.Facts.IsRecursive
                    select new WaitEdge(wait, ownership)];
        _out = Group(Edges, e => e.Waiter);
        _in = Group(Edges, e => e.Holder);
        _waits = Group(Waits, w => w.ThreadId);
        _waitsFor = new Lazy<ILookup<Resource, WaitFact>>(() => Waits.ToLookup(w => w.Resource));
    }

    /// <summary>All waits, with or without a known holder.</summary>
    public ImmutableArray<WaitFact> Waits { get; }

    /// <summary>All ownerships.</summary>
    public ImmutableArray<OwnershipFact> Ownerships { get; }

    /// <summary>All edges.</summary>
    public ImmutableArray<WaitEdge> Edges { get; }

    /// <summary>Edges that leave a thread: what it waits for.</summary>
    public ImmutableArray<WaitEdge> From(uint thread) => _out.GetValueOrDefault(thread, []);

    /// <summary>A wait with an owner of what is waited for; null where none is known.</summary>
    public WaitEdge? EdgeOf(WaitFact wait) => From(wait.ThreadId).FirstOrDefault(e => e.Wait == wait);

    /// <summary>Edges that reach a thread: who waits for it.</summary>
    public ImmutableArray<WaitEdge> To(uint thread) => _in.GetValueOrDefault(thread, []);

    /// <summary>The waits of a thread, with or without a known holder.</summary>
    public ImmutableArray<WaitFact> WaitsOf(uint thread) => _waits.GetValueOrDefault(thread, []);

    /// <summary>The waits for a resource.</summary>
    public IEnumerable<WaitFact> WaitsFor(Resource resource) => _waitsFor.Value[resource];

    /// <summary>
    /// What a thread waits for, where one is to be named: of several objects the first that is not signalled, as a wait for all of them lasts that long.
    /// </summary>
    public WaitFact? FirstWaitOf(uint thread) => WaitsOf(thread) is var waits ? waits.FirstOrDefault(w => !w.IsSatisfied) ?? waits.FirstOrDefault() : null;

    /// <summary>True when the thread is about to go on: all that it waits for is signalled, or one that is enough.</summary>
    public bool IsAboutToGoOn(uint thread) => WaitsOf(thread) is { IsEmpty: false } waits
        && (waits.Any(w => w is { IsWaitAny: true, IsSatisfied: true }) || waits.All(w => w.IsSatisfied));

    /// <summary>All threads that wait, directly or through others, for one of the given threads, those themselves excluded; ascending.</summary>
    /// <param name="heads">Where the chains end.</param>
    /// <param name="weakest">Edges below this grade are not followed.</param>
    public ImmutableArray<uint> WaitersBehind(IEnumerable<uint> heads, Grade weakest = Grade.Suspected) =>
        WaitersBehind(heads, e => e.Grade >= weakest);

    /// <summary>The same along chosen edges.</summary>
    /// <param name="heads">Where the chains end.</param>
    /// <param name="counts">Whether an edge is followed.</param>
    public ImmutableArray<uint> WaitersBehind(IEnumerable<uint> heads, Func<WaitEdge, bool> counts)
    {
        HashSet<uint> seen = [.. heads];
        HashSet<uint> found = [];
        Queue<uint> open = new(seen);
        while (open.TryDequeue(out uint thread))
        {
            foreach (WaitEdge edge in To(thread))
            {
                if (counts(edge) && seen.Add(edge.Waiter))
                {
                    found.Add(edge.Waiter);
                    open.Enqueue(edge.Waiter);
                }
            }
        }

        return [.. found.Order()];
    }

    private static FrozenDictionary<uint, ImmutableArray<T>> Group<T>(IEnumerable<T> items, Func<T, uint> key) =>
        items.GroupBy(key).ToFrozenDictionary(g => g.Key, g => g.ToImmutableArray());
}
