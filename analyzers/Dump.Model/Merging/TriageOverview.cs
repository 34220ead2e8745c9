using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Merging;

/// <summary>What a folder of dumps shows. Deterministic: the same records give the same overview, whatever their order.</summary>
public sealed record TriageOverview
{
    /// <summary>All records, by path. In each report the verdict that it is grouped by comes first; none is stronger.</summary>
    public required ImmutableArray<TriageRecord> Records { get; init; }

    /// <summary>Dumps with a verdict, by signature: strongest confidence first, then most dumps, then hash.</summary>
    public ImmutableArray<TriageBucket> Hangs { get; init; } = [];

    /// <summary>Dumps without a verdict, by the stack of the thread to look at first: most dumps first, then hash.</summary>
    public ImmutableArray<TriageBucket> Others { get; init; } = [];

    /// <summary>Dumps that could not be decided, by what they lack; a dump that lacks several things is in several groups.</summary>
    public ImmutableArray<UndecidedGroup> Undecided { get; init; } = [];

    /// <summary>Records without a report, by path.</summary>
    public ImmutableArray<TriageRecord> Failed { get; init; } = [];

    /// <summary>All modules, those that are known or not the system's first, then by name.</summary>
    public ImmutableArray<ModuleUse> Modules { get; init; } = [];

    /// <summary>
    /// What is not in the records although it might be: files that were passed over, damaged records, runs and parts of runs that did not end.
    /// </summary>
    public ImmutableArray<TriageGap> PassedOver { get; init; } = [];

    /// <summary>How many there are of each kind, where the lists above hold only the largest groups with examples; null where they hold all.</summary>
    public TriageTotals? Counted { get; init; }

    /// <summary>How many dumps there are.</summary>
    public int Dumps => Counted?.Dumps ?? Records.Length;

    /// <summary>How many dumps have no report.</summary>
    public int FailedDumps => Counted?.With(TriageAnswers.NotAnalysed) ?? Failed.Length;

    /// <summary>Dumps of a crash without a verdict on a hang.</summary>
    public int Crashed => Counted?.With(TriageAnswers.Crashed) ?? Records.Count(r => r.Report is { Verdicts.IsEmpty: false, StrongestHang: null });

    /// <summary>Dumps in which nothing was found although all data were there.</summary>
    public int Sound => Counted?.With(TriageAnswers.NothingFound) ?? Records.Count(r => r.Report is { IsUndecidable: false, Verdicts.IsEmpty: true });

    /// <summary>Dumps in which nothing was found and data are missing.</summary>
    public int Undecidable => Counted?.With(TriageAnswers.CannotDecide) ?? Records.Count(r => r.Report is { IsUndecidable: true });

    /// <summary>Dumps whose strongest verdict on a hang has a confidence.</summary>
    public int With(Confidence confidence) => Counted?.With(TriageAnswers.Of(confidence)) ?? Records.Count(r => r.Report?.StrongestHang == confidence);
}
