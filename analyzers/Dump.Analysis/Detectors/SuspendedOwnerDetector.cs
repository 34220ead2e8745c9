using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1008: the owner of a lock that others wait for has been suspended by somebody.</summary>
public sealed class SuspendedOwnerDetector : IDetector
{
    /// <summary>Fewest threads whose counts say what the writer of the dump gives to each.</summary>
    private const int FewestThreads = 3;

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1008",
        "Owner is suspended",
        "The owner of a lock that others wait for has been suspended, by its suspend count, which stands out from all other threads'.",
        "stacks, the memory of the locks, suspend counts (where the writer records none, a suspended owner stays unknown)",
        DetectorFamily.Lock)
    {
        Subject = VerdictSubject.Holder,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        // The same for all of them: a hostile dump may have thousands.
        bool isAlone = IsAlone(context.Snapshot);
        return DetectorOutcomes.From(
            Descriptor,
            context.Graph.Edges.Where(e => e.QueuesForLock).GroupBy(e => e.Holder)
                .Where(g => Takes(context, g.Key))
                .Select(g => Judge(context, context.Thread(g.Key)!, [.. g.DistinctBy(e => e.Waiter)], isAlone)),
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot)]);
    }

    /// <summary>True for a suspended thread that owns a lock for which another one waits: its story is told here.</summary>
    internal static bool Takes(AnalysisContext context, uint holder) =>
        context.Thread(holder) is { SuspendedAbove: > 0, HasExited: false } && context.Graph.To(holder).Any(e => e.QueuesForLock);

    private Verdict Judge(AnalysisContext context, ThreadSnapshot owner, ImmutableArray<WaitEdge> queue, bool isAlone)
    {
        WaitEdge surest = queue.MaxBy(e => e.Grade)!;
        string held = string.Join(" and ", VerdictParts.Held(queue).Select(context.Names.Resource));
        EarlierLook? since = Standstill.Since(context, owner);
        bool hasStood = since?.Pair.Elapsed >= context.Options.LongStandstill && since.Pair.WasSuspended(owner.Id);
        bool isLikely = hasStood || (isAlone && surest.BlockingGrade > Grade.Suspected && NobodyElseActs(context, owner.Id));
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = isLikely ? Confidence.Likely : Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{context.Names.ThreadCapitalised(owner.Id)} holds {held}, for which {CountText.Of(queue.Length, "thread")} "
                        + $"{(queue.Length == 1 ? "waits" : "wait")}.",
                    VerdictParts.Confidence(surest.Grade),
                    [.. surest.Wait.Evidence, .. surest.Ownership.Evidence]),
                new Claim(
                    $"It is {SuspensionWords.Of(owner.SuspendedAbove)}: somebody has suspended it, and it goes on when it is resumed.",
                    Confidence.Likely,
                    [new Evidence(EvidenceSource.DumpStream, $"its suspend count (thread list) is {owner.SuspendedAbove} above what the writer gives each")]),
                hasStood
                    ? new Claim("It was suspended in the earlier dump too, at the same place, with the same threads behind it.", Confidence.Likely,
                        [new Evidence(EvidenceSource.DumpStream, "its suspend count stands out in both, and it has used no CPU time to speak of")])
                : isLikely
                    ? new Claim("No other thread of the process is about to resume it: each waits without a time limit, or for new work.", Confidence.Likely,
                        [new Evidence(EvidenceSource.Rule, "what the other threads do")])
                    : new Claim(
                        $"One {context.Snapshot.Source.Noun} does not tell who suspended it and for how long: profilers, debuggers and garbage collectors suspend threads for a moment.",
                        Confidence.Suspected,
                        [new Evidence(EvidenceSource.Rule, "suspend counts have no time")]),
            ],
            Chain = [VerdictParts.Link(context, surest), .. context.Graph.WaitsOf(owner.Id).Select(w => VerdictParts.Link(context, w))],
            Threads = [owner.Id],
            Stacks = [VerdictParts.Excerpt(context, owner.Id, $"holds {held}, {ActivityText.Of(context, owner.Id)}")],
            Victims = VerdictParts.Victims(context, [owner.Id]),
            Remedies =
            [
                "Find out who calls SuspendThread (a hang monitor, a profiler, a debugger, security software), and see that it resumes the thread on every "
                    + "path.",
                "Do not suspend threads of your own process: what they hold at that moment stays held. Ask them to stop at a place that they choose.",
            ],
        };
    }

    /// <summary>True when all other living threads have the same count, and there are enough of them to say what the writer gives.</summary>
    private static bool IsAlone(ProcessSnapshot snapshot)
    {
        ThreadSnapshot[] alive = [.. snapshot.Threads.Where(t => !t.HasExited)];
        return snapshot.Available.AllThreads && alive.Length >= FewestThreads && alive.Count(t => t.SuspendedAbove > 0) == 1;
    }

    /// <summary>
    /// True when no other thread executes code, is in another system call or wakes by itself: whoever suspends threads for a moment does one of these until it
    /// resumes them.
    /// </summary>
    private static bool NobodyElseActs(AnalysisContext context, uint owner) =>
        context.Snapshot.Threads.All(t => t.HasExited || t.Id == owner || t.Activity.Kind switch
        {
            ThreadActivityKind.Idle => true,
            ThreadActivityKind.Waiting => context.Graph.WaitsOf(t.Id).Any(w => w is { Timeout: WaitTimeout.Infinite, IsSatisfied: false }),
            ThreadActivityKind.Sleeping => context.Graph.WaitsOf(t.Id).Any(w => w.Timeout == WaitTimeout.Infinite),
            _ => false,
        });
}
