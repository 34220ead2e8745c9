using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors.OrphanedLock;

/// <summary>
/// The last thread of an exiting process waits, without a known time limit, for what only another thread could
/// do. What waits by address hears only threads of its own process; an event or a semaphore could also be set
/// from outside, by another process or a driver, so that such a wait is at most likely to be without end.
/// </summary>
internal static class WaitAtExit
{
    /// <summary>The waits of the last thread that nobody is left to end, with the grade of that statement.</summary>
    public static IEnumerable<(WaitFact Wait, Grade Grade)> Find(AnalysisContext context, ProcessExit exit)
    {
        if (exit is not { IsAlone: true, Thread: { } thread })
        {
            yield break;
        }

        foreach (WaitFact wait in context.Graph.WaitsOf(thread.Id))
        {
            if (wait is { Timeout: not WaitTimeout.Finite, IsWaitAny: false, IsSatisfied: false } && !context.Graph.From(thread.Id).Any(e => e.Wait == wait)
                && GradeOf(context, wait) is { } grade)
            {
                yield return (wait, wait.Timeout == WaitTimeout.Infinite ? grade : Grade.Suspected);
            }
        }
    }

    /// <summary>The sentence about such a wait.</summary>
    public static string Sentence(AnalysisContext context, WaitFact wait)
    {
        string callback = context.Thread(wait.ThreadId) is { } thread && LoaderCallback.Find(context.Snapshot, thread) is { } found
            ? $" in {found.Module}'s {found.Kind} ({found.Reason})" : "";
        string who = wait.Resource.Facts.IsWaitByAddress
            ? "no other thread is left that could end this wait"
            : "no other thread is left that could set it; only another process or a driver could";
        return $"{context.Names.ThreadCapitalised(wait.ThreadId)} waits{callback} for {context.Names.Resource(wait.Resource)} while the process exits, and "
            + $"{who}.";
    }

    private static Grade? GradeOf(AnalysisContext context, WaitFact wait) => wait.Resource.Kind switch
    {
        var kind when ResourceKinds.Of(kind).IsWaitByAddress => wait.Grade,
        ResourceKind.Event or ResourceKind.Semaphore when !OutsideWork.Ends(context, wait) => (Grade)Math.Min((int)wait.Grade, (int)Grade.Derived),
        _ => null,
    };
}
