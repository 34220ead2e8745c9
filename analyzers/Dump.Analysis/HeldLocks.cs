using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis;

/// <summary>Lists the locks of a process: what <c>!locks</c> lists of critical sections, for locks of every kind.</summary>
public static class HeldLocks
{
    /// <summary>All locks that a thread is known to hold or to wait for; those that most threads wait for come first.</summary>
    /// <param name="snapshot">The facts.</param>
    public static IReadOnlyList<HeldLock> Find(ProcessSnapshot snapshot) => Find(new AnalysisContext(snapshot));

    /// <summary>The same of the last of several dumps of a process, with what the earlier ones tell of how long the locks have been held.</summary>
    /// <param name="series">The dumps.</param>
    public static IReadOnlyList<HeldLock> Find(SnapshotSeries series) => Find(new AnalysisContext(
        series.Last, null, [.. series.Pairs.Select((p, i) => new EarlierLook(p, new AnalysisContext(p.Earlier).Graph, i + 1, series.Snapshots.Length))]));

    private static IReadOnlyList<HeldLock> Find(AnalysisContext context)
    {
        ILookup<Resource, OwnershipFact> owners = context.Graph.Ownerships.Where(o => IsLock(o.Resource)).ToLookup(o => o.Resource);
        ILookup<Resource, WaitFact> waits = context.Graph.Waits.Where(w => IsLock(w.Resource)).ToLookup(w => w.Resource);
        return
        [
            .. owners.Select(o => o.Key).Union(waits.Select(w => w.Key))
                .Select(r => Lock(context, r, [.. owners[r]], [.. waits[r]]))
                .OrderByDescending(l => l.Waiters.Length).ThenBy(l => l.Resource.Kind).ThenBy(l => l.Resource.Identity).ThenBy(l => l.Resource.Owner),
        ];
    }

    private static bool IsLock(Resource resource) => resource.Facts.Class == WaitClass.Lock;

    private static HeldLock Lock(AnalysisContext context, Resource resource, ImmutableArray<OwnershipFact> owners, ImmutableArray<WaitFact> waits) => new(
        resource,
        context.Names.Resource(resource),
        context.Snapshot.ResourceStates.GetValueOrDefault(resource),
        [
            .. owners.DistinctBy(o => (o.OwnerThreadId, o.OwnerDescription)).OrderByDescending(o => o.Grade)
                .Select(o => new LockHolder(
                    o.OwnerThreadId, o.OwnerIsAlive, o.OwnerDescription, o.RecursionCount, ActivityText.Of(context, o.OwnerThreadId), o.Grade)
                {
                    HeldSecondsEarlier = SecondsEarlier(context, o),
                }),
        ],
        [.. waits.Select(w => w.ThreadId).Distinct()])
    {
        TimedWaiters = waits.Where(w => w.Timeout == WaitTimeout.Finite).Select(w => w.ThreadId).Distinct().Count(),
    };

    /// <summary>
    /// Managed objects move, so that another one may lie at the address by now; and an owner whose lock has changed hands in between has taken it again.
    /// </summary>
    private static int? SecondsEarlier(AnalysisContext context, OwnershipFact owner) => owner.Resource.Facts.IsManagedObject ? null
        : (int?)context.Earlier.Since(l => l.Held(owner.OwnerThreadId, owner.Resource) && l.Turns(owner, context.Graph) is null)?.Pair.Elapsed?.TotalSeconds;
}
