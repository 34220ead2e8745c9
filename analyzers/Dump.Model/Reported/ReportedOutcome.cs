using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Model.Reported;

/// <summary>A detector that gave no answer.</summary>
/// <param name="DetectorId">Stable id, <c>DUMP####</c>.</param>
/// <param name="Title">The detector's title.</param>
/// <param name="Kind">How it ended.</param>
/// <param name="Missing">What it lacked.</param>
/// <param name="Error">For one that failed: what happened; else null.</param>
public sealed record ReportedOutcome(string DetectorId, string Title, DetectorOutcomeKind Kind, ImmutableArray<MissingData> Missing, string? Error);
