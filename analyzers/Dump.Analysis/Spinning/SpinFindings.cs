using System.Collections.Immutable;
using Dump.Model.Waits;

namespace Dump.Analysis.Spinning;

/// <summary>Threads that spin, and the waits and ownerships inferred for the locks they spin on.</summary>
/// <param name="Observations">One for each spinning thread.</param>
/// <param name="Waits">The spin as a wait, one for each observation whose lock the snapshot does not tell itself.</param>
/// <param name="Ownerships">Who most likely holds what is spun on; only where exactly one thread qualifies.</param>
public sealed record SpinFindings(
    ImmutableArray<SpinObservation> Observations,
    ImmutableArray<WaitFact> Waits,
    ImmutableArray<OwnershipFact> Ownerships)
{
    private readonly Dictionary<uint, SpinObservation> _byThread = Observations.DistinctBy(o => o.Thread.Id).ToDictionary(o => o.Thread.Id);

    /// <summary>The observation of a thread, or null when it does not spin.</summary>
    public SpinObservation? Of(uint thread) => _byThread.GetValueOrDefault(thread);
}
