using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Waits that no verdict judges although they matter. Where others depend on what waits, one dump does not show whether it goes on, and the answer is not "no
/// hang found". Threads that wait for new work or for input are idle and never stand here.
/// </summary>
internal static class OpenWaits
{
    /// <summary>Most threads that one rule tells of where they only may be to blame.</summary>
    internal const int MostThreads = 16;

    // Of a thread that several of them tell of, the first one's line counts.
    private static readonly ImmutableArray<IOpenWaitRule> s_rules =
    [
        new WindowOpenWaits(),
        new OwnerOpenWaits(),
        new LoadOwnerOpenWaits(),
        new RuntimeOpenWaits(),
        new AsyncOpenWaits(),
        new HostOpenWaits(),
        new PoolOpenWaits(),
        new ChildOpenWaits(),
        new PipeOpenWaits(),
        new StepOpenWaits(),
        new ComputingOpenWaits(),
        new CallOpenWaits(),
        new FirstThreadOpenWaits(),
        new RareOpenWaits(),
        new OneCallOpenWaits(),
        new OwnCodeOpenWaits(),
    ];

    // All threads of such a process have lines, those that wait to write to a full pipe too.
    private static readonly ImmutableArray<IOpenWaitRule> s_nativeRules =
        [new NativeOpenWaits(), new AsyncOpenWaits(), new HostOpenWaits(), new ChildOpenWaits(), new CallOpenWaits()];

    /// <summary>All of them, those that leave the answer undecided first, then in the order of thread ids, each thread once; and what would decide.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdicts">What was found.</param>
    /// <param name="focus">The thread to look at first, or null.</param>
    public static (ImmutableArray<OpenWait> Waits, ImmutableArray<MissingData> Missing) Find(
        AnalysisContext context, ImmutableArray<Verdict> verdicts, StackExcerpt? focus)
    {
        OpenWaitScope scope = new(context, verdicts, focus);
        HashSet<uint> told = [.. scope.Judged];
        (IOpenWaitRule Rule, OpenWait[] Waits)[] found =
        [
            .. (NativeOpenWaits.Judges(context.Snapshot) ? s_nativeRules : s_rules)
                .Select(r => (r, r.Find(scope).Where(w => w.ThreadId is not { } id || told.Add(id)).ToArray())),
        ];
        if (found.Any(f => f.Waits.Any(w => w.Kind == OpenWaitKind.PendingCalls)))
        {
            // The calls say what Main waits for.
            found = [.. found.Select(f => (f.Rule, f.Waits.Where(w => w.LeavesUndecided || !IsOfMain(context, w)).ToArray()))];
        }

        OpenWait[] all = [.. found.SelectMany(f => f.Waits).Select(w => WithSince(context, w))];
        int threads = all.Count(w => w is { LeavesUndecided: true, ThreadId: not null });
        return (
            [.. all.OrderByDescending(w => w.LeavesUndecided).ThenBy(w => w.ThreadId is null).ThenBy(w => w.ThreadId)],
            [
                .. found.SelectMany(f => f.Rule.Missing(scope, [.. f.Waits.Where(w => w.LeavesUndecided)])),
                .. threads > 0 ? new[] { MissingData.Of(MissingKind.LaterMomentOfThreads, threads) } : [],
            ]);
    }

    private static bool IsOfMain(AnalysisContext context, OpenWait wait) =>
        wait is { Resource.Kind: ResourceKind.ManagedTask, ThreadId: { } id } && EntryMethod.IsUnder(context.Thread(id)!);

    /// <summary>With the oldest dump since which all threads of a line have stood where they stand, where the line is there to be looked at alone.</summary>
    private static OpenWait WithSince(AnalysisContext context, OpenWait wait) => !wait.LeavesUndecided && wait.ThreadId is { } first
        && context.Earlier.Since(look => wait.Others.Append(first).All(t => look.StandsAtTheSamePlace(t, context.Graph))) is { } since
            ? wait with { Activity = $"{wait.Activity}, and stood there in {PairText.DumpBefore(since)}" } : wait;

    /// <summary>A wait with a known limit ends by itself, and so does a sleep but one that is known to have no end.</summary>
    internal static bool MayLast(OpenWait wait) =>
        wait.Timeout != WaitTimeout.Finite && (wait.Resource?.Kind != ResourceKind.Time || wait.Timeout == WaitTimeout.Infinite);

    /// <summary>What a thread waits for or stands in; null when it runs, is idle or ended, will go on within a moment, or nothing is known of it.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="kind">Why it is told.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="role">Why it is looked at, or null.</param>
    /// <param name="isOwner">True for the owner of a lock that others wait for: it may be idle, and short waits may be polls.</param>
    internal static OpenWait? Of(AnalysisContext context, OpenWaitKind kind, ThreadSnapshot thread, string? role, bool isOwner = false)
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

        return At(kind, thread, role, ActivityText.Of(context, thread.Id), wait, context.Application.Innermost(thread.Stack.Frames)) with
        {
            Resource = wait?.Resource ?? (thread.Activity.Kind == ThreadActivityKind.Sleeping ? new Resource(ResourceKind.Time, 0, thread.Id) : null),
            ReadIndex = context.Application.ToRead(thread.Stack.Frames),
        };
    }

    /// <summary>The line of a thread.</summary>
    /// <param name="kind">Why it is told.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="role">Why it is looked at, or null.</param>
    /// <param name="activity">What it does, as a clause.</param>
    /// <param name="wait">Its wait, or null where none is known.</param>
    /// <param name="own">Index of its innermost frame of the program's own, or null.</param>
    internal static OpenWait At(OpenWaitKind kind, ThreadSnapshot thread, string? role, string activity, WaitFact? wait, int? own) => new(
        kind, thread.Id, role, activity, wait?.Grade ?? Grade.Proven, wait?.Evidence ?? VerdictParts.OfActivity(thread))
    {
        SystemCall = thread.Activity.SystemCall,
        Timeout = wait?.Timeout ?? WaitTimeout.Unknown,
        Milliseconds = wait?.Milliseconds,
        ThroughIndex = own is > 1 and var index && thread.Stack.Frames[index - 1].Function is not null ? index - 1 : null,
        OwnIndex = own,
    };
}
