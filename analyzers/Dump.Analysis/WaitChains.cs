using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis;

/// <summary>Follows waits from thread to thread.</summary>
public static class WaitChains
{
    /// <summary>The chain of one thread, or those of all threads that wait.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="thread">Where to start, or null for all.</param>
    /// <remarks>
    /// A thread that waits for several things continues along the best-graded edge. Edges inferred for spin locks are followed too; their grade says so. A wait
    /// for any one of several objects is followed only where each of them is held by a thread that cannot go on.
    /// </remarks>
    public static IReadOnlyList<WaitChain> Find(ProcessSnapshot snapshot, uint? thread) => Find(new AnalysisContext(snapshot), thread);

    /// <summary>The same of facts whose graph others use too.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="thread">Where to start, or null for all.</param>
    public static IReadOnlyList<WaitChain> Find(AnalysisContext context, uint? thread)
    {
        IEnumerable<uint> starts = thread is { } one ? [one] : context.Snapshot.Threads.Select(t => t.Id).Where(id => !context.Graph.WaitsOf(id).IsEmpty);
        FollowedWaits followed = new(context);
        return [.. starts.Select(id => Follow(followed, id))];
    }

    private static WaitChain Follow(FollowedWaits followed, uint start)
    {
        List<ChainLink> links = [];
        HashSet<uint> seen = [start];
        uint at = start;
        while (followed.From(at).OrderByDescending(e => e.Grade).FirstOrDefault() is { } edge)
        {
            links.Add(followed.Link(edge));
            at = edge.Holder;
            if (!seen.Add(at))
            {
                return new WaitChain(start, [.. links], EndsInCycle: true);
            }
        }

        links.AddRange(followed.Waits(at));
        return new WaitChain(start, [.. links], EndsInCycle: false);
    }
}
