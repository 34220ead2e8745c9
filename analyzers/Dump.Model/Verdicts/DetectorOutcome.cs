using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>How a detector ended.</summary>
/// <param name="DetectorId">Stable id, <c>DUMP####</c>.</param>
/// <param name="Title">The detector's title.</param>
/// <param name="Kind">How it ended.</param>
/// <param name="Missing">What it lacked; one that has found something may still lack data.</param>
/// <param name="Error">For one that failed: what happened; else null.</param>
public sealed record DetectorOutcome(
    [property: JsonPropertyName("id"), JsonPropertyOrder(0), JsonRequired] string DetectorId,
    string Title,
    [property: JsonPropertyName("outcome"), JsonPropertyOrder(2), JsonRequired] DetectorOutcomeKind Kind,
    ImmutableArray<MissingData> Missing,
    [property: JsonPropertyOrder(3)] string? Error = null)
{
    /// <summary>The detector's title.</summary>
    [JsonPropertyOrder(1)]
    public string Title { get; init => field = value ?? ""; } = Title ?? "";

    /// <summary>What it lacked.</summary>
    [JsonPropertyOrder(4)]
    public ImmutableArray<MissingData> Missing { get; init => field = value.OrEmpty(); } = Missing.OrEmpty();

    /// <summary>What it found; empty in a report, which has the verdicts of all detectors in one list.</summary>
    [JsonIgnore]
    public ImmutableArray<Verdict> Verdicts { get; init; } = [];
}

/// <summary>How a detector ended.</summary>
public enum DetectorOutcomeKind
{
    /// <summary>It found something.</summary>
    Detected,

    /// <summary>The data it needs were there, and there is nothing to find.</summary>
    NotDetected,

    /// <summary>Data it needs are missing, so it cannot say that there is nothing.</summary>
    InsufficientData,

    /// <summary>It failed: a defect of this program.</summary>
    Failed,
}
