using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Threads at the head of a queue for a lock. Whether one polls there, in waits or sleeps with a limit, or waits for new work under the lock until it
/// comes, one dump does not tell; only waiters with a time limit of their own leave nothing undecided then, nor does an owner that an earlier dump shows
/// to move. Tasks for which only <c>Main</c> waits block nobody: their threads leave something undecided in waits that are known to have no end
/// and are not for the next item of a queue. Nor does a call that one thread waits for in another one's task leave anything undecided while the program is
/// seen to go on.
/// </summary>
internal sealed class OwnerOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        foreach (IGrouping<uint, WaitEdge> head in context.Graph.Edges.Where(IsOfLiving).GroupBy(e => e.Holder))
        {
            if (context.Thread(head.Key) is { } owner && !context.Graph.From(owner.Id).Any(IsOfLiving))
            {
                Resource[] held = VerdictParts.Held(head);
                int waiters = head.Select(e => e.Waiter).Distinct().Count();
                string names = string.Join(" and ", held.Select(context.Names.Resource));
                string role = $"{VerdictParts.HoldsOrRuns(held)} {names}, for which {CountText.Of(waiters, "thread")} {(waiters == 1 ? "waits" : "wait")},";
                if (OpenWaits.Of(context, OpenWaitKind.LockOwner, owner, role, isOwner: true) is { } wait)
                {
                    bool lasts = (head.All(e => EntryMethod.Awaits(context, e)) ? IsEndless(owner, wait) : OpenWaits.MayLast(wait))
                        && owner.Activity.Kind != ThreadActivityKind.Idle && !GoesOnElsewhere(context, owner.Id);
                    bool isAwaited = head.Any(e => e.Wait.Timeout != WaitTimeout.Finite && e.Resource.Facts.Class == WaitClass.Lock);
                    yield return wait with
                    {
                        LeavesUndecided = (lasts || isAwaited) && !owner.IsPassing && !Standstill.HasMoved(context, owner.Id),
                        OwnIndex = wait.OwnIndex ?? (held.Any(r => r.Kind == ResourceKind.Suspension) ? Searched(context, owner) : null),
                    };
                }
            }
        }
    }

    /// <summary>The innermost frame of the program's own that a search of the stack found: of a thread that nothing walks it is all there is.</summary>
    private static int? Searched(AnalysisContext context, ThreadSnapshot owner) =>
        owner.Stack.Frames.ToList().FindIndex(context.Application.Contains) is >= 0 and var index ? index : null;

    private static bool GoesOnElsewhere(AnalysisContext context, uint owner) =>
        ProgramAtWork.IsOneCall(context, owner) && ProgramAtWork.IsSeen(context, owner);

    private static bool IsEndless(ThreadSnapshot owner, OpenWait wait) =>
        wait.Timeout == WaitTimeout.Infinite && !(wait.OwnIndex is { } own && WorkQueues.IsTaking(owner, own));

    /// <summary>True where a living thread is known to be waited for in a queue.</summary>
    internal static bool IsOfLiving(WaitEdge edge) => edge is { Queues: true, Ownership.OwnerIsAlive: not false };
}
