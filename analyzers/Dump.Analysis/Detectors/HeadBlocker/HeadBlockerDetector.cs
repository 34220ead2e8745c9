using Dump.Analysis.Graph;
using Dump.Analysis.Text;
using Dump.Model;

namespace Dump.Analysis.Detectors.HeadBlocker;

/// <summary>DUMP1005: one live thread holds what many others wait for, and is itself in no cycle.</summary>
public sealed class HeadBlockerDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1005",
        "Head blocker",
        "One live thread holds a lock that many threads queue for, directly or through others.",
        "stacks, the memory of the locks, handle data for kernel objects");

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        HashSet<uint> inCycle = [.. context.Cycles.SelectMany(c => c.Component)];
        IEnumerable<Verdict> verdicts = context.Graph.Edges
            .Where(e => e.Ownership.OwnerIsAlive != false && e.Grade > Grade.Suspected)
            .Select(e => e.Holder)
            .Distinct()
            .Where(holder => context.Thread(holder) is not null && !inCycle.Contains(holder)
                && !context.Graph.From(holder).Any(e => e.Grade > Grade.Suspected))
            .Order()
            .Select(holder => (Holder: holder, Waiters: context.Graph.WaitersBehind([holder], Grade.Derived)))
            .Where(head => head.Waiters.Length >= (IsStuck(context, head.Holder) ? context.Options.HeadBlockerMinimumWaiters : context.Options.SlowOwnerMinimumWaiters))
            .Select(head => Judge(context, head.Holder, head.Waiters.Length));
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Handles(context.Snapshot)]);
    }

    private Verdict Judge(AnalysisContext context, uint holder, int waiters)
    {
        ThreadSnapshot thread = context.Thread(holder)!;
        WaitEdge[] direct = [.. context.Graph.To(holder).Where(e => e.Grade > Grade.Suspected)];
        Resource[] held = [.. direct.Select(e => e.Resource).Distinct()];
        Grade facts = direct.Max(e => e.Grade);

        string does = Doing(context, thread);
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = IsStuck(context, holder) && facts >= Grade.Derived ? Confidence.Likely : Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{context.Names.ThreadCapitalised(holder)} holds {string.Join(" and ", held.Select(context.Names.Resource))}, and {Naming.Count(waiters, "thread")} queue behind it.",
                    VerdictParts.Confidence(facts),
                    [.. direct[0].Wait.Evidence, .. direct[0].Ownership.Evidence]),
                DoesClaim(context, thread, does),
            ],
            Chain = [.. direct.Take(1).Select(e => VerdictParts.Link(context, e)), .. context.Graph.WaitsOf(holder).Select(w => VerdictParts.Link(context, w))],
            Threads = [holder],
            Stacks = [VerdictParts.Excerpt(context, holder, $"holds {context.Names.Resource(held[0])}; {does}")],
            Victims = VerdictParts.Victims(context, [holder]),
            Remedies = ["Look at what this thread does while it holds the lock; move waiting, input and output out of the lock.", "Take a second dump some seconds later: the same frames again mean that it is stuck, not slow."],
        };
    }

    /// <summary>One snapshot cannot tell a slow owner from a stuck one: an owner that waits without end for something nobody is known to hold is likely to be the hang, one that runs or sleeps is only suspected of it.</summary>
    private static bool IsStuck(AnalysisContext context, uint holder) =>
        context.Graph.WaitsOf(holder).Any(w => w.Timeout == WaitTimeout.Infinite && !w.IsWaitAny);

    /// <summary>What it waits for is only as sure as that wait; that it runs or sleeps stands in its innermost frame.</summary>
    private static Claim DoesClaim(AnalysisContext context, ThreadSnapshot thread, string does) =>
        context.Graph.WaitsOf(thread.Id).FirstOrDefault() is { } wait
            ? new Claim($"It {does}.", VerdictParts.Confidence(wait.Grade), wait.Evidence)
            : new Claim($"It {does}.", Confidence.Confirmed, thread.Activity.Evidence.IsEmpty
                ? [new Evidence(EvidenceSource.Stack, "its innermost frames")]
                : thread.Activity.Evidence);

    private static string Doing(AnalysisContext context, ThreadSnapshot thread)
    {
        WaitFact? wait = context.Graph.WaitsOf(thread.Id).FirstOrDefault();
        return thread.Activity.Kind switch
        {
            _ when wait is not null => $"waits for {context.Names.Resource(wait.Resource)}",
            ThreadActivityKind.Running => "runs",
            ThreadActivityKind.Yielding => "yields its time slice",
            ThreadActivityKind.Sleeping => "sleeps",
            ThreadActivityKind.Idle => "waits for new work while holding the lock",
            ThreadActivityKind.SystemCall => $"is in the system call {thread.Activity.SystemCall}",
            _ => "does something that the dump does not tell",
        };
    }
}
