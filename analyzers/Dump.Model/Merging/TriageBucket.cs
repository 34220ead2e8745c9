using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Model.Merging;

/// <summary>Dumps of one folder with the same class signature.</summary>
public sealed record TriageBucket
{
    /// <summary>What they have in common.</summary>
    public required HangSignature Signature { get; init; }

    /// <summary>Id of the detector, or null for dumps without a verdict.</summary>
    public string? DetectorId { get; init; }

    /// <summary>Title of the verdict, or for dumps without one what the stack shows.</summary>
    public required string Title { get; init; }

    /// <summary>The strongest confidence among them, or null without a verdict.</summary>
    public Confidence? Confidence { get; init; }

    /// <summary>
    /// All records, those with the strongest confidence first, then by capture time and identity; never empty. The first is the example to show.
    /// </summary>
    public required ImmutableArray<TriageRecord> Records { get; init; }

    /// <summary>How many dumps there are, where <see cref="Records"/> holds only examples; null where it holds all.</summary>
    public int? Counted { get; init; }

    /// <summary>How many dumps of <see cref="Counted"/> cannot be decided.</summary>
    public int CountedUndecidable { get; init; }

    /// <summary>How many dumps there are.</summary>
    public int Dumps => Counted ?? Records.Length;

    /// <summary>How many of them cannot be decided.</summary>
    public int Undecidable => Counted is null ? Records.Count(r => r.Report is { IsUndecidable: true }) : CountedUndecidable;

    /// <summary>Earliest capture time (UTC), or null when none is known.</summary>
    public DateTime? FirstSeen { get; init; }

    /// <summary>Latest capture time (UTC), or null when none is known.</summary>
    public DateTime? LastSeen { get; init; }

    /// <summary>Dumps for each capture day (UTC), ascending; those without a time are left out.</summary>
    public ImmutableArray<(DateOnly Day, int Count)> Trend { get; init; } = [];

    /// <summary>Program names with the number of dumps, most frequent first.</summary>
    public ImmutableArray<(string Name, int Count)> Processes { get; init; } = [];

    /// <summary>Machine names with the number of dumps, most frequent first; dumps that do not say are left out.</summary>
    public ImmutableArray<(string Name, int Count)> Machines { get; init; } = [];

    /// <summary>Instance texts with the number of dumps, most frequent first.</summary>
    public ImmutableArray<(string Text, int Count)> Instances { get; init; } = [];

    /// <summary>Versions and builds of the modules that take part, one a line, with the number of dumps, most frequent first.</summary>
    public ImmutableArray<(string Text, int Count)> Builds { get; init; } = [];

    /// <summary>
    /// True when in one build, or in builds that are unknown, functions without names stand at different
    /// places: the dumps of this bucket are perhaps those of several defects.
    /// </summary>
    public bool IsPerhapsSeveral { get; init; }

    /// <summary>Stack tags of the example's frames, most specific first; empty without a tag file.</summary>
    public ImmutableArray<string> Tags { get; init; } = [];

    /// <summary>Notes of others on this hang.</summary>
    public ImmutableArray<KnownIssue> KnownIssues { get; init; } = [];
}
