using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
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
    public static IReadOnlyList<WaitChain> Find(ProcessSnapshot snapshot, uint? thread)
    {
        AnalysisContext context = new(snapshot);
        IEnumerable<uint> starts = thread is { } one ? [one] : snapshot.Threads.Select(t => t.Id).Where(id => !context.Graph.WaitsOf(id).IsEmpty);
        StuckThreads stuck = new(context.Graph, Grade.Suspected);
        return [.. starts.Select(id => Follow(context, stuck, id))];
    }

    private static WaitChain Follow(AnalysisContext context, StuckThreads stuck, uint start)
    {
        List<ChainLink> links = [];
        HashSet<uint> seen = [start];
        uint at = start;
        while (context.Graph.From(at).Where(e => !e.Wait.IsWaitAny || stuck.Holds(e)).OrderByDescending(e => e.Grade).FirstOrDefault() is { } edge)
        {
            links.Add(VerdictParts.Link(context, edge));
            at = edge.Holder;
            if (!seen.Add(at))
            {
                return new WaitChain(start, [.. links], EndsInCycle: true);
            }
        }

        links.AddRange(context.Graph.WaitsOf(at).Select(w => VerdictParts.Link(context, w)));
        return new WaitChain(start, [.. links], EndsInCycle: false);
    }
}
