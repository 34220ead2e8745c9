using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.OrphanedLock;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.EverythingWaits;

/// <summary>
/// The only thread of a living native process of Linux, in a wait that only another thread of the process could end: it has none, and no handler of signals that
/// could. So a child of a fork stands that waits for a thread of its parent. Of a core nobody knows which signals the process handled.
/// </summary>
internal static class LastThreadWait
{
    // The C library's own: to cancel threads, to change their users, and, of musl, to do something in each (nptl/nptl-signals.h, musl pthread_impl.h).
    private const ulong SignalsOfLibrary = 1UL << 31 | 1UL << 32 | 1UL << 33;

    /// <summary>The verdict, or none.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector)
    {
        if (context.Snapshot is { System.Family: OperatingSystemFamily.Linux, Threads: [var thread], CaughtSignals: { } caught }
            && (caught & ~SignalsOfLibrary) == 0
            && context.Graph.WaitsOf(thread.Id) is [{ IsWithinProcess: true, LastsForObject: true, Grade: Grade.Proven } wait]
            && context.Graph.From(thread.Id).IsEmpty)
        {
            yield return Judge(context, detector, wait);
        }
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
                "Only a thread of this process can end that, and it has no other one, nor a handler of signals. Most likely it was forked, and waits for a thread of "
                    + "its parent. A fork copies only the thread that calls it.",
                Confidence.Suspected,
                [new Evidence(EvidenceSource.Rule, "the word is private to the process (futex(2)); /proc/PID/status lists no handler (SigCgt)")]),
        ],
        Chain = [VerdictParts.Link(context, wait)],
        Threads = [wait.ThreadId],
        Stacks = [VerdictParts.Excerpt(context, wait.ThreadId, $"waits for {context.Names.Resource(wait.Resource)}")],
        Remedies =
        [
            OrphanedLockDetector.BetweenForkAndExec,
            "Fork before the first thread is started, or let the child start its own threads (pthread_atfork).",
        ],
    };
}
