using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1002: a cycle of waits that has nothing to do with the loader.</summary>
public sealed class LockCycleDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1002",
        "Lock-cycle deadlock",
        "Threads wait for each other's locks in a cycle.",
        "stacks, the memory of the locks, handle data for kernel objects",
        DetectorFamily.Lock);

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts = context.Cycles
            .Where(c => !c.Edges.Any(e => e.Resource.Facts.IsLoader) && !MutualSpinDetector.IsOfSpinLocks(c) && !IsParked(context, c))
            .Select(c => Judge(context, c))
            .Concat(AsyncCycles.Find(context, Descriptor))
            .Concat(SemaphoreCycles.Find(context, Descriptor))
            .Concat(ProcessCycles.Find(context, Descriptor));
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Handles(context.Snapshot),
                .. NecessaryData.UnknownOwners(context.Snapshot), .. NecessaryData.OwnersElsewhere(context.Snapshot)]);
    }

    /// <summary>True where the first thread of a .NET program waits for its own end: so programs are parked that work on other threads.</summary>
    private static bool IsParked(AnalysisContext context, WaitCycle cycle) =>
        cycle.Edges is [{ Resource.Kind: ResourceKind.Thread } only] && context.Thread(only.Waiter) is { } thread && EntryMethod.IsUnder(thread);

    /// <summary>
    /// True where a thread outside of a cycle may release a lock of it: threads that use a lock as a signal stand so at each moment, and go on a moment later.
    /// </summary>
    internal static bool AsksForAnotherLook(AnalysisContext context) =>
        context.Earlier.IsEmpty && context.Cycles.Any(c => c.Edges.Any(e => e.Ownership.OthersMayRelease) && Others(context, c).Any());

    /// <summary>Threads outside of a cycle that run or will be woken.</summary>
    private static IEnumerable<uint> Others(AnalysisContext context, WaitCycle cycle) =>
        context.Snapshot.Threads.Where(t => !cycle.Component.Contains(t.Id) && context.ActsByItself(t)).Select(t => t.Id);

    private Verdict Judge(AnalysisContext context, WaitCycle found)
    {
        WaitEdge[] handedOver = [.. found.Edges.Where(e => e.Ownership.OthersMayRelease)];
        uint[] others = found.Grade != Grade.Proven || handedOver.Length == 0 ? [] : [.. Others(context, found)];
        return others.Length == 0 ? Judge(context, found, []) : Judge(context, found with { Grade = Grade.Derived },
        [
            new Claim(
                (handedOver.Length == 1 ? $"{Naming.Capitalised(context.Names.Resource(handedOver[0].Resource))} does not check who releases it, and "
                    : $"{CountText.Of(handedOver.Length, "lock")} of the cycle do not check who releases them, and ")
                    + (others.Length == 1 ? $"{context.Names.Thread(others[0])} goes on outside of the cycle." : $"{others.Length} threads go on outside of the cycle."),
                VerdictParts.Confidence(Grade.Derived),
                [.. handedOver.SelectMany(e => e.Ownership.Evidence)]),
        ]);
    }

    private Verdict Judge(AnalysisContext context, WaitCycle cycle, ImmutableArray<Claim> doubts)
    {
        Claim[] handlers = [.. cycle.Edges.Select(e => InHandler(context, e)).OfType<Claim>()];
        Verdict verdict = Cycle(context, cycle, [.. handlers, .. doubts]);
        return handlers.Length == 0 ? verdict : verdict with
        {
            Title = cycle.Edges.Length == 1 && cycle.Grade > Grade.Suspected ? "Lock taken again in a signal handler" : verdict.Title,
            Remedies =
            [
                "Call in a signal handler only what signal-safety(7) allows: no malloc, no printf, no log, no lock. Let it set a flag or write to a pipe "
                    + "(signalfd(2), the self-pipe trick), and do the work outside of it.",
                .. cycle.Edges.Length == 1 ? [] : verdict.Remedies,
            ],
        };
    }

    /// <summary>That a thread waits inside of a handler of signals, and for whose code: that goes on only when the handler returns.</summary>
    private static Claim? InHandler(AnalysisContext context, WaitEdge edge)
    {
        ImmutableArray<StackFrame> frames = context.Thread(edge.Waiter)?.Stack.Frames ?? [];
        if (frames.FirstOrDefault(f => f.IsOfSignal) is not { } signal || frames.IndexOf(signal) + 1 is var next && next >= frames.Length)
        {
            return null;
        }

        (string code, SourceLocation? source) = FrameWords.Own(frames[next]);
        return new Claim(
            $"{context.Names.ThreadCapitalised(edge.Waiter)} waits inside of a handler of {LinuxSignals.NameOf(signal.Signal)}, which interrupted "
                + $"{code}{FrameWords.Source(source)}. That code goes on only when the handler returns.",
            Confidence.Confirmed,
            [new Evidence(EvidenceSource.Stack, $"frame {next - 1} was made by the kernel for the handler", signal.StackPointer)]);
    }

    private Verdict Cycle(AnalysisContext context, WaitCycle cycle, ImmutableArray<Claim> doubts) => new()
    {
        DetectorId = Descriptor.Id,
        Title = VerdictParts.CycleTitle(cycle, Descriptor.Title),
        Confidence = VerdictParts.Confidence(cycle.Grade),
        Claims = [.. CycleSentences.Claims(context.Names, cycle), .. doubts],
        Chain = [.. cycle.Edges.Select(e => VerdictParts.Link(context, e))],
        Threads = cycle.Component,
        Stacks = [.. cycle.Edges.Select(e => VerdictParts.Excerpt(context, e.Waiter, $"waits for {context.Names.Resource(e.Resource)}"))],
        Victims = VerdictParts.Victims(context, cycle.Component),
        Remedies = cycle.Edges.Length == 1
            ?
            [
                "Do not wait in a thread for what only this thread can end: no thread can join itself, and a lock that is not recursive must not be taken "
                    + "twice.",
            ]
            : cycle.Edges.Any(e => e.Resource.Kind == ResourceKind.WindowMessage) ?
            [
                "Do not wait in a message handler for a thread that sends messages to the handler's window: let that thread post its result (PostMessage), or "
                    + "give it a time limit (SendMessageTimeout).",
            ]
            : cycle.Edges.Any(e => e.Resource.Kind == ResourceKind.TypeInitializer) ?
            [
                "Do not take a lock, and do not wait for another thread, in a class constructor or an initializer of a static field: a thread that needs the class "
                    + "waits until it ends.",
                "Make such a field on first use (Lazy<T>), or run the class constructor before the threads start (RuntimeHelpers.RunClassConstructor).",
            ]
            :
            [
                "Take these locks in one fixed order everywhere, or replace them by one lock.",
                "Do not call foreign code (callbacks, loaders, other components) while holding one of them.",
                .. cycle.Edges.Any(e => e.IsLeftByIdAlone) ? OwnerByIdAlone.Remedies : [],
            ],
    };
}

/// <summary>Async methods that await each other: a cycle without a thread, for a pending method has none.</summary>
internal static class AsyncCycles
{
    private const int MostNamed = 10;
    private const int MostStacks = 10;

    /// <summary>A verdict for each kind of cycle.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector) =>
        (context.Snapshot.AsyncWaits?.Cycles ?? []).Select(c => Judge(context, detector, c));

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, AwaitCycle cycle)
    {
        WaitFact[] blocked = [.. cycle.Threads.SelectMany(t => context.Graph.WaitsOf(t)).Where(w => w.Resource.Kind == ResourceKind.ManagedTask)];
        uint[] threads = [.. blocked.Select(w => w.ThreadId).Distinct()];
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "Deadlock of async methods",
            Confidence = VerdictParts.Confidence(cycle.Grade),
            Claims = [Conclusion(cycle), .. Awaits(cycle), .. Further(context, cycle, threads)],
            Chain = [.. blocked.Select(w => VerdictParts.Link(context, w))],
            Threads = [.. threads],
            AsyncMethods = [.. Methods(cycle).Distinct().Take(MostNamed)],
            Stacks = [.. blocked.Take(MostStacks).Select(w => VerdictParts.Excerpt(context, w.ThreadId, "blocks in a task that never completes"))],
            Victims = VerdictParts.Victims(context, threads),
            Remedies =
            [
                "Let none of these methods await, directly or through others, the task of a method that awaits its own: start the work once, and pass on its "
                    + "result.",
                "dumpanalyze tasks FILE shows all that waits behind them.",
            ],
        };
    }

    private static IEnumerable<string> Methods(AwaitCycle cycle) => cycle.Links.Where(l => l.State is not null).Select(l => l.Name);

    private static Claim Conclusion(AwaitCycle cycle)
    {
        string[] methods = [.. Methods(cycle)];
        string names = methods.Length is 0 or > MostNamed ? "" : $": {string.Join(", ", methods)}";
        string text = cycle.Length == 1
            ? $"{cycle.Links[0].Name} awaits its own task and can never go on, a deadlock."
            : $"{CountText.Of(cycle.Length, "task")} await each other and none can go on, a deadlock{names}.";
        return new Claim(text, VerdictParts.Confidence(cycle.Grade), [.. cycle.Links.Take(MostNamed).Select(Memory)]);
    }

    private static IEnumerable<Claim> Awaits(AwaitCycle cycle)
    {
        for (int i = 0; i < cycle.Links.Length && cycle.Length > 1; i++)
        {
            AwaitLink link = cycle.Links[i];
            AwaitLink? next = i + 1 < cycle.Links.Length ? cycle.Links[i + 1] : cycle.Length == cycle.Links.Length ? cycle.Links[0] : null;
            string what = next is null ? "the next of them, which is left out" : Name(next);
            yield return new Claim($"{Name(link)} awaits {what}.", VerdictParts.Confidence(link.Grade), [Memory(link)]);
        }
    }

    private static string Name(AwaitLink link) => $"{link.Name}{FrameWords.Source(link.Source)} (task 0x{link.Task:x})";

    private static Evidence Memory(AwaitLink link) => new(
        EvidenceSource.Memory,
        link.State is not { } state ? "the continuation of what it awaits is this task"
            : link.Grade == Grade.Proven ? $"it stands at await {state}, keeps what it awaits, and is the continuation of that"
            : $"it stands at await {state}; either it keeps what it awaits or it is the continuation of that, not both",
        link.Task);

    private static IEnumerable<Claim> Further(AnalysisContext context, AwaitCycle cycle, uint[] threads)
    {
        Evidence heap = new(EvidenceSource.Memory, "pending tasks on the managed heap", cycle.Links[0].Task);
        if (cycle.Count > 1)
        {
            yield return new Claim(
                $"{CountText.Of(cycle.Count - 1, "more cycle")} of the same methods {(cycle.Count == 2 ? "stands" : "stand")} beside it.",
                VerdictParts.Confidence(cycle.Grade), [heap]);
        }

        if (cycle.Behind > 0)
        {
            yield return new Claim(
                $"{CountText.Of(cycle.Behind, "further async method")} {(cycle.Behind == 1 ? "awaits" : "await")} one of these tasks, directly or through "
                    + "others.",
                Confidence.Likely, [heap]);
        }

        if (threads.Length > 0)
        {
            string who = threads.Length == 1 ? context.Names.ThreadCapitalised(threads[0]) : CountText.Of(threads.Length, "thread");
            yield return new Claim(
                $"{who} {(threads.Length == 1 ? "blocks" : "block")} in one of these tasks, or in one that awaits them.", Confidence.Likely, [heap]);
        }
    }
}

/// <summary>
/// Semaphores that async methods use as locks, of which all known holders wait for one of them: a lock taken again by the flow that holds it, and two that are taken
/// in opposite order. A semaphore has no owner. Who holds it is known from the order of a method's code alone, so that all is Suspected.
/// </summary>
internal static class SemaphoreCycles
{
    private const int MostNamed = 4;
    private const int MostVerdicts = 20;

    // A heap may have any number of them; those with most waiters come first.
    private const int MostConsidered = 100;

    /// <summary>A verdict for each group of them, whatever waits behind it; none while a thread executes one of the methods that wait: it may release one next.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector)
    {
        Dictionary<ulong, AwaitedSemaphore> stuck = (context.Snapshot.AsyncWaits?.Semaphores ?? [])
            .Where(s => !s.Holders.IsEmpty && s.Waiters > 0 && s.Unlimited == s.Waiters).Take(MostConsidered).Where(s => !Runs(context, s)).ToDictionary(s => s.Address);
        while (stuck.Values.FirstOrDefault(s => !s.Holders.All(h => h.Behind.Any(stuck.ContainsKey))) is { } free)
        {
            stuck.Remove(free.Address);
        }

        // One that leads to a cycle and is no part of it reaches more than the cycle's own do.
        Dictionary<ulong, AwaitedSemaphore[]> groups = stuck.Values.ToDictionary(s => s.Address, s => Group(stuck, s));
        return groups.Where(g => g.Key == g.Value[0].Address && g.Value.All(s => groups[s.Address].Length == g.Value.Length)).OrderBy(g => g.Key)
            .Take(MostVerdicts).Select(g => Judge(context, detector, g.Value)).ToArray();
    }

    private static bool Runs(AnalysisContext context, AwaitedSemaphore semaphore) => ManagedCode.Runs(
        context.Snapshot, semaphore.Stopped.Concat(semaphore.Methods.Select(m => m.Name)).Concat(semaphore.Holders.Select(h => h.Method.Name)).ToHashSet(StringComparer.Ordinal));

    /// <summary>A semaphore and those for which its holders wait, and so on.</summary>
    private static AwaitedSemaphore[] Group(Dictionary<ulong, AwaitedSemaphore> stuck, AwaitedSemaphore first)
    {
        HashSet<ulong> seen = [first.Address];
        List<AwaitedSemaphore> group = [first];
        for (int i = 0; i < group.Count; i++)
        {
            group.AddRange(group[i].Holders.SelectMany(h => h.Behind).Select(stuck.GetValueOrDefault).OfType<AwaitedSemaphore>().Where(s => seen.Add(s.Address)));
        }

        return [.. group.OrderBy(s => s.Address)];
    }

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, AwaitedSemaphore[] group)
    {
        WaitFact[] blocked = [.. group.SelectMany(s => s.Threads).Distinct().SelectMany(t => context.Graph.WaitsOf(t))];
        AwaitingMethod[] methods = [.. group.SelectMany(s => s.Holders.Select(h => h.Method).Concat(s.Methods))];
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = group.Length == 1 ? "Semaphore taken again by the call that holds it" : "Deadlock of async methods over semaphores",
            Confidence = Confidence.Suspected,
            Claims =
            [
                .. group.Take(MostNamed).SelectMany(s => Claims(context, s)),
                new Claim(
                    group.Length == 1 ? "Its holder can go on only when it is released, and nobody else is seen to hold it: a deadlock."
                        : "Their holders can go on only when one of them is released, and nobody else is seen to hold one: a deadlock.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "the calls between a wait and a release of these semaphores, and what they await", group[0].Address)]),
            ],
            Chain = [.. blocked.Select(w => VerdictParts.Link(context, w)).Distinct()],
            Threads = [.. blocked.Select(w => w.ThreadId).Distinct()],
            AsyncMethods = [.. methods.Select(m => m.Name).Distinct()],
            Stacks = [.. blocked.Take(MostNamed).Select(w => VerdictParts.Excerpt(context, w.ThreadId, "waits for one of these methods"))],
            Victims = VerdictParts.Victims(context, blocked.Select(w => w.ThreadId)),
            Remedies =
            [
                group.Length == 1
                    ? "A SemaphoreSlim cannot be taken twice by one flow: split the method into one that takes it and one that expects it to be taken."
                    : "Take these semaphores in one fixed order everywhere, or replace them by one.",
                "dumpanalyze tasks FILE shows all that waits behind them.",
            ],
        };
    }

    private static IEnumerable<Claim> Claims(AnalysisContext context, AwaitedSemaphore semaphore)
    {
        string name = SemaphoreWords.Name(context, semaphore);
        string holders = string.Join(" and ", semaphore.Holders.Take(MostNamed).Select(h => SemaphoreWords.Calls(h.Method)));
        bool isOne = semaphore.Holders is [{ Method.Count: 1 }];
        yield return new Claim(
            $"{Naming.Capitalised(holders)} {(isOne ? "holds" : "hold")} {name}: {(isOne ? "it has" : "they have")} waited for it, and {(isOne ? "releases" : "release")} it "
                + "further down in the code.",
            Confidence.Likely, [new Evidence(EvidenceSource.Memory, "the await at which the call stands lies between the wait and the release", semaphore.Address)]);
        yield return new Claim(
            $"{SemaphoreWords.Waiters(semaphore)} for it, without a time limit or a cancellation token: {SemaphoreWords.Methods(semaphore.Methods)}.", Confidence.Confirmed,
            [SemaphoreWords.Evidence(semaphore)]);
    }
}

/// <summary>
/// Two processes that wait for each other: a parent for the end of a child before it reads what the child writes to a full pipe, and two that hold a lock of a file
/// each and want the other's. It is Likely where only the waiting threads are there, and Suspected where others may go on.
/// </summary>
internal static class ProcessCycles
{
    private const string ProcessModule = "system.diagnostics.process";
    private const string WaitForExit = "System.Diagnostics.Process.WaitForExit";

    /// <summary>A verdict for each such child for which a thread waits without a limit, and for each such process.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector) =>
        (from child in context.Snapshot.StandingChildren
         where child.WritesBelow is not null
         let thread = context.Snapshot.Threads.Where(t => !t.HasExited).FirstOrDefault(t => Awaits(context, t, child.WritesBelow!.Value))
         where thread is not null
         select Judge(context, detector, child, thread))
        .Concat(
            from other in context.Snapshot.CrossedProcesses
            let wait = context.Snapshot.Waits.FirstOrDefault(w => w.Resource == other.Resource && w.Timeout == WaitTimeout.Infinite)
            where wait is not null
            select Judge(context, detector, other, wait));

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, CrossedProcess other, WaitFact wait)
    {
        bool isAlone = other.IsAlone && IsAlone(context);
        return Verdict(
            context, detector, isAlone, wait, context.Names.Resource(wait.Resource),
            $"{Naming.Capitalised(other.Name)} holds it, and waits for a lock of a file that this process holds.",
            isAlone ? "Each process has one thread, which waits for the other process: a deadlock." : "Other threads of the two processes may release what they hold.",
            "/proc/locks") with
        {
            Title = "Deadlock of two processes",
            Remedies = ["Take locks of files in one fixed order in all programs, or use one lock for both files.", "dumpanalyze live PID --follow shows the other process too."],
        };
    }

    private static bool IsAlone(AnalysisContext context) => context.Snapshot.Threads.Count(t => !t.HasExited) == 1;

    /// <summary>In a call that waits for this child or for any one, or in that of the class library, of which the child is not known.</summary>
    private static bool Awaits(AnalysisContext context, ThreadSnapshot thread, uint child)
    {
        ImmutableArray<WaitFact> waits = context.Graph.WaitsOf(thread.Id);
        return waits.Any(w => w is { Resource: { Kind: ResourceKind.ChildProcess, Identity: var identity }, Timeout: WaitTimeout.Infinite } && (identity == child || identity == 0))
            || (thread.Stack.Frames.Any(f => f is { ModuleStem: ProcessModule, Symbol: SymbolSource.Metadata, Function: { } function } && function.StartsWith(WaitForExit, StringComparison.Ordinal))
                && waits.Any(w => w.Timeout == WaitTimeout.Infinite));
    }

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, StandingChild child, ThreadSnapshot thread)
    {
        bool isAlone = child.IsDirect && IsAlone(context);
        return Verdict(
            context, detector, isAlone, context.Graph.WaitsOf(thread.Id)[0], "the end of a child process",
            $"{Naming.Capitalised(child.Name)} {child.Standstill}, and no other process does.",
            isAlone ? "This process has no other thread that could read from the pipe: each waits for the other."
                : "The pipe stayed full over the whole look: no thread of this process was seen to read from it.",
            "what /proc tells of the child, alike before and after the look at this process") with
        {
            Title = "Deadlock with a child process",
            Remedies =
            [
                "Read what the child writes to its end, and wait for the child then: subprocess.communicate(), Process.BeginOutputReadLine or StandardOutput.ReadToEnd "
                    + "before WaitForExit. Read standard output and standard error at the same time.",
                "Let a child whose output nobody wants write to a file or to /dev/null.",
            ],
        };
    }

    /// <summary>What both verdicts have: the wait here, that of the other process, and whether anybody else may end it.</summary>
    private static Verdict Verdict(
        AnalysisContext context, DetectorDescriptor detector, bool isAlone, WaitFact wait, string awaited, string other, string conclusion, string rule)
    {
        Evidence told = new(EvidenceSource.Rule, rule);
        Confidence confidence = isAlone ? Confidence.Likely : Confidence.Suspected;
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = detector.Title,
            Confidence = confidence,
            Claims =
            [
                new Claim($"{context.Names.ThreadCapitalised(wait.ThreadId)} waits for {awaited}, without a time limit.", VerdictParts.Confidence(wait.Grade), wait.Evidence),
                new Claim(other, Confidence.Confirmed, [told]),
                new Claim(conclusion, confidence, [told]),
            ],
            Chain = [VerdictParts.Link(context, wait)],
            Threads = [wait.ThreadId],
            Stacks = [VerdictParts.Excerpt(context, wait.ThreadId, $"waits for {awaited}")],
            Victims = VerdictParts.Victims(context, [wait.ThreadId]),
            Remedies = [],
        };
    }
}
