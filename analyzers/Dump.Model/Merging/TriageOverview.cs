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

/// <summary>A module across all dumps of a folder.</summary>
/// <param name="Name">File name, in the spelling met first.</param>
/// <param name="Vendor">Who made it, or null when no dump says.</param>
/// <param name="IsSystem">True for modules of the operating system, false for others, null when it cannot be told.</param>
/// <param name="KnownAs">What it is known as (a hook, an overlay, a security product), or null.</param>
/// <param name="Versions">File versions with the number of dumps, most frequent first; an unknown version is null.</param>
/// <param name="Dumps">In how many dumps it is loaded.</param>
public sealed record ModuleUse(string Name, string? Vendor, bool? IsSystem, string? KnownAs, ImmutableArray<(string? Version, int Count)> Versions, int Dumps);

/// <summary>Something that an overview does not cover although it might hold hangs: with one of these, nothing found is no all-clear.</summary>
/// <param name="Kind">Why.</param>
/// <param name="Path">Where: a path of the searched folders, a folder of records, or the name of a record's file (sanitised).</param>
/// <param name="Message">What, as a clause without a full stop (sanitised).</param>
public sealed record TriageGap(TriageGapKind Kind, string Path, string Message);

/// <summary>Why there may be dumps of which an overview knows nothing.</summary>
public enum TriageGapKind
{
    /// <summary>A file, a folder or a member of an archive could not be looked at, or only a part of it was read.</summary>
    NotLookedAt,

    /// <summary>A run did not come to its end, or what it left about its end cannot be read.</summary>
    RunNotEnded,

    /// <summary>A part of a run that was shared among several is not there.</summary>
    PartMissing,

    /// <summary>A record is damaged, or made by a version that says more than this one understands.</summary>
    RecordDamaged,
}

/// <summary>Dumps that could not be decided for the same lack.</summary>
/// <param name="Missing">What is missing, what that prevents, and how to capture it.</param>
/// <param name="Records">The dumps, by path.</param>
public sealed record UndecidedGroup(MissingData Missing, ImmutableArray<TriageRecord> Records);
