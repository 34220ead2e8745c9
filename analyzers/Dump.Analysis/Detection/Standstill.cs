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
    /// give, and every other one that lives queues behind it without a time limit, or sleeps without end.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="holder">The owner.</param>
    /// <param name="queue">The threads that queue behind it without a time limit.</param>
    public static bool CannotGoOn(AnalysisContext context, uint holder, IReadOnlySet<uint> queue) =>
        context.Graph.WaitsOf(holder).Any(w =>
            w is { Grade: > Grade.Suspected, LastsForObject: true, IsAlertable: false }
            && (w.Resource.Kind == ResourceKind.Time
                || (!MayEndBySystem(w) && !OutsideWork.Ends(context, w)
                    && context.Snapshot.Threads.All(t => t.HasExited || t.Id == holder || queue.Contains(t.Id) || SleepsForGood(context, t)))));

    /// <summary>
    /// The oldest of the earlier dumps since which the owner has stood at one place with the lock, or null: it and its waiters together have used no processor
    /// time to speak of, at least one thread has waited for it all the time, and none has been served. Idle owners are none: threads that take turns in waiting
    /// for new work look like that.
    /// </summary>
    public static EarlierLook? Since(AnalysisContext context, ThreadSnapshot holder)
    {
        bool mayBeIdle = holder.Activity.Kind == ThreadActivityKind.Unknown || IsIdle(context, holder) || ServerCalls.StandOn(holder.Stack.Frames);
        return mayBeIdle && !LeftHeld.IsWorker(context, holder) ? null : HeldSince(context, holder, look =>
            look.StandsAtTheSamePlace(holder.Id, context.Graph)
            && (look.Pair.HasRun(holder.Id) is { } ran ? !ran : UsedByAll(context, look, holder.Id) <= context.Options.StandstillTime));
    }

    /// <summary>
    /// True where more than the same place says that an owner has stood since an earlier dump: it never gave up the processor, or neither it nor its waiters have used
    /// any. A short round through the lock takes next to no time, and comes back to the same frames.
    /// </summary>
    public static bool IsCertain(AnalysisContext context, EarlierLook since, uint holder) =>
        since.Pair.HasRun(holder) is { } ran ? !ran : UsedByAll(context, since, holder) == TimeSpan.Zero;

    /// <summary>
    /// The same for an owner that waits or sleeps, wherever it stands and whatever processor time it has used: it may poll under the lock, or have taken it
    /// over and over.
    /// </summary>
    public static EarlierLook? PollsSince(AnalysisContext context, ThreadSnapshot holder) =>
        holder.Activity.Kind is ThreadActivityKind.Waiting or ThreadActivityKind.Sleeping or ThreadActivityKind.SystemCall && !IsIdle(context, holder)
            && !ServerCalls.StandOn(holder.Stack.Frames)
            ? HeldSince(context, holder, _ => true)
            : null;

    /// <summary>True when the last of the earlier dumps shows that the owner has released what it holds, or has only taken it since.</summary>
    public static bool HasMoved(AnalysisContext context, uint holder)
    {
        WaitEdge[] queued = [.. context.Graph.To(holder).Where(e => e.Grade > Grade.Suspected && e.Resource.Facts.HasQueue)];
        Resource[] held = VerdictParts.Held(queued);
        return !context.Earlier.IsEmpty && held.Length > 0 && context.Earlier[^1] is var last
            && (held.All(r => last.DidNotHold(holder, r)) || last.ServedBy(holder, held, context.Graph).Any() || Turns(context, last, queued).Any()
                || queued.Any(e => WasServed(context, last, e)));
    }

    /// <summary>True where a thread that waits for what the owner holds was woken shortly before the last of several looks at a living process.</summary>
    public static bool HasServed(AnalysisContext context, uint holder) =>
        !context.Earlier.IsEmpty && context.Graph.To(holder).Any(e => WasServed(context, context.Earlier[^1], e));

    /// <summary>
    /// True for a thread of a living process that waits for a lock without a limit and was woken shortly before: that happens where the lock is released. It must have
    /// waited there in the earlier look, or the owner have stood elsewhere: one that has just come was awake before.
    /// </summary>
    private static bool WasServed(AnalysisContext context, EarlierLook look, WaitEdge edge) =>
        edge is { QueuesWithoutLimit: true, QueuesForLock: true } && context.Thread(edge.Waiter)?.Activity.Kind == ThreadActivityKind.Waiting
        && ((look.Pair.HasRun(edge.Waiter) == true && look.Stood(edge)) || WasWoken(context, look, edge));

    private static bool WasWoken(AnalysisContext context, EarlierLook look, WaitEdge edge) => look.Pair.UseBeforeLater(edge.Waiter) is { Pauses: > 0 }
        && (look.StandsAtTheSamePlace(edge.Waiter, context.Graph) || !look.StandsAtTheSamePlace(edge.Holder, context.Graph));

    /// <summary>
    /// The locks that have been released to a waiter since an earlier dump, by their own counts of waits: the owner has taken them again.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="look">The earlier dump.</param>
    /// <param name="queued">Waits for what one owner holds.</param>
    public static IEnumerable<(Resource Lock, uint Before, uint After)> Turns(AnalysisContext context, EarlierLook look, IEnumerable<WaitEdge> queued) =>
        from held in queued.Select(e => e.Ownership).DistinctBy(o => o.Resource)
        orderby held.Resource.Kind, held.Resource.Identity
        let turns = look.Turns(held, context.Graph)
        where turns is not null
        select (held.Resource, turns.Value.Before, turns.Value.After);

    /// <summary>
    /// True when so many threads that wait for a lock without a time limit say that its owner stands: programs hold mutexes of the kernel for good.
    /// </summary>
    public static bool Suffice(Resource resource, int waiters) => waiters >= (resource.Kind == ResourceKind.Mutex ? FewestForMutex : 1);

    private static bool IsIdle(AnalysisContext context, ThreadSnapshot holder) =>
        holder.Activity.Kind == ThreadActivityKind.Idle || context.Graph.WaitsOf(holder.Id).Any(w => w.Resource.Kind == ResourceKind.Work);

    private static EarlierLook? HeldSince(AnalysisContext context, ThreadSnapshot holder, Func<EarlierLook, bool> stands)
    {
        WaitEdge[] direct = [.. context.Graph.To(holder.Id).Where(e => e.QueuesWithoutLimit)];
        Resource[] held = VerdictParts.Held(direct);
        return context.Earlier.Since(look => !(look.Pair.Elapsed < context.Options.LeastStandstill) && stands(look)
            && direct.Where(look.Stood).ToArray() is var stood && !stood.Any(e => HasComeBack(context, look, e))
            && stood.Where(e => look.Pair.UsedBy(e.Waiter) is not null).GroupBy(e => e.Resource)
                .Any(g => look.Held(holder.Id, g.Key) && Suffice(g.Key, g.Count()))
            && !look.ServedBy(holder.Id, held, context.Graph).Any() && !Turns(context, look, direct).Any());
    }

    /// <summary>
    /// True when a thread that waited without a time limit for the same in the earlier dump has worked since, or its frames hold other values: it has been
    /// served in between, and waits again.
    /// </summary>
    private static bool HasComeBack(AnalysisContext context, EarlierLook look, WaitEdge edge) =>
        look.Pair.HasMoved(edge.Waiter, context.Options.StandstillTime) == true || look.Pair.HasOtherCallerContent(edge.Waiter)
        || WasServed(context, look, edge);

    /// <summary>
    /// Processor time that the owner and all that wait for it have used together, as far as it is known of these; null when it is not of the owner. Who is
    /// served over and over uses little each time.
    /// </summary>
    private static TimeSpan? UsedByAll(AnalysisContext context, EarlierLook look, uint holder) => context.Graph.To(holder)
        .Where(e => e.QueuesWithoutLimit && look.Stood(e)).Select(e => e.Waiter).Distinct()
        .Aggregate(look.Pair.UsedBy(holder), (total, waiter) => total + (look.Pair.UsedBy(waiter) ?? TimeSpan.Zero));

    /// <summary>
    /// A timer ends the wait, or an object of which not even the kind is known. The system sets an event when input or output completes (OVERLAPPED), when a
    /// key of the registry or an address changes, and for a socket; and other processes may have handles to events and semaphores.
    /// </summary>
    private static bool MayEndBySystem(WaitFact wait) => wait.Resource.Kind is ResourceKind.Timer or ResourceKind.KernelObject or ResourceKind.Unknown
        or ResourceKind.Event or ResourceKind.Semaphore;

    /// <summary>A sleep with a limit ends, and the supervisor that slept sets the event then.</summary>
    private static bool SleepsForGood(AnalysisContext context, ThreadSnapshot thread) => context.Graph.WaitsOf(thread.Id).Any(w =>
        w is { Resource.Kind: ResourceKind.Time, Grade: > Grade.Suspected, IsSatisfied: false, Timeout: WaitTimeout.Infinite });
}
