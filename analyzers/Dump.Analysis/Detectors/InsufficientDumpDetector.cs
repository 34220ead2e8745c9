using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP9001: states what this dump cannot answer. It looks at the other detectors' outcomes instead of the snapshot's threads.</summary>
public sealed class InsufficientDumpDetector
{
    /// <summary>What it is.</summary>
    public static DetectorDescriptor Descriptor { get; } = new(
        DetectorIds.CannotAnswer,
        "This dump cannot answer",
        "Data that other detectors need are missing; says which, what that leaves open, and how to capture them.",
        "nothing",
        Family: null);

    /// <summary>Collects what was missing.</summary>
    /// <param name="snapshot">The facts, for what the reader itself missed.</param>
    /// <param name="outcomes">Outcomes of all other detectors.</param>
    /// <param name="besides">What else would decide.</param>
    public static DetectorOutcome Collect(ProcessSnapshot snapshot, IEnumerable<DetectorOutcome> outcomes, IEnumerable<MissingData> besides)
    {
        ImmutableArray<MissingData> missing =
        [
            .. outcomes.SelectMany(o => o.Missing).Concat(snapshot.Missing)
                .Where(m => MissingKinds.Of(m.Kind) is var kind && (!kind.IsOfBusyThreads || !IdleProcess.Is(snapshot))
                    && (!kind.IsOfNativeWaits || !NativeWaits.AreAllKnown(snapshot)))
                .Concat(Damage(snapshot))
                .Concat(besides)
                .Distinct(),
        ];
        return new DetectorOutcome(
            Descriptor.Id,
            Descriptor.Title,
            missing.IsEmpty ? DetectorOutcomeKind.NotDetected : DetectorOutcomeKind.InsufficientData,
            missing);
    }

    /// <summary>What a damaged file may have held.</summary>
    private static IEnumerable<MissingData> Damage(ProcessSnapshot snapshot)
    {
        if (snapshot.Problems.Any(p => p.LosesFacts))
        {
            yield return MissingData.Of(MissingKind.DamagedParts);
        }
    }
}
