using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Waiting;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>
/// DUMP5001: every thread of the program waits without a time limit, at least one for something that nobody owns, and nothing is left in the process that could
/// end these waits; or all that can reach a semaphore, or another object that is waited for, waits for it.
/// </summary>
public sealed class EverythingWaitsDetector : IDetector
{
    private const int MostStacks = 10;
    private const int MostLinks = 1_000;

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP5001",
        "Everything waits",
        "All threads of the program wait without a time limit for what nobody owns, and nothing in the process is left to end that.",
        "stacks, time limits of the waits (Linux)",
        DetectorFamily.Tasks)
    {
        Subject = VerdictSubject.EachThread,
        IsLastResort = true,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        Verdict[] found =
        [
            .. Judge(context) is { } verdict ? (Verdict[])[verdict] : [], .. LeakedSemaphores.Find(context, Descriptor), .. LastThreadWaits.Find(context, Descriptor),
        ];
        return DetectorOutcomes.From(
            Descriptor,
            [.. found, .. UnendingWaits.Find(context, Descriptor, found.SelectMany(v => v.Threads).ToHashSet()) is { } unending ? (Verdict[])[unending] : []],
            [
                .. NecessaryData.Stacks(context.Snapshot), .. LeakedSemaphores.Missing(context),
                .. IsJustWaiting(context) ? new[] { MissingData.Of(MissingKind.LaterMomentOfThreads, Waiting(context)!.Value.Program.Length) } : [],
            ]);
    }

    /// <summary>
    /// True for a living process of which everything waits at this moment, and threads have computed a moment before: a busy program stands so between two pieces
    /// of work, one that has just come to its hang too, and a second look tells them apart.
    /// </summary>
    internal static bool AsksForAnotherLook(AnalysisContext context) => IsJustWaiting(context) || LastThreadWaits.AskForAnotherLook(context);

    private static bool IsJustWaiting(AnalysisContext context) =>
        context.Earlier.IsEmpty && ProgramAtWork.HasComputed(context) && Waiting(context) is not null;

    private Verdict? Judge(AnalysisContext context) =>
        !ProgramAtWork.HasComputed(context) && Waiting(context) is var (program, waits) ? Verdict(context, program, waits) : null;

    /// <summary>The threads of the program and their waits, where all of them wait and nothing is left that could end that; else null.</summary>
    private static (ThreadSnapshot[] Program, WaitFact[] Waits)? Waiting(AnalysisContext context)
    {
        // Elsewhere a wait for I/O that has begun leaves no thread behind: completion ports of Windows, native programs.
        if (context.Snapshot.System.Family != OperatingSystemFamily.Linux || !context.Snapshot.Available.Stacks)
        {
            return null;
        }

        ThreadSnapshot[] program = [.. context.Snapshot.Threads.Where(t => !t.HasExited && IsOfProgram(context, t))];
        WaitFact[] waits = [.. program.SelectMany(t => context.Graph.WaitsOf(t.Id)).Where(w => w.Resource.Kind != ResourceKind.Time)];
        bool neverEnd = program.All(t => context.Graph.WaitsOf(t.Id) is { IsEmpty: false } own && own.All(NeverEnds));
        bool isPoolEmpty = context.Snapshot.ThreadPool is null or { QueuedItems: 0 };
        bool endsAtExit = waits.Any(w => w.Resource.Facts.IsManagedObject && context.Snapshot.EndedAtExit.BinarySearch(w.Resource.Identity) >= 0);
        return neverEnd && isPoolEmpty && !endsAtExit && waits.Any(w => context.Graph.From(w.ThreadId).IsEmpty)
            && !WakeSources.Exist(context, program.Select(t => t.Id).ToHashSet())
            ? (program, waits)
            : null;
    }

    private static bool IsOfProgram(AnalysisContext context, ThreadSnapshot thread) =>
        thread is { ManagedId: not null, HasReturnedFromMain: false } && context.Application.Innermost(thread.Stack.Frames) is not null;

    /// <summary>A wait whose limit was read as none, for something inside of the process.</summary>
    private static bool NeverEnds(WaitFact wait) => wait is { Timeout: WaitTimeout.Infinite, IsSatisfied: false, Resource.Kind: not (ResourceKind.InputOutput
        or ResourceKind.RemoteCall or ResourceKind.ComCall or ResourceKind.Process or ResourceKind.Timer or ResourceKind.WindowMessage or ResourceKind.Work
        or ResourceKind.Mutex or ResourceKind.KernelObject or ResourceKind.Unknown) };

    private Verdict Verdict(AnalysisContext context, ThreadSnapshot[] program, WaitFact[] waits)
    {
        (WaitFact First, int Count)[] groups =
        [
            .. waits.GroupBy(w => w.Resource).Select(g => (g.MinBy(w => w.ThreadId)!, g.Select(w => w.ThreadId).Distinct().Count()))
                .OrderBy(g => context.Graph.EdgeOf(g.Item1) is not null).ThenByDescending(g => g.Item2).ThenBy(g => g.Item1.ThreadId),
        ];
        int parked = program.Length - waits.Select(w => w.ThreadId).Distinct().Count();
        string who = program.Length == 1
            ? "The only thread that executes code of the program waits"
            : $"{(program.Length == 2 ? "Both" : $"All {program.Length}")} threads that execute code of the program wait";
        string sleep = parked == 0 ? "" : $", {parked} of them in a sleep without end";
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{who}, without a time limit{sleep}.", Confidence.Likely,
                    [.. groups.Take(MostStacks).SelectMany(g => g.First.Evidence).Distinct()]),
                .. groups.Take(MostStacks).Select(g => new Claim(Group(context, g), VerdictParts.Confidence(g.First.Grade), g.First.Evidence)),
                .. CallOpenWaits.Told(context).Select(w => new Claim(w.Activity, VerdictParts.Confidence(w.Grade), w.Evidence)),
                new Claim(
                    "Nothing that could end this is known in the process: no thread executes code, "
                        + (context.Snapshot.PendingTimers is null ? "no thread waits for a timer" : "no timer is pending")
                        + ", and no thread waits for input, a connection, a signal or a child process.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "what all other threads do")]),
            ],
            Chain =
            [
                .. waits.OrderBy(w => w.ThreadId).Take(MostLinks).Select(w => Link(context, w)),
            ],
            Threads = [.. program.Select(t => t.Id).Order()],
            Stacks =
            [
                .. groups.Take(MostStacks)
                    .Select(g => VerdictParts.Excerpt(context, g.First.ThreadId, $"waits for {context.Names.Resource(g.First.Resource)}")),
            ],
            Victims = [],
            Remedies =
            [
                "Find what should have set, released or completed what they wait for, and on which path (an exception, an early return, a cancelled callback) "
                    + "it does not; dumpanalyze tasks FILE shows which methods are pending in await.",
                "A program that is meant to do nothing until it is ended looks the same: let it wait for a signal (Host.RunAsync, PosixSignalRegistration).",
            ],
        };
    }

    /// <summary>The link of a wait, with who owns what is waited for where a thread does.</summary>
    internal static ChainLink Link(AnalysisContext context, WaitFact wait) =>
        context.Graph.EdgeOf(wait) is { } edge ? VerdictParts.Link(context, edge) : VerdictParts.Link(context, wait);

    /// <summary>How many threads wait for what, and who owns that, as a sentence.</summary>
    internal static string Group(AnalysisContext context, (WaitFact First, int Count) group)
    {
        string owner = context.Graph.EdgeOf(group.First) is { } edge ? CycleSentences.Owner(context.Names, edge) : "";
        return group.Count == 1
            ? $"{context.Names.ThreadCapitalised(group.First.ThreadId)} waits for {context.Names.Resource(group.First.Resource)}{owner}."
            : $"{group.Count} threads wait for {context.Names.Resource(group.First.Resource)}{owner}.";
    }
}

/// <summary>
/// The threads of a living native process of Linux, each in a wait that only another thread of the process could end, and no handler of signals that could. So a
/// child of a fork stands that waits for a thread of its parent, and so do threads that deadlock in locks which store no owner. Several threads must have stood
/// still for a while: who was woken a moment ago seems to wait. Of a core nobody knows which signals the process handled.
/// </summary>
internal static class LastThreadWaits
{
    private const int MostNamed = 10;

    // The C library's own: to cancel threads, to change their users, and, of musl, to do something in each (nptl/nptl-signals.h, musl pthread_impl.h).
    private const ulong SignalsOfLibrary = 1UL << 31 | 1UL << 32 | 1UL << 33;

    // SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: a thread that waits makes no such mistake. Rust's library handles two of them in each program.
    private const ulong SignalsOfMistakes = 1UL << 3 | 1UL << 4 | 1UL << 6 | 1UL << 7 | 1UL << 10;

    // CPython handles SIGINT in each program, by a flag that its first thread looks at later: it ends a wait only where a user interrupts the program.
    private const ulong SignalOfUser = 1UL << 1;

    /// <summary>The verdict, or none.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector)
    {
        if (Threads(context) is not [var first, ..] threads)
        {
            yield break;
        }

        if (threads.Length > 1)
        {
            if (threads.All(t => HasStood(context, t)))
            {
                yield return Judge(context, detector, threads);
            }
        }
        else if (context.Graph.WaitsOf(first.Id) is [{ IsWithinProcess: true, Grade: Grade.Proven } wait])
        {
            yield return Judge(context, detector, wait);
        }
    }

    /// <summary>True where several threads wait so, and one of them was woken shortly before: a second look tells whether they stand.</summary>
    public static bool AskForAnotherLook(AnalysisContext context) =>
        context.Earlier.IsEmpty && Threads(context) is { Length: > 1 } threads && !threads.All(t => HasStood(context, t));

    /// <summary>All threads where each of them waits so; else none.</summary>
    private static ThreadSnapshot[] Threads(AnalysisContext context)
    {
        ThreadSnapshot[] alive = [.. context.Snapshot.Threads.Where(t => !t.HasExited)];
        return context.Snapshot is { System.Family: OperatingSystemFamily.Linux, CaughtSignals: { } caught } && (caught & ~Harmless(context)) == 0
            && alive.All(t => EndsFromWithin(context, t)) ? alive : [];
    }

    private static ulong Harmless(AnalysisContext context) => SignalsOfLibrary | SignalsOfMistakes
        | (Runtime(context) is { } runtime && OtherRuntime.Named(runtime)?.Name == OtherRuntime.CPython ? SignalOfUser : 0);

    private static string? Runtime(AnalysisContext context) => OtherRuntime.In(context.Snapshot.Modules.Select(m => m.Name));

    private static bool EndsFromWithin(AnalysisContext context, ThreadSnapshot thread)
    {
        ImmutableArray<WaitFact> waits = context.Graph.WaitsOf(thread.Id);
        return waits.All(w => w.LastsForObject && !w.IsSatisfied)
            && (thread.KernelWait is { Timeout: WaitTimeout.Infinite, IsPrivate: true }
                || waits is [{ IsWithinProcess: true } or { Resource.Kind: ResourceKind.StaticInitialization }]
                || (waits.Length > 0 && context.Graph.From(thread.Id) is { IsEmpty: false } edges && edges.All(e => context.Thread(e.Holder) is { HasExited: false })));
    }

    /// <summary>True for a thread that was not woken between the two samples of the last look.</summary>
    private static bool HasStood(AnalysisContext context, ThreadSnapshot thread) => LastUse(context, thread) is { Pauses: 0 };

    private static ProcessorUse? LastUse(AnalysisContext context, ThreadSnapshot thread) =>
        context.Earlier.IsEmpty ? thread.RecentUse : context.Earlier[^1].Pair.UseBeforeLater(thread.Id);

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, ThreadSnapshot[] threads)
    {
        // Who waits for nobody that is known is nearer to the cause.
        ThreadSnapshot[] ordered = [.. threads.OrderBy(t => !context.Graph.From(t.Id).IsEmpty).ThenBy(t => t.Id)];
        WaitFact[] waits = [.. ordered.SelectMany(t => context.Graph.WaitsOf(t.Id))];
        TimeSpan stood = threads.Min(t => LastUse(context, t)!.Over);
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "Nobody is left to end the waits",
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{(threads.Length == 2 ? "Both" : $"All {threads.Length}")} threads wait, without a time limit, and none was woken in the last "
                        + $"{Naming.Duration(stood)}.", Confidence.Likely,
                    [.. ordered.Take(MostNamed).Select(t => t.KernelWait?.Evidence ?? context.Graph.WaitsOf(t.Id)[0].Evidence[0])]),
                .. ordered.Take(MostNamed).SelectMany(t => context.Graph.WaitsOf(t.Id).Take(1)).Select(w => new Claim(
                    EverythingWaitsDetector.Group(context, (w, 1)), VerdictParts.Confidence(w.Grade), w.Evidence)),
                new Claim(
                    "Only threads of this process can end these waits, and it has no other ones, nor a handler of signals that could.", Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "the words are private to the process (futex(2)), or a thread of it holds what is waited for; SigCgt of /proc/PID/status")]),
            ],
            Chain = [.. waits.Take(MostNamed).Select(w => EverythingWaitsDetector.Link(context, w))],
            Threads = [.. threads.Select(t => t.Id).Order()],
            Stacks = [.. ordered.Take(MostNamed).Select(t => VerdictParts.Excerpt(context, t.Id, ActivityText.Of(context, t.Id)))],
            Victims = [],
            Remedies =
            [
                "Look at what called each wait: locks that two threads take in opposite orders, a lock that its own thread takes again, a signal that was sent before "
                    + "anybody waited, a thread that has ended and should have ended a wait.",
                .. Runtime(context) is { } runtime
                    ? [$"The functions that {runtime} runs: {CaptureKinds.Words(CaptureKind.StacksOfOtherRuntime, context.Snapshot.CaptureTarget, runtime)}."]
                    : Array.Empty<string>(),
                "A program that is meant to do nothing until it is ended looks the same.",
            ],
        };
    }

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, WaitFact wait) => new()
    {
        DetectorId = detector.Id,
        Title = "Nobody is left to end a wait",
        Confidence = Confidence.Suspected,
        Claims =
        [
            new Claim(
                $"{context.Names.ThreadCapitalised(wait.ThreadId)} waits for {context.Names.Resource(wait.Resource)}, without a time limit.",
                VerdictParts.Confidence(wait.Grade), wait.Evidence),
            new Claim(
                "Only a thread of this process can end that, and it has no other one, nor a handler of signals that could. " + Reason(context.Snapshot.IsForkedCopy),
                Confidence.Suspected,
                [new Evidence(EvidenceSource.Rule, "no other process can reach what is waited for (a private futex(2), a pipe or a lock of a file that it has alone); /proc/PID/status lists no handler of "
                    + "a signal that could end it (SigCgt)")]),
        ],
        Chain = [VerdictParts.Link(context, wait)],
        Threads = [wait.ThreadId],
        Stacks = [VerdictParts.Excerpt(context, wait.ThreadId, $"waits for {context.Names.Resource(wait.Resource)}")],
        Remedies = context.Snapshot.IsForkedCopy == false
            ?
            [
                "Look at what called the wait: a lock that this thread has taken already, or a thread or task that has ended and should have ended the wait.",
                "Let nothing wait without a time limit for what the waiting thread itself has to do.",
            ]
            :
            [
                OrphanedLockDetector.BetweenForkAndExec,
                "Fork before the first thread is started, or let the child start its own threads (pthread_atfork).",
            ],
    };

    private static string Reason(bool? isForkedCopy) => isForkedCopy switch
    {
        true => "It was forked, and has executed no program since: most likely it waits for a thread of its parent. A fork copies only the thread that calls it.",
        false => "Most likely it waits for something that it holds itself, or that a thread which has ended should have done.",
        null => "It may have been forked, and wait for a thread of its parent: a fork copies only the thread that calls it. Else it waits for something that it holds "
            + "itself, or that a thread which has ended should have done.",
    };
}

/// <summary>Semaphores of count 0 that nothing but their own waiters can reach: nobody is left to release them. They have no owner, so none is named.</summary>
internal static class LeakedSemaphores
{
    private const int MostStacks = 10;
    private const int MostVerdicts = 50;

    /// <summary>A verdict for each; none while a thread executes managed code, which may have the semaphore in a register and release it next.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector) =>
        ManagedCode.Runs(context.Snapshot) ? [] : Candidates(context).Take(MostVerdicts).Select(s => Judge(context, detector, s));

    /// <summary>What is missing where threads that execute managed code are all that keeps a semaphore from a verdict.</summary>
    public static IEnumerable<MissingData> Missing(AnalysisContext context)
    {
        if (ManagedCode.Runs(context.Snapshot) && Candidates(context).Any())
        {
            yield return MissingData.Of(MissingKind.RunningReleaser);
        }
    }

    private static IEnumerable<AwaitedSemaphore> Candidates(AnalysisContext context) =>
        (context.Snapshot.AsyncWaits?.Semaphores ?? []).Where(s => s.Users == SemaphoreUsers.OnlyWaiters);

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, AwaitedSemaphore semaphore)
    {
        WaitFact[] blocked = [.. semaphore.Threads.SelectMany(t => context.Graph.WaitsOf(t))];
        string methods = semaphore.Methods.IsEmpty ? "" : $": {SemaphoreWords.Methods(semaphore.Methods)}";
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "All users of a semaphore wait for it",
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{SemaphoreWords.Waiters(semaphore)} for {SemaphoreWords.Name(context, semaphore)}, without a time limit or a cancellation "
                        + $"token{methods}.",
                    Confidence.Confirmed, [SemaphoreWords.Evidence(semaphore)]),
                new Claim(
                    "Nothing else is known to reach it: no other pending method, stack, handle or object in use refers to it, directly or through others, so "
                        + "that nobody is left to release it.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "all references to it on the managed heap, on stacks and in handles", semaphore.Address)]),
            ],
            Chain = [.. blocked.Select(w => VerdictParts.Link(context, w))],
            Threads = [.. blocked.Select(w => w.ThreadId).Distinct()],
            AsyncMethods = [.. semaphore.Methods.Select(m => m.Name)],
            Stacks = [.. blocked.Take(MostStacks).Select(w => VerdictParts.Excerpt(context, w.ThreadId, "waits for the semaphore"))],
            Victims = VerdictParts.Victims(context, blocked.Select(w => w.ThreadId)),
            Remedies = ["Release the semaphore on every path, in a finally block; find the path that entered it last and did not."],
        };
    }
}

/// <summary>
/// Threads that wait for objects which only they can reach, whatever else goes on in the process: timers, sleepers and connections lead to none of them.
/// </summary>
internal static class UnendingWaits
{
    private const int MostGroups = 10;

    /// <summary>One verdict for all of them, or none.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="detector">The detector.</param>
    /// <param name="judged">Threads of its other verdicts.</param>
    public static Verdict? Find(AnalysisContext context, DetectorDescriptor detector, IReadOnlySet<uint> judged)
    {
        (EndlessWait Found, WaitFact Wait)[] waits =
        [
            .. from found in context.Snapshot.AsyncWaits?.Endless ?? []
               where !judged.Contains(found.ThreadId)
               from wait in context.Graph.WaitsOf(found.ThreadId)
               where context.Graph.EdgeOf(wait) is null
               select (found, wait),
        ];
        (EndlessWait Found, WaitFact Wait)[][] groups =
        [
            .. waits.GroupBy(w => w.Wait.Resource).Select(g => g.OrderBy(w => w.Wait.ThreadId).ToArray())
                .Where(g => !g.All(w => IsParked(context, w.Found, w.Wait)))
                .OrderByDescending(g => g.Length).ThenBy(g => g[0].Wait.ThreadId),
        ];
        return groups.Length == 0 ? null : Judge(context, detector, groups);
    }

    /// <summary>
    /// True for what may stand there on purpose, or without harm: a thread of the program's own that waits for a signal or an item and that nobody waits for, as
    /// the first one of a program that works by timers and the worker of an object that was dropped do; <c>Main</c> at a completion source; a sleep without an end.
    /// </summary>
    private static bool IsParked(AnalysisContext context, EndlessWait found, WaitFact wait) =>
        context.Thread(found.ThreadId) is not { } thread || found.Awaited == "Task.Delay"
        || (wait.Resource.Kind == ResourceKind.ManagedTask
            ? EntryMethod.IsUnder(thread) && (found.Method is not { } method || EntryMethod.IsNamed(method.Name))
            : context.Graph.To(thread.Id).IsEmpty && !StepOpenWaits.IsIn(context, thread) && context.Snapshot.ThreadPool?.Workers.Contains(thread.Id) != true);

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, (EndlessWait Found, WaitFact Wait)[][] groups)
    {
        uint[] threads = [.. groups.SelectMany(g => g.Select(w => w.Wait.ThreadId)).Distinct().Order()];
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "Nobody is left to end a wait",
            Confidence = Confidence.Suspected,
            Claims =
            [
                .. groups.Take(MostGroups).Select(g => new Claim(Words(context, g), VerdictParts.Confidence(g[0].Wait.Grade), g[0].Wait.Evidence)),
                new Claim(
                    $"Nothing that goes on is known to reach {(groups.Length == 1 ? "it" : "them")}: no other thread, static variable, handle, timer, queued work or "
                        + $"async method leads there. Nobody is left to end {(threads.Length == 1 ? "the wait" : "these waits")}.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "all references on the managed heap, on stacks and in handles, followed from what goes on")]),
            ],
            Chain = [.. groups.SelectMany(g => g).Select(w => VerdictParts.Link(context, w.Wait)).Distinct()],
            Threads = [.. threads],
            AsyncMethods = [.. groups.SelectMany(g => g).Select(w => w.Found.Method?.Name).OfType<string>().Distinct()],
            Stacks =
            [
                .. groups.Take(MostGroups).Select(g => VerdictParts.Excerpt(context, g[0].Wait.ThreadId, $"waits for {context.Names.Resource(g[0].Wait.Resource)}")),
            ],
            Victims = VerdictParts.Victims(context, threads),
            Remedies =
            [
                "Find what should have set, released, written or completed it, and on which path it does not. Look for an exception, an early return, a participant "
                    + "or reader that has ended, a callback that was cancelled or replaced.",
                "Give the wait a time limit, and complete what others wait for in a finally block.",
                "A program that is parked on purpose may look the same: let it wait for a signal (Host.RunAsync, PosixSignalRegistration).",
            ],
        };
    }

    private static string Words(AnalysisContext context, (EndlessWait Found, WaitFact Wait)[] group)
    {
        (EndlessWait found, WaitFact wait) = group[0];
        string who = group.Length == 1 ? context.Names.Thread(wait.ThreadId) : CountText.Of(group.Length, "thread");
        string awaited = found.AwaitedObject is { } address
            ? string.Create(CultureInfo.InvariantCulture, $"{found.Awaited} 0x{address:x}") : found.Awaited ?? "";
        string method = found.Method is { } own ? own.Name + FrameWords.Source(own.Source) : "";
        string end = method.Length == 0 ? ""
            : found.HasCompleted ? $"; what {method} awaits there has completed, and nobody runs what continues it"
            : awaited.Length == 0 ? $"; {method} is the innermost method there"
            : $"; {method} awaits {awaited} there";
        return $"{Naming.Capitalised(who)} {(group.Length == 1 ? "waits" : "wait")} for {context.Names.Resource(wait.Resource)}, without a time limit{end}.";
    }
}

/// <summary>
/// What can wake a .NET process on Linux all of whose threads wait: a timer, input, a connection, a signal, a child process. By what the threads of idle
/// programs were seen to do on .NET 8, 9 and 10: each source has a thread that stands in the system call which waits for it.
/// </summary>
internal static class WakeSources
{
    private const string TimerThread = "System.Threading.TimerQueue.TimerThread";
    private const string ProcessModule = "system.diagnostics.process";

    /// <summary>Threads of the runtime that poll its own pipes for requests of the system and of debuggers.</summary>
    private const int MostRuntimePolls = 2;

    /// <summary>
    /// What threads of the runtime's native code wait in without being of use to the program: each other, a debugger that connects, the process that writes a
    /// core of this one.
    /// </summary>
    private static readonly string[] s_ownCalls = ["futex", "poll", "restart_syscall", "openat", "wait4", "waitid"];

    /// <summary>True when something in the process may end a wait from outside of it, or after a time.</summary>
    /// <param name="context">What is known.</param>
    /// <param name="program">The threads that execute the program's code, all of which wait.</param>
    public static bool Exist(AnalysisContext context, IReadOnlySet<uint> program)
    {
        if (context.Snapshot.PendingTimers > 0)
        {
            return true;
        }

        ThreadSnapshot[] alive = [.. context.Snapshot.Threads.Where(t => !t.HasExited)];

        // Whoever has used the console has a thread that reads signals from a pipe; it is of no use to a program that handles none.
        ThreadSnapshot? signals = context.Snapshot.SignalHandlers == 0
            ? alive.FirstOrDefault(t => t is { ManagedId: null, Activity: { Kind: ThreadActivityKind.SystemCall, SystemCall: "read" } })
            : null;
        return alive.Any(t => WaitsForProcess(t) || (!program.Contains(t.Id) && t != signals && MayWake(t)))
            || alive.Count(t => t.ManagedId is null && t.Activity.SystemCall is "poll" or "restart_syscall") > MostRuntimePolls;
    }

    private static bool MayWake(ThreadSnapshot thread)
    {
        bool isManaged = thread.ManagedId is not null && thread.Stack.Frames.Any(f => f.Symbol == SymbolSource.Metadata);
        return (thread.Activity.Kind, isManaged) switch
        {
            // The thread of the timers waits for as long as the next one has to go; without an end when there is none.
            (ThreadActivityKind.Idle, true) => thread.Stack.Frames.Any(f => f.Function == TimerThread) && thread.KernelWait?.Timeout != WaitTimeout.Infinite,

            // Sockets, file watchers, whatever the class library waits for on a thread of its own.
            (_, true) => true,
            (ThreadActivityKind.Idle, false) => false,

            // The finalizer and the compiler of optimised code are the runtime's too, with and without a time limit.
            (ThreadActivityKind.Waiting or ThreadActivityKind.SystemCall or ThreadActivityKind.Sleeping, false) =>
                !s_ownCalls.Contains(thread.Activity.SystemCall)
                || (thread.ManagedId is null && thread.Activity.SystemCall == "futex" && thread.KernelWait?.Timeout != WaitTimeout.Infinite),
            _ => true,
        };
    }

    /// <summary>A child process ends some time, and its end wakes who waits for it.</summary>
    private static bool WaitsForProcess(ThreadSnapshot thread) => thread.Stack.Frames.Any(f => f.ModuleStem == ProcessModule);
}
