using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Options;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Pairs;

/// <summary>
/// Judges two snapshots of one process: the second as it is, with what the first adds. The first never makes a cycle more certain; it says what has stood
/// still, gives processor loads of the time in between, and makes a cycle suspected that stood in both although its threads moved.
/// </summary>
public static class PairAnalysis
{
    /// <summary>Judges a pair.</summary>
    /// <param name="pair">The snapshots.</param>
    /// <param name="options">Thresholds; null for the defaults.</param>
    public static PairResult Run(SnapshotPair pair, AnalysisOptions? options = null)
    {
        AnalysisOptions settings = options ?? AnalysisOptions.Default;
        AnalysisContext before = new(pair.Earlier, settings);
        ProcessSnapshot later = WithUse(pair);
        StandingWaits standing = new(pair, before.Graph);
        later = WithDoubt(pair, standing, new AnalysisContext(later, settings), settings) with
        {
            Source = later.Source with { Earlier = pair.Earlier.Source },
        };
        AnalysisResult result = HangAnalysis.Run(later, settings);
        PairClaims claims = new(pair, standing, before, new AnalysisContext(later, settings));
        return new PairResult(later, result with
        {
            Verdicts = [.. result.Verdicts.Select(claims.Complete).OrderByDescending(v => v.Confidence)],
            Notes = [.. Gone(pair, HangAnalysis.Run(pair.Earlier, settings).Verdicts, result.Verdicts)],
        });
    }

    /// <summary>The second snapshot with the processor time that each thread used since the first.</summary>
    private static ProcessSnapshot WithUse(SnapshotPair pair) => pair.Elapsed is not { } elapsed ? pair.Later : pair.Later with
    {
        Threads = [.. pair.Later.Threads.Select(t => t with { RecentUse = pair.UsedBy(t.Id) is { } used ? new ProcessorUse(used, elapsed) : null })],
    };

    /// <summary>
    /// A cycle that no thread can leave, and that yet stands in both although a thread of it has done work in between, contradicts itself: a fact of it must be
    /// wrong. The waits of the threads that moved are no more than suspected then.
    /// </summary>
    private static ProcessSnapshot WithDoubt(SnapshotPair pair, StandingWaits standing, AnalysisContext after, AnalysisOptions options)
    {
        HashSet<WaitFact> doubtful =
        [
            .. after.Cycles.Where(c => c.Edges.All(standing.Stood)).SelectMany(c => c.Edges)
                .Where(e => e.Resource.Kind != ResourceKind.SpinLock && pair.UsedBy(e.Waiter) > options.StandstillTime)
                .Select(e => e.Wait),
        ];
        return after.Snapshot with { Waits = [.. after.Snapshot.Waits.Select(w => doubtful.Contains(w) ? Doubt(pair, w) : w)] };
    }

    private static WaitFact Doubt(SnapshotPair pair, WaitFact wait) => wait with
    {
        Grade = Grade.Suspected,
        Evidence = wait.Evidence.Add(new Evidence(
            EvidenceSource.Rule, $"it waited for the same in the first dump, but has used {Naming.Duration(pair.UsedBy(wait.ThreadId)!.Value)} of CPU time since")),
    };

    /// <summary>What the first dump showed and the second does not.</summary>
    private static IEnumerable<string> Gone(SnapshotPair pair, ImmutableArray<Verdict> before, ImmutableArray<Verdict> after) =>
        from verdict in before
        where !after.Any(v => v.DetectorId == verdict.DetectorId && v.Threads.Intersect(verdict.Threads).Any())
        select $"The first dump{PairText.Earlier(pair)} showed {verdict.DetectorId} {verdict.Title} ({verdict.Confidence}) with {PairText.Threads(verdict.Threads)}; the second does not: that has passed.";
}
