using System.Collections.Immutable;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Process;

namespace Dump.Engine;

/// <summary>Several dumps of one process, in the order of their capture.</summary>
public sealed class DumpSeries
{
    private DumpSeries(SnapshotSeries looks) => Looks = looks;

    /// <summary>The facts of each, the earliest first.</summary>
    public SnapshotSeries Looks { get; }

    /// <summary>Reads dumps of one process and puts them in the order of their capture.</summary>
    /// <param name="dumps">Sessions on them, in any order.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <param name="difference">Why they are not of one process, as a clause; null where they are.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>Null where they are not of one process.</returns>
    /// <exception cref="Readers.InvalidDumpException">One cannot be read.</exception>
    public static DumpSeries? Read(
        IEnumerable<DumpSession> dumps, ManagedQuestions? questions, out string? difference, IProgress<string>? progress = null,
        CancellationToken cancellation = default)
    {
        (string Path, ProcessSnapshot Snapshot)[] read = [.. dumps.Select(d => (d.Path, d.Read(questions, progress, cancellation)))];
        if (read.Any(d => d.Snapshot.Source.Captured is null))
        {
            // Cores of other writers do not say when they were captured; their files do, as long as they were not copied.
            read = [.. read.OrderBy(d => File.GetLastWriteTimeUtc(d.Path))];
        }

        return SnapshotSeries.Create([.. read.Select(d => d.Snapshot)], out difference) is { } looks ? new DumpSeries(looks) : null;
    }

    /// <summary>Judges what stands still over them.</summary>
    /// <param name="rules">By which rules; null for all of this program. All detectors are asked.</param>
    public Judgement Judge(JudgingRules? rules = null)
    {
        rules ??= new JudgingRules();
        PairResult result = SeriesAnalysis.Run(Looks, rules.Options, rules.Own);
        return new Judgement(result.Snapshot, result.Result);
    }
}
