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

/// <summary>What two dumps of the same hang have in common: nothing of it depends on thread ids, addresses, load addresses or the order of threads.</summary>
/// <param name="Kind">What it was made of.</param>
/// <param name="RulesVersion">Version of the rules; hashes of different versions are not compared.</param>
/// <param name="ClassHash">Hash of <paramref name="ClassText"/> with the version: <c>v1-</c> and 16 hexadecimal digits.</param>
/// <param name="ClassText">The class of hang, readable, one line a part: equal for the same defect in all builds of the program.</param>
/// <param name="InstanceHash">Hash of <paramref name="InstanceText"/>, in the same form.</param>
/// <param name="InstanceText">The class, the versions and builds of the modules that take part, and the places of its functions without names.</param>
public sealed record HangSignature(SignatureKind Kind, int RulesVersion, string ClassHash, string ClassText, string InstanceHash, string InstanceText)
{
    /// <summary>The versions and builds of the modules that take part, one a line: the part of the instance that tells builds apart.</summary>
    public string Builds { get; init; } = "";

    /// <summary>
    /// Of a crash, what it is and the instruction at which it happened, by module, build and place; null for hangs, and where a function of the platform raised
    /// it or the instruction is in no module. Dumps of one crash share it even when only some of them can name functions.
    /// </summary>
    public string? CrashPlace { get; init; }

    /// <summary>True when the class names a function of the program.</summary>
    public bool NamesFunction { get; init; }
}

/// <summary>What a signature was made of.</summary>
public enum SignatureKind
{
    /// <summary>The first verdict: its kind and its canonical cycle or chain.</summary>
    Verdict,

    /// <summary>The normalised stack of the thread to look at first: there is no verdict.</summary>
    Stack,
}
