using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>How far a run is.</summary>
/// <param name="Found">Dumps found so far; all when <paramref name="IsSearching"/> is false.</param>
/// <param name="IsSearching">True while folders are still searched.</param>
/// <param name="Kept">Dumps whose records of earlier runs stand.</param>
/// <param name="Counts">How those with a record ended, kept ones counted too.</param>
/// <param name="Running">Time since the first analysis began.</param>
/// <param name="Remaining">Time that the rest will take at the pace so far, or null when it is too early to tell.</param>
public sealed record TriageProgress(int Found, bool IsSearching, int Kept, TriageCounts Counts, TimeSpan Running, TimeSpan? Remaining)
{
    /// <summary>Dumps analysed in a second, or null when it is too early to tell.</summary>
    public double? Rate => Counts.Records > Kept && Running > TimeSpan.Zero ? (Counts.Records - Kept) / Running.TotalSeconds : null;
}
