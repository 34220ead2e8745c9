using Dump.Analysis.Graph;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>
/// Whether two samples of a living process, or two looks at it, show that what a thread holds goes from hand to hand: the thread has waited in between, and so has each
/// of its waiters, so that none of them stood in this one wait all the time. A lock that got stuck since the first one is found by the next look.
/// </summary>
internal static class LockGoesRound
{
    /// <summary>True when they show it.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="owner">The owner. One that spins never waits.</param>
    /// <param name="waiters">
    /// Who waits for it, directly or behind others. One with a time limit that gives up and tries again pauses each time, so that one without a limit must be
    /// among them.
    /// </param>
    public static bool Is(AnalysisContext context, ThreadSnapshot owner, WaitEdge[] waiters) =>
        waiters.Any(e => e.Wait.Timeout == WaitTimeout.Infinite) && HasPaused(context, owner.Id) && waiters.All(e => HasPaused(context, e.Waiter));

    private static bool HasPaused(AnalysisContext context, uint thread) => context.Earlier.IsEmpty ? context.Thread(thread)?.RecentUse is { Pauses: > 0 }
        : context.Earlier[^1].Pair.HasRun(thread) == true;
}
