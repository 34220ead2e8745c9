using System.Collections.Immutable;

namespace Dump.Model.Merging;

/// <summary>How many dumps there are of each kind, where a place has counted them without all records being read.</summary>
public sealed record TriageTotals
{
    /// <summary>All dumps with a record.</summary>
    public required int Dumps { get; init; }

    /// <summary>Those with each answer of <see cref="TriageAnswers"/>; an answer that is not there has none.</summary>
    public required ImmutableDictionary<string, int> Answers { get; init; }

    /// <summary>Of the likely ones those in which some detectors had no data.</summary>
    public int LikelyLackingData { get; init; }

    /// <summary>Of the suspected ones those in which some detectors had no data.</summary>
    public int SuspectedLackingData { get; init; }

    /// <summary>Those of a crash that have a verdict on a hang as well.</summary>
    public int CrashedBeside { get; init; }

    /// <summary>Different hangs and places of crashes.</summary>
    public required int Hangs { get; init; }

    /// <summary>Those of them where programs crashed.</summary>
    public int CrashPlaces { get; init; }

    /// <summary>Different stacks of dumps without a verdict.</summary>
    public required int Others { get; init; }

    /// <summary>Different modules by name.</summary>
    public required int Modules { get; init; }

    /// <summary>All groups in a line each, those with the most dumps first; of very many the largest.</summary>
    public ImmutableArray<BucketLine> Buckets { get; init; } = [];

    /// <summary>Earliest capture time (UTC), or null when none is known.</summary>
    public DateTime? FirstSeen { get; init; }

    /// <summary>Latest capture time (UTC), or null when none is known.</summary>
    public DateTime? LastSeen { get; init; }

    /// <summary>Dumps with an answer.</summary>
    public int With(string answer) => Answers.GetValueOrDefault(answer);
}

/// <summary>A group of dumps in one line, as a store counts it without reading its records.</summary>
/// <param name="Bucket">Hash of its signature's class.</param>
/// <param name="DetectorId">Id of the verdict's detector; null without a verdict.</param>
/// <param name="Title">What the verdict is called; without a verdict the text of the signature, which names the functions.</param>
/// <param name="Dumps">How many dumps there are.</param>
/// <param name="FirstSeen">Earliest capture time (UTC), or null when none is known.</param>
/// <param name="LastSeen">Latest capture time (UTC), or null when none is known.</param>
public sealed record BucketLine(string Bucket, string? DetectorId, string Title, int Dumps, DateTime? FirstSeen, DateTime? LastSeen);
