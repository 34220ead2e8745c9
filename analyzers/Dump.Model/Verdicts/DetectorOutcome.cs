using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>The result of one detector.</summary>
/// <param name="DetectorId">Stable id.</param>
/// <param name="Title">The detector's title.</param>
/// <param name="Kind">How it ended. <see cref="DetectorOutcomeKind.Detected"/> may still carry missing data.</param>
/// <param name="Verdicts">What it found.</param>
/// <param name="Missing">What was missing.</param>
/// <param name="Error">For <see cref="DetectorOutcomeKind.Failed"/>: what happened.</param>
public sealed record DetectorOutcome(
    string DetectorId,
    string Title,
    DetectorOutcomeKind Kind,
    ImmutableArray<Verdict> Verdicts,
    ImmutableArray<MissingData> Missing,
    string? Error = null);
