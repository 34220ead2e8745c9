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

/// <summary>DUMP1005: one live thread holds what many others wait for, and is itself in no cycle.</summary>
public sealed class HeadBlockerDetector : IDetector
{
    private const string Id = "DUMP1005";

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        Id,
        "Head blocker",
        "One live thread holds a lock that many threads queue for, directly or through others.",
        "stacks, the memory of the locks, handle data for kernel objects",
        DetectorFamily.Lock)
    {
        Subject = VerdictSubject.Holder,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        // A cycle through mere candidates must not hide what is known better.
        HashSet<uint> inCycle = [.. context.Cycles.Where(c => !c.Edges.Any(e => e.IsThroughCandidate)).SelectMany(c => c.Component)];

        // Whoever keeps the loader while it waits, or is suspended, is told of as such, however many wait for it.
        HashSet<uint> inLoader = [.. LoaderStop.Find(context).Select(s => s.Thread.Id)];
        IEnumerable<Verdict> verdicts = context.Graph.Edges
            .Where(e => e.Ownership.OwnerIsAlive != false && e.StandsBehind)
            .Select(e => e.Holder)
            .Distinct()
            .Where(holder => context.Thread(holder) is not null && !SuspendedOwnerDetector.Takes(context, holder) && !inCycle.Contains(holder)
                && !inLoader.Contains(holder) && !context.Graph.From(holder).Any(e => e.StandsBehind) && !ProgramAtWork.IsOneCall(context, holder)
                && !Standstill.HasServed(context, holder))
            .Order()
            .Select(holder => (Thread: context.Thread(holder)!, Queue: QueueBehind(context, holder)))
            .Select(head => (head.Thread, head.Queue, Since: Standstill.Since(context, head.Thread)))
            .Where(head => head.Since is not null
                || (head.Queue.Length >= Enough(context, head.Thread) && !LockGoesRound.Is(context, head.Thread, head.Queue))
                || LeftHeld.Is(context, head.Thread) || Standstill.PollsSince(context, head.Thread) is not null)
            .Select(head => Judge(context, head.Thread.Id, head.Queue, head.Since));
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Handles(context.Snapshot)]);
    }

    /// <summary>
    /// True where the verdicts on a living process say no more than that many wait at this moment, and when they were woken is known: a busy lock looks like that, and
    /// a second look tells whether it passes on.
    /// </summary>
    internal static bool AsksForAnotherLook(AnalysisContext context, IReadOnlyCollection<Verdict> verdicts) => context.Earlier.IsEmpty
        && verdicts.All(v => v is { DetectorId: Id, Confidence: Confidence.Suspected }) && context.Graph.Edges.Any(e => e.QueuesForLock
            && context.Thread(e.Waiter)?.RecentUse?.Pauses is not null);

    /// <summary>
    /// The edges of the threads that stand behind the holder in a queue for a lock, one each. A thread that watches for the end of another is none by itself:
    /// that is how idle supervisors look.
    /// </summary>
    private static WaitEdge[] QueueBehind(AnalysisContext context, uint holder) =>
    [
        .. context.Graph.WaitersBehind([holder], e => e.StandsBehind)
            .Select(id => context.Graph.From(id).FirstOrDefault(e => e.Queues))
            .OfType<WaitEdge>(),
    ];

    /// <summary>
    /// Fewest waiters for one dump alone: an owner that waits without end or for synchronous input, or has been suspended, is more conspicuous than one that runs
    /// or sleeps.
    /// </summary>
    private static int Enough(AnalysisContext context, ThreadSnapshot holder) => holder.SuspendedAbove > 0
        || context.Graph.WaitsOf(holder.Id).Any(w => w.LastsForObject || w.IsSynchronous)
            ? context.Options.HeadBlockerMinimumWaiters
            : context.Options.SlowOwnerMinimumWaiters;

    private Verdict Judge(AnalysisContext context, uint holder, WaitEdge[] queue, EarlierLook? since)
    {
        ThreadSnapshot thread = context.Thread(holder)!;
        WaitEdge[] direct = [.. context.Graph.To(holder).Where(e => e.StandsBehind).OrderByDescending(e => e.Grade)];
        Resource[] held = VerdictParts.Held(direct);
        Resource[] locks = [.. held.Where(r => r.Facts.HasQueue)];
        string holds = locks.Length == 0
            ? (held.Any(r => r.Kind == ResourceKind.ComCall) ? "executes a COM call" : "has not ended")
            : $"{VerdictParts.HoldsOrRuns(locks)} {string.Join(" and ", locks.Select(context.Names.Resource))}";
        Grade facts = direct.Max(e => e.Grade);

        // A waiter with a time limit gives up by itself, and may only be polling.
        int timed = queue.Count(e => e.Wait.Timeout == WaitTimeout.Finite);
        string limits = timed == 0 ? "" : timed == queue.Length ? ", each with a time limit" : $", {timed} of them with a time limit";
        bool isLikely = (since?.Pair.Elapsed >= context.Options.LongStandstill && Standstill.IsCertain(context, since, holder)) || CannotGoOn(context, holder, queue, direct);
        string does = Doing(context, thread);
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = isLikely ? Confidence.Likely : Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{context.Names.ThreadCapitalised(holder)} {holds}, and {CountText.Of(queue.Length, "thread")} queue behind "
                        + $"{(locks.Length == 0 ? "its end" : "it")}{limits}.",
                    VerdictParts.Confidence(facts),
                    [.. direct[0].Wait.Evidence, .. direct[0].Ownership.Evidence]),
                DoesClaim(context, thread, does),
                .. Left(context, thread),
            ],
            Chain = [.. direct.Take(1).Select(e => VerdictParts.Link(context, e)), .. context.Graph.WaitsOf(holder).Select(w => VerdictParts.Link(context, w))],
            Threads = [holder],
            Stacks = [VerdictParts.Excerpt(context, holder, $"{holds}; {does}")],
            Victims = VerdictParts.Victims(context, [holder]),
            Remedies =
            [
                "Look at what this thread does while it holds the lock; move waiting, input and output out of the lock.",
                .. since is null ? new[] { "Take a second dump some seconds later: the same frames again mean that it is stuck, not slow." } : [],
            ],
        };
    }

    /// <summary>
    /// One dump cannot tell a slow owner from a stuck one, unless nobody who lives can end what it waits for: an owner that waits for another thread's answer
    /// is what a busy program looks like.
    /// </summary>
    private static bool CannotGoOn(AnalysisContext context, uint holder, WaitEdge[] queue, WaitEdge[] direct)
    {
        HashSet<uint> endless = [.. context.Graph.WaitersBehind([holder], e => e.StandsBehind && e.Wait.Timeout == WaitTimeout.Infinite)];
        return queue.Count(e => endless.Contains(e.Waiter)) >= context.Options.HeadBlockerMinimumWaiters && direct.Any(e => e.BlockingGrade > Grade.Suspected)
            && Standstill.CannotGoOn(context, holder, endless);
    }

    /// <summary>What it waits for is only as sure as that wait; that it runs or sleeps stands in its innermost frame.</summary>
    private static Claim DoesClaim(AnalysisContext context, ThreadSnapshot thread, string does) =>
        context.Graph.FirstWaitOf(thread.Id) is { } wait
            ? new Claim($"It {does}.", VerdictParts.Confidence(wait.Grade), wait.Evidence)
            : CallLoops.IsIn(context, thread) ? new Claim($"It {does}.", Confidence.Likely, CallLoops.Evidence(thread))
            : new Claim($"It {does}.", Confidence.Confirmed, VerdictParts.OfActivity(thread));

    /// <summary>What an idle owner says beside its waiters.</summary>
    private static IEnumerable<Claim> Left(AnalysisContext context, ThreadSnapshot thread)
    {
        if (LeftHeld.Is(context, thread))
        {
            yield return new Claim(
                LeftHeld.IsWorker(context, thread)
                    ? "No code of the program is on its stack any more: a piece of work has most likely ended without releasing the lock."
                    : "It is back in its message loop: a handler has most likely returned without releasing the lock.",
                Confidence.Suspected,
                [new Evidence(EvidenceSource.Stack, "its frames")]);
        }
    }

    private static string Doing(AnalysisContext context, ThreadSnapshot thread)
    {
        WaitFact? wait = context.Graph.FirstWaitOf(thread.Id);
        return thread.Activity.Kind switch
        {
            _ when wait is not null => $"waits for {context.Names.Resource(wait.Resource)}",
            _ when CallLoops.IsIn(context, thread) => CallLoops.Doing(thread),
            ThreadActivityKind.Running or ThreadActivityKind.Yielding when thread.SuspendedAbove > 0 => SuspensionWords.Ran,
            ThreadActivityKind.Running => "runs",
            ThreadActivityKind.Yielding => "yields its time slice",
            ThreadActivityKind.Sleeping => "sleeps",
            ThreadActivityKind.Idle => "waits for new work or input while holding the lock",
            ThreadActivityKind.SystemCall => $"is in the system call {thread.Activity.SystemCall}",
            ThreadActivityKind.NotStarted => "has not begun to run",
            _ => "does something that is not known",
        };
    }
}
