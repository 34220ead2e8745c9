using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Model.Reported;

/// <summary>How a detector ended.</summary>
/// <param name="DetectorId">Stable id, <c>DUMP####</c>.</param>
/// <param name="Title">The detector's title.</param>
/// <param name="Kind">How it ended.</param>
/// <param name="Missing">What it lacked.</param>
/// <param name="Error">For one that failed: what happened; else null.</param>
public sealed record ReportedOutcome(
    [property: JsonPropertyName("id"), JsonPropertyOrder(0), JsonRequired] string DetectorId,
    string Title,
    [property: JsonPropertyName("outcome"), JsonPropertyOrder(2), JsonRequired] DetectorOutcomeKind Kind,
    ImmutableArray<MissingData> Missing,
    [property: JsonPropertyOrder(3)] string? Error)
{
    /// <summary>The detector's title.</summary>
    [JsonPropertyOrder(1)]
    public string Title { get; init => field = value ?? ""; } = Title ?? "";

    /// <summary>What it lacked.</summary>
    [JsonPropertyOrder(4)]
    public ImmutableArray<MissingData> Missing { get; init => field = value.OrEmpty(); } = Missing.OrEmpty();
}
