using System.Collections.Immutable;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Looks;

/// <summary>One earlier dump beside the one that is judged: which waits and ownerships of the later stood in it too, inferred spin locks included.</summary>
public sealed class EarlierLook
{
    private readonly HashSet<(uint Waiter, Resource Resource, uint Holder)> _edges;
    private readonly HashSet<(uint Owner, Resource Resource)> _owners;
    private readonly ILookup<Resource, uint> _gone;
    private readonly ILookup<Resource, uint> _holders;
    private readonly Dictionary<Resource, uint> _contentions;
    private readonly WaitGraph _graph;
    private readonly Lazy<int> _unclear;

    /// <summary>Compares two dumps.</summary>
    /// <param name="pair">The earlier dump and the one that is judged.</param>
    /// <param name="graph">The wait graph of the earlier one.</param>
    /// <param name="number">Place of the earlier one among all dumps, 1-based.</param>
    /// <param name="count">How many dumps there are, the judged one included.</param>
    public EarlierLook(SnapshotPair pair, WaitGraph graph, int number = 1, int count = 2)
    {
        Pair = pair;
        (Number, Count, _graph) = (number, count, graph);
        _unclear = new Lazy<int>(() => pair.Later.Threads.Count(t => t is { HasExited: false, Activity.Kind: ThreadActivityKind.Unknown }));
        _edges = [.. graph.Edges.Select(e => (e.Waiter, e.Resource, e.Holder))];
        _contentions = graph.Ownerships.Where(o => o.Contentions is not null).DistinctBy(o => o.Resource)
            .ToDictionary(o => o.Resource, o => o.Contentions!.Value);
        _gone = graph.Ownerships.Where(o => o.OwnerIsAlive == false).ToLookup(o => o.Resource, o => o.OwnerThreadId);
        _holders = graph.Ownerships.Where(o => o.Grade > Grade.Suspected).ToLookup(o => o.Resource, o => o.OwnerThreadId);
        _owners = [.. graph.Ownerships.Select(o => (o.OwnerThreadId, o.Resource))];
    }

    /// <summary>The earlier dump and the one that is judged.</summary>
    public SnapshotPair Pair { get; }

    /// <summary>Place of the earlier one among all dumps, 1-based.</summary>
    public int Number { get; }

    /// <summary>How many dumps there are, the judged one included.</summary>
    public int Count { get; }

    /// <summary>True when the thread waited for the same resource, which the same thread held, in the earlier dump.</summary>
    public bool Stood(WaitEdge edge) => Pair.HasBoth(edge.Waiter) && _edges.Contains((edge.Waiter, edge.Resource, edge.Holder));

    /// <summary>True when the thread held the same resource in the earlier dump.</summary>
    public bool Held(uint owner, Resource resource) => Pair.HasBoth(owner) && _owners.Contains((owner, resource));

    /// <summary>
    /// True when the thread is known not to have held the resource: owners of managed objects, which move, and of locks without memory are unknown.
    /// </summary>
    public bool DidNotHold(uint owner, Resource resource) =>
        !Held(owner, resource) && !resource.Facts.IsManagedObject && Pair.Earlier.Available.LockMemory;

    /// <summary>
    /// True when the resource was held by another thread that had ended then, too. Nobody releases such a lock, so that one whose ended owner changes is none:
    /// what was read as its owner is something else, or others release it.
    /// </summary>
    public bool WasLeftByAnother(OwnershipFact held) => _gone[held.Resource].Any(o => o != held.OwnerThreadId);

    /// <summary>
    /// True when another thread held the resource, and its owner of the later dump did not: it moves on, or what was read as its owner is something else. The
    /// collector moves managed objects, so that at the address of one, or of a spin lock inside of one, another may have been.
    /// </summary>
    public bool WasHeldByAnother(OwnershipFact held) =>
        held.Resource is { Identity: not 0, Kind: not ResourceKind.SpinLock, Facts.IsManagedObject: false }
        && _holders[held.Resource].Any() && !_holders[held.Resource].Contains(held.OwnerThreadId);

    /// <summary>True when the resource was held by the same thread, which had ended then, too.</summary>
    public bool WasLeft(OwnershipFact held) => _gone[held.Resource].Contains(held.OwnerThreadId);

    /// <summary>True when the thread stands at the same frames in both; where one dump lacks them, true when it waits for the same in both.</summary>
    public bool StandsAtTheSamePlace(uint thread, WaitGraph later) =>
        Pair.HasBoth(thread) && (Pair.KnowsFrames(thread)
            ? Pair.HasSameFrames(thread)
            : later.WaitsOf(thread).Any(w => _graph.WaitsOf(thread).Any(before => before.Resource == w.Resource)));

    /// <summary>
    /// The threads that waited without a time limit for something which the holder had in both dumps, and that do not wait for it any more although they live:
    /// they have got it, so that the holder released it in between. In the order of their ids.
    /// </summary>
    /// <param name="holder">The thread that held it in both.</param>
    /// <param name="held">What it holds in the later dump.</param>
    /// <param name="later">The wait graph of the later dump.</param>
    public IEnumerable<uint> ServedBy(uint holder, IEnumerable<Resource> held, WaitGraph later)
    {
        HashSet<Resource> resources = [.. held];
        return _graph.To(holder)
            .Where(e => e is { Grade: > Grade.Suspected, Wait.LastsForObject: true }
                && resources.Contains(e.Resource) && Pair.HasBoth(e.Waiter) && IsKnown(e.Waiter) && later.WaitsOf(e.Waiter).All(w => w.Resource != e.Resource))
            .Select(e => e.Waiter).Distinct();
    }

    /// <summary>
    /// The counts of waits, here and later, of a resource that has been released to a waiter in between: it has counted more than those of the threads that have
    /// come to wait for it and still do, or its count began anew. Null where that is not so, or where it counts none.
    /// </summary>
    /// <param name="held">Who holds it in the later dump.</param>
    /// <param name="later">The wait graph of the later dump.</param>
    public (uint Before, uint After)? Turns(OwnershipFact held, WaitGraph later)
    {
        if (held.Contentions is not { } after || !_contentions.TryGetValue(held.Resource, out uint before))
        {
            return null;
        }

        // A thread of which is not known what it does may have come to wait, too.
        int begun = _unclear.Value + later.WaitsFor(held.Resource).Select(w => w.ThreadId).Distinct()
            .Count(t => !(Pair.HasBoth(t) && _graph.WaitsOf(t).Any(w => w.Resource == held.Resource)));
        return unchecked(after - before) > begun ? (before, after) : null;
    }

    /// <summary>A thread whose stack could not be walked in the later dump may well stand where it stood.</summary>
    private bool IsKnown(uint thread) => Pair.ActivityOf(thread) is not (null or ThreadActivityKind.Unknown);
}

/// <summary>Questions to all earlier dumps of the one that is judged.</summary>
public static class EarlierLooks
{
    /// <summary>
    /// The oldest of the dumps since which something has stood in every one, or null when it does not stand in the last of them: what came, went and came back
    /// has not stood.
    /// </summary>
    /// <param name="looks">The earlier dumps, the oldest first.</param>
    /// <param name="stands">Whether it stands in one of them.</param>
    public static EarlierLook? Since(this ImmutableArray<EarlierLook> looks, Func<EarlierLook, bool> stands)
    {
        EarlierLook? oldest = null;
        for (int i = looks.Length - 1; i >= 0 && stands(looks[i]); i--)
        {
            oldest = looks[i];
        }

        return oldest;
    }
}
