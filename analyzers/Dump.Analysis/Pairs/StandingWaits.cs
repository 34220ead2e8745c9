using Dump.Analysis.Graph;
using Dump.Model.Waits;

namespace Dump.Analysis.Pairs;

/// <summary>Which waits and ownerships of the second dump stood in the first too, inferred spin locks included.</summary>
/// <param name="pair">The dumps.</param>
/// <param name="before">The wait graph of the first.</param>
internal sealed class StandingWaits(SnapshotPair pair, WaitGraph before)
{
    private readonly HashSet<(uint Waiter, Resource Resource, uint Holder)> _edges = [.. before.Edges.Select(e => (e.Waiter, e.Resource, e.Holder))];
    private readonly HashSet<(uint Owner, Resource Resource)> _owners = [.. before.Ownerships.Select(o => (o.OwnerThreadId, o.Resource))];

    /// <summary>True when the thread waited for the same resource, which the same thread held, in the first.</summary>
    public bool Stood(WaitEdge edge) => pair.HasBoth(edge.Waiter) && _edges.Contains((edge.Waiter, edge.Resource, edge.Holder));

    /// <summary>True when the thread held the same resource in the first.</summary>
    public bool Held(uint owner, Resource resource) => pair.HasBoth(owner) && _owners.Contains((owner, resource));
}
