using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Looks;
using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

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
        new ExitOpenWaits(),
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
        new PollingOpenWaits(),
        new CallOpenWaits(),
        new FirstThreadOpenWaits(),
        new RareOpenWaits(),
        new OneCallOpenWaits(),
        new OwnCodeOpenWaits(),
    ];

    // All threads of such a process have lines, those that wait to write to a full pipe too.
    private static readonly ImmutableArray<IOpenWaitRule> s_nativeRules =
        [new NativeOpenWaits(), new AsyncOpenWaits(), new HostOpenWaits(), new ChildOpenWaits(), new CallOpenWaits()];

    /// <summary>
    /// All of them, those that leave the answer undecided first and those that end by themselves last, else in the order of thread ids, each thread once; and what would
    /// decide.
    /// </summary>
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
                .Select(r => (r, r.Find(scope).Where(w => w.ThreadId is not { } id || told.Add(id)).Select(w => WithPauses(context, w)).ToArray())),
        ];
        if (found.Any(f => f.Waits.Any(w => w.Kind == OpenWaitKind.PendingCalls)))
        {
            // The calls say what Main waits for.
            found = [.. found.Select(f => (f.Rule, f.Waits.Where(w => w.LeavesUndecided || !IsOfMain(context, w)).ToArray()))];
        }

        OpenWait[] all = [.. found.SelectMany(f => f.Waits).Select(w => WithSince(context, w))];
        int threads = all.Count(w => w is { LeavesUndecided: true, ThreadId: not null });
        return (
            [.. all.OrderByDescending(w => w.LeavesUndecided).ThenBy(w => w.IsExplained).ThenBy(w => w.ThreadId is null).ThenBy(w => w.ThreadId)],
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
            ? wait with { Activity = $"{wait.Activity}, and was seen there in {PairText.DumpBefore(since)}" } : wait;

    /// <summary>
    /// A wait of a thread that has been woken since the look before began after that: it leaves nothing undecided. An owner is judged by its waiters, a window by its
    /// messages, and threads that poll or compute by what they do.
    /// </summary>
    private static OpenWait WithPauses(AnalysisContext context, OpenWait wait) =>
        wait is { LeavesUndecided: true, ThreadId: { } first, Kind: not (OpenWaitKind.LockOwner or OpenWaitKind.Window or OpenWaitKind.Computing) }
            && !SpinWaitFunctions.StandOn(context.Thread(first)!.Stack) && wait.Others.Append(first).All(t => HasRun(context, t)) ? wait with { LeavesUndecided = false, Activity = $"{wait.Activity}, and was woken since the look before" }
            : wait;

    /// <summary>True for a thread that is known to have run since the look before.</summary>
    internal static bool HasRun(AnalysisContext context, uint thread) => !context.Earlier.IsEmpty && context.Earlier[^1].Pair.HasRun(thread) == true;

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
        IsExplained = role is null && (wait?.Timeout == WaitTimeout.Finite || (thread.Activity.Kind == ThreadActivityKind.Sleeping && wait?.Timeout != WaitTimeout.Infinite)),
        SystemCall = thread.Activity.SystemCall,
        Timeout = wait?.Timeout ?? WaitTimeout.Unknown,
        Milliseconds = wait?.Milliseconds,
        ThroughIndex = own is > 1 and var index && thread.Stack.Frames[index - 1].Function is not null ? index - 1 : null,
        OwnIndex = own,
    };
}

/// <summary>
/// Children that cannot go on by themselves: a stopped one, and one that wants to write to a full pipe which the living process reads. Nothing in the memory of
/// the process says so, and a thread that waits for such a child, or for its output, looks like one that waits for input.
/// </summary>
internal sealed class ChildOpenWaits : IOpenWaitRule
{
    private const int MostNamed = 16;

    /// <summary>
    /// One for each child; those that a pipe leads to, workers of the same program, and all where a thread waits for the end of a process leave the answer open.
    /// </summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        bool isAwaited = scope.Context.Graph.Waits.Any(w => w.Resource.Kind == ResourceKind.Process);
        return scope.Context.Snapshot.StandingChildren.OrderByDescending(c => c.IsConnected).Take(MostNamed).Select(c => new OpenWait(
            OpenWaitKind.Child, null, null,
            $"Child {c.Name} {c.Standstill}. " + (c.IsConnected || isAwaited ? "Anything here that waits for its end or its output waits as long."
                : "Nothing shows that this process waits for it."),
            Grade.Proven,
            [new Evidence(EvidenceSource.Rule, "what /proc tells of the child, alike before and after the look at this process")])
        {
            Resource = new Resource(ResourceKind.Process, 0),
            LeavesUndecided = c.IsConnected || isAwaited,
        });
    }

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.StandingChildren, open.Length)];
}

/// <summary>
/// Threads of a living process that did nothing but compute between two samples, too short a time apart to call that a runaway. The program is seen at work,
/// so that they leave nothing undecided; where they compute without an end, this is the line to look at.
/// </summary>
internal sealed class ComputingOpenWaits : IOpenWaitRule
{
    /// <summary>Share of one processor of a thread that does nothing else.</summary>
    private const double WholeLoad = 0.9;

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return !scope.Verdicts.IsEmpty ? []
            : context.Snapshot.Threads.Where(t => (t.ManagedId is not null || IsNative(context)) && Computes(t, context.Options)).OrderBy(t => t.Id)
                .Select(t => Of(context, t)).OfType<OpenWait>().Take(OpenWaits.MostThreads);
    }

    /// <summary>
    /// True for a native Linux process that computes: it has no other sign of work than that, and a second look some seconds later shows whether it does nothing else.
    /// A .NET program that computes for some seconds is seen at work.
    /// </summary>
    internal static bool AskForAnotherLook(AnalysisContext context) => context.Earlier.IsEmpty && context.Snapshot.System.Family == OperatingSystemFamily.Linux
        && IsNative(context) && context.Snapshot.Threads.Any(t => Computes(t, context.Options));

    private static bool IsNative(AnalysisContext context) => !context.Snapshot.Threads.Any(t => t.ManagedId is not null);

    private static bool Computes(ThreadSnapshot thread, AnalysisOptions options) =>
        thread is { IsFinalizer: false, HasExited: false, RecentUse: { } use, Activity.Kind: ThreadActivityKind.Running or ThreadActivityKind.Yielding }
            && (use.Load >= WholeLoad || (use.WasAlwaysReady == true && use.Load >= options.ReadyLoad)) && !ProcessorLoad.ComputedAllTheTime(thread, options);

    private static OpenWait? Of(AnalysisContext context, ThreadSnapshot thread) => context.Application.Innermost(thread.Stack.Frames) is { } own
        ? OpenWaits.At(OpenWaitKind.Computing, thread, null, $"computes, and did nothing else before: {Naming.Use(thread.RecentUse!)}", null, own) with
        {
            ReadIndex = context.Application.ToRead(thread.Stack.Frames),
        }
        : null;
}

/// <summary>
/// Threads that poll with .NET's <c>SpinWait</c> on behalf of the program, as those do that wait for a flag or a lock of the program's own. Most of these polls last
/// for microseconds: one leaves the answer open where it stands at the same place in an earlier look too.
/// </summary>
internal sealed class PollingOpenWaits : IOpenWaitRule
{
    /// <summary>True where a living process is worth a second look because of them.</summary>
    public static bool AskForAnotherLook(AnalysisContext context) => context.Earlier.IsEmpty && context.Snapshot.Threads.Any(t => Place(context, t) is not null);

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return !scope.Verdicts.IsEmpty ? []
            : from thread in context.Snapshot.Threads
              let own = Place(context, thread)
              where own is not null
              let stood = context.Earlier.Since(look => look.Pair.HasBoth(thread.Id) && look.Pair.Earlier.Thread(thread.Id) is { } before
                  && Place(context, before) is { } index && before.Stack.Frames[index].Function == thread.Stack.Frames[own.Value].Function)
              select OpenWaits.At(OpenWaitKind.OwnCode, thread, null,
                  "polls with SpinWait" + (stood is null ? "" : $", and did so in {PairText.DumpBefore(stood)}"), null, own) with
              {
                  ReadIndex = context.Application.ToRead(thread.Stack.Frames),
                  LeavesUndecided = stood is { Pair.MayBeApart: true },
              };
    }

    private static int? Place(AnalysisContext context, ThreadSnapshot thread) =>
        thread is { ManagedId: not null, HasExited: false } && SpinWaitFunctions.StandOn(thread.Stack) ? context.Application.Innermost(thread.Stack.Frames) : null;
}

/// <summary>
/// The thread to look at first. It leaves the answer open in waits in which no idle program stands: locks of a program's own wait by address, and whether the
/// graphics processor, a hook or a callback still works is not in the dump, nor who holds a mutex or the lock of a file that other processes take too.
/// </summary>
internal sealed class FirstThreadOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        if (scope.Focus is not { } focus || context.Thread(focus.ThreadId) is not { } thread
            || OpenWaits.Of(context, OpenWaitKind.FirstThread, thread, focus.Role) is not { } wait)
        {
            yield break;
        }

        ThreadSnapshot last = Last(context, thread);
        bool isOpen = IsOpenOnWindows(context, last);
        yield return wait with
        {
            LeavesUndecided = isOpen || (OpenWaits.MayLast(wait) && (wait.Resource?.Kind is ResourceKind.Address or ResourceKind.FileLock
                || wait is { Resource: null, SystemCall: "flock" } || RareOpenWaits.IsRare(wait.Resource)
                || IsOfUnknownHolder(context, wait))),
        };
        if (last != thread && OpenWaits.Of(context, OpenWaitKind.AwaitedThread, last, $"is what {context.Names.Thread(thread.Id)} waits for in the end") is { } end)
        {
            yield return end with { LeavesUndecided = isOpen };
        }
    }

    /// <summary>The thread for whose end a thread waits, and so on.</summary>
    internal static ThreadSnapshot Last(AnalysisContext context, ThreadSnapshot first)
    {
        HashSet<uint> seen = [first.Id];
        ThreadSnapshot last = first;
        while (context.Graph.From(last.Id).FirstOrDefault(e => e is { Resource.Kind: ResourceKind.Thread, Wait.IsWaitAny: false }) is { } edge && seen.Add(edge.Holder)
            && context.Thread(edge.Holder) is { HasExited: false } next)
        {
            last = next;
        }

        return last;
    }

    /// <summary>
    /// True for a native thread of Windows in a wait in which no idle program stands and that nobody is known to end: for an answer, or for a mutex. Many a service
    /// waits for an event until it is told to stop, and for input or output; a loop of messages, a completion port, a pool's worker and a server of calls are idle.
    /// </summary>
    private static bool IsOpenOnWindows(AnalysisContext context, ThreadSnapshot thread) =>
        context.Snapshot.System.Family == OperatingSystemFamily.Windows && thread.Activity.Kind != ThreadActivityKind.Idle
        && !context.Snapshot.Threads.Any(t => t.ManagedId is not null) && !context.Snapshot.Modules.Any(m => m.IsDotNetRuntime)
        && context.Application.Innermost(thread.Stack.Frames) is not null
        && context.Graph.WaitsOf(thread.Id) is [{ IsWaitAny: false, IsSatisfied: false, IsForNewWork: false } wait]
        && wait.Timeout != WaitTimeout.Finite && wait.Resource.Kind is ResourceKind.RemoteCall or ResourceKind.ComCall or ResourceKind.WindowMessage
            or ResourceKind.Mutex or ResourceKind.ReaderWriterResource or ResourceKind.PosixMutex;

    /// <summary>Dumps of Windows record who holds a mutex; a named one of .NET is a mutex of the C library in memory that processes share.</summary>
    private static bool IsOfUnknownHolder(AnalysisContext context, OpenWait wait) =>
        wait is { Resource.Kind: ResourceKind.Mutex or ResourceKind.PthreadMutex, ThreadId: { } thread } && context.Thread(thread)?.ManagedId is not null
        && context.Snapshot.System.Family == OperatingSystemFamily.Linux && context.Graph.From(thread).All(e => e.Holder == 0);
}

/// <summary>
/// Hosts that have not finished starting or stopping. A service that is not up, or a process that should have ended, is what people call hung; whether it goes
/// on, one dump does not show. Where time or running code is at the end of the awaits it goes on by itself.
/// </summary>
internal sealed class HostOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) => Threads(scope.Context).Concat(Hosts(scope));

    private static IEnumerable<OpenWait> Hosts(OpenWaitScope scope)
    {
        foreach (HostTransition host in scope.Context.Snapshot.AsyncWaits?.Hosts ?? [])
        {
            yield return new OpenWait(
                OpenWaitKind.Host, null, null, Sentence(host), Grade.Proven,
                [new Evidence(EvidenceSource.Memory, "the host's pending async method, and what it awaits", host.Address)])
            {
                Resource = Of(host),
                LeavesUndecided = !host.EndsByItself && scope.Verdicts.IsEmpty,
            };
        }
    }

    /// <summary>Threads in which a service keeps its host from starting or stopping, which nothing that has a limit does for ever.</summary>
    private static IEnumerable<OpenWait> Threads(AnalysisContext context)
    {
        foreach (ThreadSnapshot thread in context.Snapshot.Threads)
        {
            if (HostCalls.Starts(thread) is { } starts && OpenWaits.Of(context, OpenWaitKind.HostThread, thread, Role(starts)) is { } wait)
            {
                yield return wait with { LeavesUndecided = OpenWaits.MayLast(wait) };
            }
        }
    }

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        (scope.Context.Snapshot.AsyncWaits?.Hosts ?? []).Where(h => open.Any(w => w.Kind == OpenWaitKind.Host && w.Resource == Of(h)))
            .Select(h => MissingData.Of(h.IsStart ? MissingKind.LaterMomentOfStart : MissingKind.LaterMomentOfStop));

    private static Resource Of(HostTransition host) => new(ResourceKind.ManagedTask, host.Address);

    private static string Role(bool starts) =>
        $"{(starts ? "starts" : "stops")} the services of a host (Microsoft.Extensions.Hosting), which has not finished {Doing(starts)},";

    private static string Doing(bool starts) => starts ? "starting" : "stopping";

    private static string Sentence(HostTransition host) =>
        $"The host (Microsoft.Extensions.Hosting) has not finished {Doing(host.IsStart)}: it waits{Through(host)}{End(host)}.";

    private static string Through(HostTransition host) =>
        host.Method is { } method ? $", in {SafeText.Clean(method.Name)}{FrameWords.Source(method.Source)}," : "";

    private static string End(HostTransition host) => host switch
    {
        { End: null } => " for a task or a semaphore that nobody is known to end",
        { EndsByItself: true } => $" for what ends by itself ({SafeText.Clean(host.End)})",
        _ => $" for {SafeText.Clean(host.End)}",
    };
}

/// <summary>The thread that loads, starts or ends modules: others that need the loader wait as long as it does.</summary>
internal sealed class LoadOwnerOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Context.Snapshot.Threads.Where(t => t is { IsLoadOwner: true, HasExited: false })
            .Select(t => OpenWaits.Of(scope.Context, OpenWaitKind.LoadOwner, t, "is the load owner (it loads, starts or ends modules)")).OfType<OpenWait>()
            .Select(w => w with { LeavesUndecided = OpenWaits.MayLast(w) });
}

/// <summary>
/// Where a call that one thread waits for in another one's task is all that is seen of a program: its other threads in waits without an end, of which one
/// is to blame.
/// </summary>
internal sealed class OneCallOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return context.Graph.Edges.Any(e => OwnerOpenWaits.IsOfLiving(e) && e.Resource.Facts.Class == WaitClass.Task && context.Graph.From(e.Holder).IsEmpty
            && ProgramAtWork.IsOneCall(context, e.Holder) && !ProgramAtWork.IsSeen(context, e.Holder))
            ? context.Snapshot.Threads.Where(t => t.ManagedId is not null && context.Graph.From(t.Id).IsEmpty && context.Graph.To(t.Id).IsEmpty
                    && context.Graph.WaitsOf(t.Id) is { IsEmpty: false } waits && waits.All(w => w.LastsForObject))
                .Select(t => OpenWaits.Of(context, OpenWaitKind.BesideOneCall, t, null)).OfType<OpenWait>().Where(w => w.OwnIndex is not null).Take(OpenWaits.MostThreads)
            : [];
    }
}

/// <summary>
/// Managed threads that wait without a known limit below code of the program's own, one for those that stand at the same place, and native ones at mutexes that store
/// no owner: where nothing is judged they are what there is to look at. Workers of the pool that block in tasks which only the program's other code can end, or at a
/// signal on behalf of a request, leave the answer open until a later look shows that they have moved. So do, in two looks, a thread in such a task and one that waits
/// for its turn at a semaphore: no idle thread stands so. Others leave nothing undecided by themselves.
/// </summary>
internal sealed class OwnCodeOpenWaits : IOpenWaitRule
{
    /// <summary>True where a living process is worth a second look because of them.</summary>
    public static bool AskForAnotherLook(AnalysisContext context) => context.Earlier.IsEmpty && context.Snapshot.Threads.Any(t => Asks(context, t));

    /// <summary>True for a thread that asks for something, and has stood where it stands since an earlier look.</summary>
    private static bool HasStood(AnalysisContext context, uint thread) => !context.Earlier.IsEmpty && Asks(context, context.Thread(thread)!)
        && context.Earlier[^1] is { Pair.MayBeApart: true } look && look.StandsAtTheSamePlace(thread, context.Graph) && look.Pair.HasMoved(thread, context.Options.StandstillTime) == false;

    /// <summary>The task in which <c>Main</c> blocks is what parks a program.</summary>
    private static bool Asks(AnalysisContext context, ThreadSnapshot thread) => context.Graph.WaitsOf(thread.Id) is [{ IsSatisfied: false, IsWaitAny: false } wait]
        && wait.Timeout != WaitTimeout.Finite && context.Graph.From(thread.Id).IsEmpty
        && (wait.IsForTurn || (wait.Resource.Kind == ResourceKind.ManagedTask && !EntryMethod.IsUnder(thread) && StandingWorkers.IsInOwnTask(context, wait)));

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return !scope.Verdicts.IsEmpty ? []
            : context.Snapshot.Threads.Where(t => (t.ManagedId is not null || IsAtMutex(context, t)) && context.Graph.From(t.Id).IsEmpty).OrderBy(t => t.Id)
                .Select(t => OpenWaits.Of(context, OpenWaitKind.OwnCode, t, null)).OfType<OpenWait>()
                .Where(w => w is { OwnIndex: not null, Timeout: not WaitTimeout.Finite })
                .GroupBy(w => (NativeOpenWaits.Place(context.Thread(w.ThreadId!.Value)!, w.OwnIndex),
                    context.Thread(w.ThreadId.Value)!.Stack.Frames[w.OwnIndex!.Value].Code, w.Resource?.Kind))
                .Select(g => g.First() with
                {
                    Others = [.. g.Skip(1).Select(w => w.ThreadId!.Value)],
                    LeavesUndecided = g.Any(w => HasStood(context, w.ThreadId!.Value)) || context.StandingWorkers.Any(s => s.AreAsked && s.Waits.Any(w => w.ThreadId == g.First().ThreadId)
                        && (context.Earlier.IsEmpty || !s.StoodIn(context, context.Earlier[^1]).IsEmpty)),
                }).Take(OpenWaits.MostThreads);
    }

    /// <summary>True for a native thread of Windows at a mutex that stores no owner: two of them may wait for each other, and each is one to look at.</summary>
    private static bool IsAtMutex(AnalysisContext context, ThreadSnapshot thread) =>
        context.Graph.WaitsOf(thread.Id) is [{ Resource.Kind: ResourceKind.PosixMutex, IsSatisfied: false }];
}

/// <summary>
/// Threads at the head of a queue for a lock. Whether one polls there, in waits or sleeps with a limit, or waits for new work under the lock until it
/// comes, one dump does not tell; only waiters with a time limit of their own leave nothing undecided then, nor does an owner that an earlier dump shows
/// to move. Tasks for which only <c>Main</c> waits block nobody: their threads leave something undecided in waits that are known to have no end
/// and are not for the next item of a queue. Nor does a call that one thread waits for in another one's task leave anything undecided while the program is
/// seen to go on.
/// </summary>
internal sealed class OwnerOpenWaits : IOpenWaitRule
{
    /// <summary>
    /// True for a living process in which threads wait for a lock without a limit: a second look tells whether the lock has passed on meanwhile.
    /// </summary>
    public static bool AskForAnotherLook(AnalysisContext context) => context.Earlier.IsEmpty && context.Graph.Edges.Any(e => IsOfLiving(e)
        && e.Resource.Facts is { Class: WaitClass.Lock, IsManagedObject: true } && e.Wait.Timeout != WaitTimeout.Finite && context.Thread(e.Waiter)?.RecentUse?.Pauses is not null);

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
                        LeavesUndecided = (lasts || isAwaited) && !owner.IsPassing && !Standstill.HasMoved(context, owner.Id)
                            && !head.All(e => OpenWaits.HasRun(context, e.Waiter)),
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

/// <summary>
/// Full pipes to which a living process waits to write, for example its standard output that nobody reads: what else waits for such a thread waits for the other
/// process as well, and whether that one goes on, one look does not show.
/// </summary>
internal sealed class PipeOpenWaits : IOpenWaitRule
{
    /// <summary>One for each pipe; all leave the answer open. The threads of a native program have lines of their own.</summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Context.Snapshot.FullPipes.Select(p => new OpenWait(
            OpenWaitKind.FullPipe, null, null, Sentence(scope.Context, p), Grade.Proven,
            [new Evidence(EvidenceSource.Rule, "what /proc tells of these threads' system call and its file, alike before and after the look")])
        {
            Resource = new Resource(ResourceKind.FileDescriptor, 0),
            LeavesUndecided = true,
        });

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.ReadersOfPipes, open.Length)];

    private static string Sentence(AnalysisContext context, FullPipe pipe)
    {
        string threads = string.Join(", ", pipe.Threads.Take(4).Select(context.Names.Thread));
        string more = pipe.Threads.Length > 4 ? $" and {CountText.Of(pipe.Threads.Length - 4, "more thread")}" : "";
        string readers = pipe.Readers switch
        {
            [] => "no process that may be looked at has it open for reading",
            [var one] => $"its reader is {one}",
            var several => $"its readers are {string.Join(", ", several)}",
        };
        return Naming.Capitalised($"{threads}{more} {(pipe.Threads.Length == 1 ? "waits" : "wait")} to write to {pipe.Pipe}, a full pipe; {readers}.");
    }
}

/// <summary>
/// A thread pool whose workers all wait for signals while work is queued: what would set them may be in the queue, and one look does not show whether it comes.
/// </summary>
internal sealed class PoolOpenWaits : IOpenWaitRule
{
    /// <summary>One line for the pool; it leaves the answer open unless an earlier look shows that the pool has moved on.</summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Verdicts.IsEmpty ? scope.Context.StandingWorkers.Where(w => w.Queued is not null).Select(w => Of(scope.Context, w)) : [];

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.LaterMomentOfPool)];

    private static OpenWait Of(AnalysisContext context, StandingWorkers workers)
    {
        bool hasMoved = !context.Earlier.IsEmpty && workers.HasMovedSince(context, context.Earlier[^1]);
        string since = hasMoved ? $" The pool has moved on since {PairText.DumpBefore(context.Earlier[^1])}." : "";
        return new OpenWait(
            OpenWaitKind.StarvedPool, null, null, workers.Sentence(context, workers.Waits) + since, workers.Waits.Min(w => w.Grade), workers.Waits[0].Evidence)
        {
            Resource = workers.Waits[0].Resource,
            LeavesUndecided = !hasMoved,
        };
    }
}

/// <summary>Waits that are rare enough to be worth a line on any thread.</summary>
internal sealed class RareOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Context.Graph.Waits.Where(w => IsRare(w.Resource)).Concat(scope.Context.Graph.Waits.Where(w => IsForChild(w) || IsUnanswered(scope.Context, w)).Take(OpenWaits.MostThreads))
            .Select(w => scope.Context.Thread(w.ThreadId)).OfType<ThreadSnapshot>()
            .Select(t => OpenWaits.Of(scope.Context, OpenWaitKind.Rare, t, null)).OfType<OpenWait>();

    /// <summary>True for what no idle program waits for.</summary>
    internal static bool IsRare(Resource? resource) =>
        resource?.Kind is ResourceKind.GraphicsProcessor or ResourceKind.PoolCallbacks or ResourceKind.WindowHook;

    /// <summary>A call of COM or a message sent that nobody in the process is seen to handle: most take a moment, but one that hangs has no other line.</summary>
    private static bool IsUnanswered(AnalysisContext context, WaitFact wait) =>
        wait is { Resource.Kind: ResourceKind.ComCall or ResourceKind.WindowMessage, Timeout: not WaitTimeout.Finite } && context.Graph.EdgeOf(wait) is null;

    /// <summary>A launcher is healthy, but its child may be what hangs.</summary>
    private static bool IsForChild(WaitFact wait) => wait is { Resource.Kind: ResourceKind.ChildProcess, Timeout: not WaitTimeout.Finite };
}
