using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>
/// Managed locks that store the id of a thread which nothing else joins to the lock: the thread that entered it may have ended, and the runtime may have given
/// its id to this one. Never more than suspected: code may also enter a lock and reach it again by a way that leaves nothing on the stack.
/// </summary>
internal static class OwnerByIdAlone
{
    private const int MostStacks = 3;

    /// <summary>What to do where an earlier thread has ended with the lock.</summary>
    public static ImmutableArray<string> Remedies { get; } =
    [
        "Find the code that enters this lock and lets its thread end, or leave by an exception, before it exits the lock. Use the lock statement, or release "
            + "in a finally block.",
    ];

    /// <summary>A verdict for each such lock that threads wait for without a time limit.</summary>
    public static IEnumerable<Verdict> Judge(AnalysisContext context, DetectorDescriptor descriptor) => context.Graph.Edges
        .Where(e => e is
            {
                Ownership: { OwnerIsAlive: true, ManagedIdAlone: not null, Grade: Grade.Suspected },
                Wait: { Timeout: WaitTimeout.Infinite, IsWaitAny: false, IsSatisfied: false, Grade: > Grade.Suspected },
                Resource.Facts.Class: WaitClass.Lock,
            }
            && !IdleOwner.IsIdleWorker(context, e.Holder))
        .GroupBy(e => e.Ownership)
        .Select(g => Judge(context, descriptor, g.Key, [.. g]));

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor descriptor, OwnershipFact ownership, WaitEdge[] edges)
    {
        ImmutableArray<WaitFact> waits = [.. edges.Select(e => e.Wait)];
        ImmutableArray<uint> threads = [.. waits.Select(w => w.ThreadId).Distinct().Order()];
        string owner = context.Names.Thread(ownership.OwnerThreadId);
        string held = $"{context.Names.Resource(ownership.Resource)} is {OwnerWords.HeldBy(ownership.Resource.Kind, ownership.Grade)} {owner}";
        return new Verdict
        {
            DetectorId = descriptor.Id,
            Title = "Lock that may be orphaned",
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{Naming.Capitalised(held)}{OwnerWords.ById(ownership)}; {OrphanedLockDetector.Waiting(context, waits)}.",
                    Confidence.Suspected, ownership.Evidence),
                new Claim(
                    "The thread that entered the lock may have ended without leaving it.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Stack, $"nothing on the stack of {owner} leads to the lock", ownership.Resource.Identity)]),
            ],
            Chain = [.. edges.Select(e => VerdictParts.Link(context, e))],
            Threads = threads,
            Stacks = [.. threads.Take(MostStacks).Select(t => VerdictParts.Excerpt(context, t, "waits for it"))],
            Victims = VerdictParts.Victims(context, threads),
            Remedies = Remedies,
        };
    }
}
