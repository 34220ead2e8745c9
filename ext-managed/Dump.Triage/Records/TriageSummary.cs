using System.Collections.Immutable;

namespace Dump.Triage.Records;

/// <summary>What a run did.</summary>
/// <param name="Counts">How the dumps ended, those of earlier runs counted too.</param>
/// <param name="Kept">Dumps whose records of earlier runs stand.</param>
/// <param name="Copies">Further places where the same dumps lie.</param>
/// <param name="Warnings">What was passed over, by path.</param>
/// <param name="Elapsed">How long the run took.</param>
public sealed record TriageSummary(TriageCounts Counts, int Kept, int Copies, ImmutableArray<TriageWarning> Warnings, TimeSpan Elapsed);
