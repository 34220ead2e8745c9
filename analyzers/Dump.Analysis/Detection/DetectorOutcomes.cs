using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detection;

/// <summary>Makes the outcome of a detector.</summary>
public static class DetectorOutcomes
{
    /// <summary>
    /// Detected when there is a verdict; insufficient when there is none and data are missing; else not
    /// detected. Verdicts are ordered: the surest first, then by their threads.
    /// </summary>
    /// <param name="descriptor">The detector.</param>
    /// <param name="verdicts">What it found.</param>
    /// <param name="missing">What it lacked.</param>
    public static DetectorOutcome From(DetectorDescriptor descriptor, IEnumerable<Verdict> verdicts, params IEnumerable<MissingData> missing)
    {
        ImmutableArray<Verdict> found = [.. verdicts.OrderByDescending(v => v.Confidence).ThenBy(v => v.Threads, ThreadOrder.Instance)];
        ImmutableArray<MissingData> lacking = [.. missing];
        DetectorOutcomeKind kind = !found.IsEmpty ? DetectorOutcomeKind.Detected
            : !lacking.IsEmpty ? DetectorOutcomeKind.InsufficientData
            : DetectorOutcomeKind.NotDetected;
        return new DetectorOutcome(descriptor.Id, descriptor.Title, kind, lacking) { Verdicts = found };
    }
}
