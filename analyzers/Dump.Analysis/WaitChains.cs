using Dump.Analysis.Detectors;
using Dump.Analysis.Graph;
using Dump.Model;

namespace Dump.Analysis;

/// <summary>Follows waits from thread to thread.</summary>
public static class WaitChains
{
    /// <summary>The chain of one thread, or those of all threads that wait.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="thread">Where to start, or null for all.</param>
    /// <remarks>A thread that waits for several things continues along the best-graded edge. Edges inferred for spin locks are followed too; their grade says so.</remarks>
    public static IReadOnlyList<WaitChain> Find(ProcessSnapshot snapshot, uint? thread)
    {
        AnalysisContext context = new(snapshot);
        IEnumerable<uint> starts = thread is { } one ? [one] : snapshot.Threads.Select(t => t.Id).Where(id => !context.Graph.WaitsOf(id).IsEmpty);
        return [.. starts.Select(id => Follow(context, id))];
    }

    private static WaitChain Follow(AnalysisContext context, uint start)
    {
        List<ChainLink> links = [];
        HashSet<uint> seen = [start];
        uint at = start;
        while (context.Graph.From(at).OrderByDescending(e => e.Grade).FirstOrDefault() is { } edge)
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
