using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors.EverythingWaits;

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
            .. Judge(context) is { } verdict ? (Verdict[])[verdict] : [], .. LeakedSemaphores.Find(context, Descriptor), .. LastThreadWait.Find(context, Descriptor),
        ];
        return DetectorOutcomes.From(
            Descriptor,
            [.. found, .. UnendingWaits.Find(context, Descriptor, found.SelectMany(v => v.Threads).ToHashSet()) is { } unending ? (Verdict[])[unending] : []],
            [
                .. NecessaryData.Stacks(context.Snapshot), .. LeakedSemaphores.Missing(context),
                .. AsksForAnotherLook(context) ? new[] { MissingData.Of(MissingKind.LaterMomentOfThreads, Waiting(context)!.Value.Program.Length) } : [],
            ]);
    }

    /// <summary>
    /// True for a living process of which everything waits at this moment, and threads have computed a moment before: a busy program stands so between two pieces
    /// of work, one that has just come to its hang too, and a second look tells them apart.
    /// </summary>
    internal static bool AsksForAnotherLook(AnalysisContext context) =>
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
        return neverEnd && isPoolEmpty && waits.Any(w => context.Graph.From(w.ThreadId).IsEmpty)
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
                .OrderByDescending(g => g.Item2).ThenBy(g => g.Item1.ThreadId),
        ];
        int parked = program.Length - waits.Select(w => w.ThreadId).Distinct().Count();
        string who = program.Length == 1
            ? "The only thread that executes code of the program waits"
            : $"All {program.Length} threads that execute code of the program wait";
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
                new Claim(
                    "Nothing that could end this is known in the process: no thread executes code, "
                        + (context.Snapshot.PendingTimers is null ? "no thread waits for a timer" : "no timer is pending")
                        + ", and no thread waits for input, a connection, a signal or a child process.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "what all other threads do")]),
            ],
            Chain = [.. waits.OrderBy(w => w.ThreadId).Take(MostLinks).Select(w => VerdictParts.Link(context, w))],
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

    private static string Group(AnalysisContext context, (WaitFact First, int Count) group) =>
        $"{CountText.Of(group.Count, "thread")} {(group.Count == 1 ? "waits" : "wait")} for {context.Names.Resource(group.First.Resource)}.";
}
