using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Pairs;

/// <summary>Tells of each thread and wait of the last dump since which dump it has stood, and what moved.</summary>
internal static class Histories
{
    /// <summary>The history of a series of three dumps or more; null for two, of which the verdicts tell all.</summary>
    /// <param name="series">The dumps.</param>
    /// <param name="before">What is derived from each of the earlier ones.</param>
    /// <param name="after">What is derived from the last.</param>
    public static SeriesHistory? Of(SnapshotSeries series, AnalysisContext[] before, AnalysisContext after)
    {
        if (series.Snapshots.Length == 2)
        {
            return null;
        }

        SnapshotPair[] steps = [.. series.Snapshots.Zip(series.Snapshots.Skip(1), SnapshotPair.Of)];
        return new SeriesHistory
        {
            Dumps = [.. series.Snapshots.Select(s => new EarlierSource(s.Source.DisplayName, WholeSeconds(s.Source.Captured)))],
            Threads =
            [
                .. after.Snapshot.Threads.Where(t => !t.HasExited).DistinctBy(t => t.Id).Select(t => Of(t.Id, steps, before, after))
                    .OrderBy(h => h.StandsSince ?? int.MaxValue).ThenBy(h => h.ThreadId),
            ],
        };
    }

    private static ThreadHistory Of(uint thread, SnapshotPair[] steps, AnalysisContext[] before, AnalysisContext after) => new(
        thread, after.Earlier.Since(l => l.Pair.HasBoth(thread) && l.Pair.KnowsFrames(thread) && l.Pair.HasSameFrames(thread))?.Number)
    {
        UsedMicroseconds = [.. steps.Select(s => s.UsedBy(thread) is { } used ? used.Ticks / TimeSpan.TicksPerMicrosecond : (long?)null)],
        Waits = [.. after.Graph.WaitsOf(thread).Select(w => Of(w, before, after)).Distinct()],
    };

    private static WaitHistory Of(WaitFact wait, AnalysisContext[] before, AnalysisContext after)
    {
        uint[] holders =
        [
            .. after.Graph.From(wait.ThreadId).Where(e => e.Resource == wait.Resource && e.Grade > Grade.Suspected).Select(e => e.Holder).Distinct().Take(2),
        ];
        uint? holder = holders is [var only] ? only : null;
        return new WaitHistory(
            after.Names.Resource(wait.Resource),
            holder,
            after.Earlier.Since(l => l.Pair.HasBoth(wait.ThreadId)
                && before[l.Number - 1].Graph.WaitsOf(wait.ThreadId).Any(b => b.Resource == wait.Resource)
                && (holder is not { } owner || l.Held(owner, wait.Resource)))?.Number);
    }

    private static DateTime? WholeSeconds(DateTime? moment) =>
        moment is { } time ? new DateTime(time.Ticks - (time.Ticks % TimeSpan.TicksPerSecond), DateTimeKind.Utc) : null;
}
