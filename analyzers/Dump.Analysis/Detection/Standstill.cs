using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>Tells an owner that cannot go on, or has not gone on, from one that merely stands at the moment of the dump.</summary>
internal static class Standstill
{
    /// <summary>
    /// Fewest threads that stand behind the owner of a kernel mutex: programs use one, held for good, as the sign of an end that one thread waits for.
    /// </summary>
    private const int FewestForMutex = 3;

    /// <summary>
    /// True when one dump shows that the owner cannot go on: it sleeps without end; or it waits without end for something that only threads of this process
    /// give, and every other one that lives queues behind it without a time limit, or sleeps for long.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="holder">The owner.</param>
    /// <param name="queue">The threads that queue behind it without a time limit.</param>
    public static bool CannotGoOn(AnalysisContext context, uint holder, IReadOnlySet<uint> queue) =>
        context.Graph.WaitsOf(holder).Any(w => w is { Grade: > Grade.Suspected, Timeout: WaitTimeout.Infinite, IsWaitAny: false, IsSatisfied: false }
            && (w.Resource.Kind == ResourceKind.Time
                || (!MayEndBySystem(w) && !OutsideWork.Ends(context, w)
                    && context.Snapshot.Threads.All(t => t.HasExited || t.Id == holder || queue.Contains(t.Id) || SleepsLong(context, t)))));

    /// <summary>
    /// The oldest of the earlier dumps since which the owner has stood at one place with the lock, or null: it has used no processor time to speak of, at least
    /// one thread has waited for it all the time, and none has been served. Idle owners are none: threads that take turns in waiting for new work look like
    /// that.
    /// </summary>
    public static EarlierLook? Since(AnalysisContext context, ThreadSnapshot holder)
    {
        if (holder.Activity.Kind is ThreadActivityKind.Idle or ThreadActivityKind.Unknown
            || context.Graph.WaitsOf(holder.Id).Any(w => w.Resource.Kind == ResourceKind.Work) || ServerCalls.StandOn(holder.Stack.Frames))
        {
            return null;
        }

        WaitEdge[] direct = [.. context.Graph.To(holder.Id).Where(MayStand)];
        Resource[] held = [.. direct.Select(e => e.Resource).Distinct()];
        return context.Earlier.Since(look =>
            look.StandsAtTheSamePlace(holder.Id, context.Graph)
            && look.Pair.UsedBy(holder.Id) <= context.Options.StandstillTime
            && held.Any(r => look.Held(holder.Id, r) && Suffice(r, direct.Count(e => e.Resource == r && HasStood(context, look, e))))
            && !look.ServedBy(holder.Id, held, context.Graph).Any());
    }

    /// <summary>A timer ends the wait, or an object of which not even the kind is known.</summary>
    private static bool MayEndBySystem(WaitFact wait) => wait.Resource.Kind is ResourceKind.Timer or ResourceKind.KernelObject or ResourceKind.Unknown;

    private static bool MayStand(WaitEdge edge) => edge.Resource.Facts.HasQueue && edge.BlockingGrade > Grade.Suspected;

    private static bool HasStood(AnalysisContext context, EarlierLook look, WaitEdge edge) =>
        look.Stood(edge) && look.Pair.UsedBy(edge.Waiter) <= context.Options.StandstillTime;

    private static bool Suffice(Resource resource, int waiters) => waiters >= (resource.Kind == ResourceKind.Mutex ? FewestForMutex : 1);

    private static bool SleepsLong(AnalysisContext context, ThreadSnapshot thread) => context.Graph.WaitsOf(thread.Id).Any(w =>
        w is { Resource.Kind: ResourceKind.Time, Grade: > Grade.Suspected, IsSatisfied: false }
        && (w.Timeout == WaitTimeout.Infinite || w.Milliseconds >= context.Options.LongSleep.TotalMilliseconds));
}
