using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Looks;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis;

/// <summary>
/// Waits that no verdict judges although they matter: of threads with a window, of owners of locks that others wait for, of the load owner, of the thread to
/// look at first, and for the graphics processor, a hook or callbacks of the thread pool. Where others depend on such a thread, one dump does not show whether
/// it goes on, and the answer is not "no hang found". Threads that wait for new work or for input are idle and never stand here.
/// </summary>
internal static class OpenWaits
{
    private const string Handles = "handles the user interface";
    private const int MostStanding = 16;

    /// <summary>All of them, those that leave the answer undecided first, then in the order of thread ids; each thread once.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdicts">What was found: its threads, and those that queue behind them, are left out.</param>
    /// <param name="focus">The thread to look at first, or null.</param>
    public static ImmutableArray<OpenWait> Find(AnalysisContext context, IEnumerable<Verdict> verdicts, StackExcerpt? focus)
    {
        HashSet<uint> judged =
        [
            .. verdicts.SelectMany(v => v.Threads.Concat(v.Victims.SelectMany(g => g.ThreadIds)).Concat(v.Chain.Select(l => l.ThreadId))),
        ];
        OpenWait[] single = NativeOpenWaits.Judges(context.Snapshot) ? NativeOpenWaits.Find(context, judged) :
        [
            .. new[]
                {
                    Windows(context), Owners(context), LoadOwners(context), RuntimeOpenWaits.Find(context), HostOpenWaits.Threads(context),
                    Focus(context, focus), Named(context), Standing(context), verdicts.Any() ? [] : InOwnCode(context),
                }
                .SelectMany(w => w).Where(w => w.ThreadId is { } id && !judged.Contains(id)).DistinctBy(w => w.ThreadId),
        ];
        OpenWait[] calls = [.. CallOpenWaits.Find(context, verdicts)];
        if (calls.Length > 0)
        {
            // The calls say what Main waits for.
            single = [.. single.Where(w => w.LeavesUndecided || w.Resource?.Kind != ResourceKind.ManagedTask || !EntryMethod.IsUnder(context.Thread(w.ThreadId!.Value)!))];
        }

        return
        [
            .. single.Select(w => WithSince(context, w)).Concat(AsyncOpenWaits.Find(context, verdicts)).Concat(HostOpenWaits.Find(context, verdicts)).Concat(ChildOpenWaits.Find(context)).Concat(PipeOpenWaits.Find(context))
                .Concat(calls).OrderByDescending(w => w.LeavesUndecided).ThenBy(w => w.ThreadId is null).ThenBy(w => w.ThreadId),
        ];
    }

    /// <summary>What would decide, where something is left undecided; empty where nothing is.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdicts">What was found.</param>
    /// <param name="waits">All open waits.</param>
    public static IEnumerable<MissingData> Missing(AnalysisContext context, IEnumerable<Verdict> verdicts, ImmutableArray<OpenWait> waits)
    {
        foreach (MissingData missing in AsyncOpenWaits.Missing(context.Snapshot, waits).Concat(AsyncOpenWaits.Gaps(context.Snapshot))
            .Concat(HostOpenWaits.Missing(context.Snapshot, waits)).Concat(ChildOpenWaits.Missing(waits))
            .Concat(PipeOpenWaits.Missing(context, waits)).Concat(CallOpenWaits.Missing(context, verdicts)))
        {
            yield return missing;
        }

        int open = waits.Count(w => w is { LeavesUndecided: true, ThreadId: not null });
        if (open > 0)
        {
            yield return MissingData.Of(MissingKind.LaterMomentOfThreads, open);
        }

        foreach (MissingData missing in HungWindows(context, verdicts))
        {
            yield return missing;
        }

        HashSet<uint> windows = [.. context.UiThreads.Select(u => u.Thread.Id)];
        if (HungWindowComment.WindowOf(context.Snapshot.Source.Comment) is { } window && !verdicts.Any(v => v.Threads.Any(windows.Contains)))
        {
            yield return MissingData.Of(MissingKind.HungWindowHandler, detail: $"0x{window:x}");
        }
    }

    /// <summary>
    /// Threads of a living process of which Windows says that they have taken no message for 5 s, and that no verdict is about. A hidden window counts only
    /// where the thread has a message loop: others make one and never mean to take messages.
    /// </summary>
    private static IEnumerable<MissingData> HungWindows(AnalysisContext context, IEnumerable<Verdict> verdicts)
    {
        HashSet<uint> judged = [.. verdicts.SelectMany(v => v.Threads.Concat(v.Victims.SelectMany(g => g.ThreadIds)))];
        HashSet<uint> loops = [.. context.UiThreads.Select(u => u.Thread.Id)];
        foreach (ThreadSnapshot thread in context.Snapshot.Threads)
        {
            if (thread.UnansweredWindow is { IsHung: true } window && !judged.Contains(thread.Id) && (window.IsVisible || loops.Contains(thread.Id)))
            {
                yield return MissingData.Of(
                    MissingKind.UnansweredWindowHandler, detail: $"{context.Names.Thread(thread.Id)} did when its window 0x{window.Window:x}");
            }
        }
    }

    /// <summary>Handlers that no verdict is about, and dialogs above a COM call that has no answer.</summary>
    private static IEnumerable<OpenWait> Windows(AnalysisContext context)
    {
        foreach (UiThread ui in context.UiThreads)
        {
            if (ui.PendingCall is { } call)
            {
                yield return new OpenWait(
                    ui.Thread.Id, Handles,
                    "runs a dialog or another loop of its own, which is healthy, above a COM call to another apartment or process that has no answer",
                    call.Grade,
                    [
                        new Evidence(
                            EvidenceSource.Stack, $"frames {call.InnerIndex} to {call.OuterIndex} are those of a COM call to another apartment or process"),
                    ])
                {
                    SystemCall = ui.Thread.Activity.SystemCall,
                    Resource = new Resource(ResourceKind.ComCall, 0, ui.Thread.Id),
                    OwnIndex = context.Application.Innermost(ui.Thread.Stack.Frames, call.OuterIndex + 1),
                    LeavesUndecided = true,
                };
            }
            else if (ui.State == UiThreadState.Handling && Of(context, ui.Thread, Handles) is { } wait)
            {
                yield return wait with { LeavesUndecided = true };
            }
        }
    }

    /// <summary>
    /// Threads at the head of a queue for a lock. Whether one polls there, in waits or sleeps with a limit, or waits for new work under the lock until it
    /// comes, one dump does not tell; only waiters with a time limit of their own leave nothing undecided then, nor does an owner that an earlier dump shows
    /// to move. Tasks for which only <c>Main</c> waits block nobody: their threads leave something undecided in waits that are known to have no end
    /// and are not for the next item of a queue. Nor does a call that one thread waits for in another one's task leave anything undecided while the program is
    /// seen to go on.
    /// </summary>
    private static IEnumerable<OpenWait> Owners(AnalysisContext context)
    {
        foreach (IGrouping<uint, WaitEdge> head in context.Graph.Edges.Where(IsOfLiving).GroupBy(e => e.Holder))
        {
            if (context.Thread(head.Key) is { } owner && !context.Graph.From(owner.Id).Any(IsOfLiving))
            {
                Resource[] held = VerdictParts.Held(head);
                int waiters = head.Select(e => e.Waiter).Distinct().Count();
                string names = string.Join(" and ", held.Select(context.Names.Resource));
                string role = $"{VerdictParts.HoldsOrRuns(held)} {names}, for which {CountText.Of(waiters, "thread")} {(waiters == 1 ? "waits" : "wait")},";
                if (Of(context, owner, role, isOwner: true) is { } wait)
                {
                    bool lasts = (head.All(e => EntryMethod.Awaits(context, e)) ? IsEndless(owner, wait) : MayLast(wait))
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

    /// <summary>A wait with a known limit ends by itself, and so does a sleep but one that is known to have no end.</summary>
    internal static bool MayLast(OpenWait wait) =>
        wait.Timeout != WaitTimeout.Finite && (wait.Resource?.Kind != ResourceKind.Time || wait.Timeout == WaitTimeout.Infinite);

    private static bool IsEndless(ThreadSnapshot owner, OpenWait wait) =>
        wait.Timeout == WaitTimeout.Infinite && !(wait.OwnIndex is { } own && WorkQueues.IsTaking(owner, own));

    private static bool IsOfLiving(WaitEdge edge) => edge is { Queues: true, Ownership.OwnerIsAlive: not false };

    private static IEnumerable<OpenWait> LoadOwners(AnalysisContext context) =>
        context.Snapshot.Threads.Where(t => t is { IsLoadOwner: true, HasExited: false })
            .Select(t => Of(context, t, "is the load owner (it loads, starts or ends modules)")).OfType<OpenWait>()
            .Select(w => w with { LeavesUndecided = MayLast(w) });

    /// <summary>
    /// No idle program waits in these kinds: locks of a program's own wait by address, and whether the graphics processor, a hook or a callback still works is
    /// not in the dump.
    /// </summary>
    private static IEnumerable<OpenWait> Focus(AnalysisContext context, StackExcerpt? focus) =>
        focus is not null && context.Thread(focus.ThreadId) is { } thread && Of(context, thread, focus.Role) is { } wait
            ? [wait with { LeavesUndecided = MayLast(wait) && (wait.Resource?.Kind == ResourceKind.Address || IsNamed(wait.Resource)) }]
            : [];

    /// <summary>Waits that are rare enough to be worth a line on any thread.</summary>
    private static IEnumerable<OpenWait> Named(AnalysisContext context) =>
        context.Graph.Waits.Where(w => IsNamed(w.Resource)).Concat(context.Graph.Waits.Where(IsForChild).Take(MostStanding))
            .Select(w => context.Thread(w.ThreadId)).OfType<ThreadSnapshot>()
            .Select(t => Of(context, t, null)).OfType<OpenWait>();

    /// <summary>
    /// Where a call that one thread waits for in another one's task is all that is seen of a program: its other threads in waits without an end, of which one
    /// is to blame.
    /// </summary>
    private static IEnumerable<OpenWait> Standing(AnalysisContext context) =>
        context.Graph.Edges.Any(e => IsOfLiving(e) && e.Resource.Facts.Class == WaitClass.Task && context.Graph.From(e.Holder).IsEmpty
            && ProgramAtWork.IsOneCall(context, e.Holder) && !ProgramAtWork.IsSeen(context, e.Holder))
            ? context.Snapshot.Threads.Where(t => t.ManagedId is not null && context.Graph.From(t.Id).IsEmpty && context.Graph.To(t.Id).IsEmpty
                    && context.Graph.WaitsOf(t.Id) is { IsEmpty: false } waits && waits.All(w => w.LastsForObject))
                .Select(t => Of(context, t, null)).OfType<OpenWait>().Where(w => w.OwnIndex is not null).Take(MostStanding)
            : [];

    /// <summary>
    /// Threads that wait without a known limit below code of the program's own, one for those that stand at the same place: where nothing is judged they are
    /// what there is to look at, and leave nothing undecided by themselves.
    /// </summary>
    private static IEnumerable<OpenWait> InOwnCode(AnalysisContext context) =>
        context.Snapshot.Threads.Where(t => t.ManagedId is not null && context.Graph.From(t.Id).IsEmpty).OrderBy(t => t.Id)
            .Select(t => Of(context, t, null)).OfType<OpenWait>().Where(w => w is { OwnIndex: not null, Timeout: not WaitTimeout.Finite })
            .GroupBy(w => (NativeOpenWaits.Place(context.Thread(w.ThreadId!.Value)!, w.OwnIndex), w.Resource?.Kind))
            .Select(g => g.First() with { Others = [.. g.Skip(1).Select(w => w.ThreadId!.Value)] }).Take(MostStanding);

    /// <summary>With the oldest dump since which all threads of a line have stood where they stand, where the line is there to be looked at alone.</summary>
    private static OpenWait WithSince(AnalysisContext context, OpenWait wait) => !wait.LeavesUndecided && wait.ThreadId is { } first
        && context.Earlier.Since(look => wait.Others.Append(first).All(t => look.StandsAtTheSamePlace(t, context.Graph))) is { } since
            ? wait with { Activity = $"{wait.Activity}, and stood there in {PairText.DumpBefore(since)}" } : wait;

    /// <summary>A launcher is healthy, but its child may be what hangs.</summary>
    private static bool IsForChild(WaitFact wait) => wait is { Resource.Kind: ResourceKind.ChildProcess, Timeout: not WaitTimeout.Finite };

    private static bool IsNamed(Resource? resource) =>
        resource?.Kind is ResourceKind.GraphicsProcessor or ResourceKind.PoolCallbacks or ResourceKind.WindowHook;

    /// <summary>What a thread waits for or stands in; null when it runs, is idle or ended, will go on within a moment, or nothing is known of it.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="role">Why it is looked at, or null.</param>
    /// <param name="isOwner">True for the owner of a lock that others wait for: it may be idle, and short waits may be polls.</param>
    internal static OpenWait? Of(AnalysisContext context, ThreadSnapshot thread, string? role, bool isOwner = false)
    {
        bool stands = thread.Activity.Kind is ThreadActivityKind.Waiting or ThreadActivityKind.Sleeping or ThreadActivityKind.SystemCall
            || (isOwner && thread.Activity.Kind == ThreadActivityKind.Idle);
        if (thread.HasExited || !stands || context.Graph.IsAboutToGoOn(thread.Id))
        {
            return null;
        }

        WaitFact? wait = context.Graph.FirstWaitOf(thread.Id);
        if (!isOwner && wait is { Timeout: WaitTimeout.Finite, Milliseconds: < UiBlockage.HungMilliseconds } or { Resource.Kind: ResourceKind.Work })
        {
            return null;
        }

        int? own = context.Application.Innermost(thread.Stack.Frames);
        return new OpenWait(
            thread.Id, role, ActivityText.Of(context, thread.Id), wait?.Grade ?? Grade.Proven,
            wait?.Evidence ?? (thread.Activity.Evidence.IsEmpty ? [new Evidence(EvidenceSource.Stack, "its innermost frames")] : thread.Activity.Evidence))
        {
            SystemCall = thread.Activity.SystemCall,
            Resource = wait?.Resource ?? (thread.Activity.Kind == ThreadActivityKind.Sleeping ? new Resource(ResourceKind.Time, 0, thread.Id) : null),
            Timeout = wait?.Timeout ?? WaitTimeout.Unknown,
            Milliseconds = wait?.Milliseconds,
            ThroughIndex = own is > 1 and var index && thread.Stack.Frames[index - 1].Function is not null ? index - 1 : null,
            OwnIndex = own,
            ReadIndex = context.Application.ToRead(thread.Stack.Frames),
        };
    }
}
