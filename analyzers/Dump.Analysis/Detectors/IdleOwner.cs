using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>
/// Managed locks whose owner is an idle worker of the thread pool: what entered the lock there went on without leaving it, as after an <c>await</c> between
/// enter and exit, whose rest usually runs on another thread. Never Confirmed: the rest may still come back to that very worker.
/// </summary>
internal static class IdleOwner
{
    private static readonly ImmutableArray<string> s_remedies =
    [
        "Do not await between entering and leaving a lock: the rest of the method runs on another thread, which cannot leave it. Use SemaphoreSlim.WaitAsync.",
        "Leave locks in a finally block, so that no work item returns to the pool with one.",
    ];

    /// <summary>A verdict for each such lock that threads wait for.</summary>
    public static IEnumerable<Verdict> Judge(AnalysisContext context, DetectorDescriptor descriptor) => context.Graph.Edges
        .Where(e => e is { Ownership.OwnerIsAlive: true, BlockingGrade: not null, Resource.Facts: { IsManagedObject: true, Class: WaitClass.Lock } }
            && IsIdleWorker(context, e.Holder))
        .GroupBy(e => e.Ownership)
        .Select(g => Judge(context, descriptor, g.Key, [.. g]));

    /// <summary>
    /// True for a worker of the thread pool that waits for work, which it does below its loop only: nothing of the program's is on its stack.
    /// </summary>
    internal static bool IsIdleWorker(AnalysisContext context, uint thread) =>
        context.Snapshot.ThreadPool?.Workers.Contains(thread) == true && context.Thread(thread) is { Activity.Kind: ThreadActivityKind.Idle };

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor descriptor, OwnershipFact ownership, WaitEdge[] edges)
    {
        // Whether the worker entered the lock or a thread before it with the same id: whoever did has left it locked.
        Grade held = ownership.ManagedIdAlone is null ? ownership.Grade : Grade.Proven;
        Grade wait = edges.Max(e => e.EndlessWaitGrade);
        var grade = (Grade)Math.Min(Math.Min((int)wait, (int)held), (int)Grade.Derived);
        ImmutableArray<WaitFact> waits = [.. edges.Select(e => e.Wait)];
        ImmutableArray<uint> waiters = [.. waits.Select(w => w.ThreadId).Distinct().Order()];
        ImmutableArray<uint> threads = [.. waiters.Append(ownership.OwnerThreadId).Order()];
        ThreadSnapshot owner = context.Thread(ownership.OwnerThreadId)!;
        return new Verdict
        {
            DetectorId = descriptor.Id,
            Title = grade == Grade.Suspected ? "Lock that may be orphaned" : descriptor.Title,
            Confidence = VerdictParts.Confidence(grade),
            Claims =
            [
                new Claim(
                    $"{Naming(context, ownership)}, an idle worker of the thread pool; {OrphanedLockDetector.Waiting(context, waits)}.",
                    VerdictParts.Confidence((Grade)Math.Min((int)wait, (int)held)), [.. ownership.Evidence, .. owner.Activity.Evidence]),
                new Claim(
                    "What entered the lock there has gone on without leaving it, as a method does that awaits between enter and exit"
                        + (ownership.ManagedIdAlone is null ? "." : "; or its thread has ended with the lock, and the worker has got its id."),
                    VerdictParts.Confidence(grade),
                    [new Evidence(EvidenceSource.Stack, "nothing of the program's own is on the worker's stack")]),
            ],
            Chain = [.. edges.Select(e => VerdictParts.Link(context, e))],
            Threads = threads,
            Stacks = [.. waiters.Take(3).Select(t => VerdictParts.Excerpt(context, t, "waits for it"))],
            Victims = VerdictParts.Victims(context, threads),
            Remedies = s_remedies,
        };
    }

    private static string Naming(AnalysisContext context, OwnershipFact ownership) =>
        Model.Wording.Naming.Capitalised($"{context.Names.Resource(ownership.Resource)} is held by {context.Names.Thread(ownership.OwnerThreadId)}")
            + Model.Wording.OwnerWords.ById(ownership);
}
