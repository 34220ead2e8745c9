using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.SpinningOwner;

/// <summary>DUMP2001: a thread burns processor time while it holds what others wait for.</summary>
public sealed class SpinningOwnerDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP2001",
        "Spinning owner",
        "A thread burns CPU time, or yields in a loop, while it holds a lock that other threads wait for.",
        "stacks, the memory of the locks, thread CPU times",
        DetectorFamily.Spin)
    {
        Subject = VerdictSubject.Holder,
        Activity = SubjectActivity.Runs,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts =
            from thread in context.Snapshot.Threads
            let waiters = context.Graph.To(thread.Id).Where(e => e.Waiter != thread.Id && e.Resource.Facts.HasQueue && e.Grade > Grade.Suspected).OrderByDescending(e => e.Grade).ToArray()
            where waiters.Length > 0
            let grade = SpinGrade(context, thread)
            where grade is not null
            select Judge(context, thread, waiters, grade.Value);
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Times(context.Snapshot)]);
    }

    /// <summary>How sure it is that the thread burns processor time now, or null when nothing says so.</summary>
    private static Grade? SpinGrade(AnalysisContext context, ThreadSnapshot thread)
    {
        bool? busy = ProcessorLoad.IsBusy(thread, context.Options);
        SpinObservation? spin = context.Spins.Of(thread.Id);
        return (thread.Activity.Kind, busy, spin) switch
        {
            (ThreadActivityKind.Running or ThreadActivityKind.Yielding, true, _) => Grade.Proven,
            (ThreadActivityKind.Running, null, null) when NecessaryData.RegistersShowCalls(context.Snapshot) => Grade.Suspected,
            (_, _, { Grade: var observed }) => observed < Grade.Derived ? observed : Grade.Derived,
            _ => CallLoops.IsIn(context, thread) ? Grade.Derived : null,
        };
    }

    /// <summary>True when more than the moment of the dump says that the thread yields over and over: its times, or a word that is not zero in the loop around the yield.</summary>
    private static bool YieldsInLoop(AnalysisContext context, ThreadSnapshot thread) =>
        thread.Activity.Kind == ThreadActivityKind.Yielding
        && (ProcessorLoad.ShowsPolling(thread, context.Options) || thread.SpinWords.Any(w => w is { FromInstruction: true, Value: not 0 }));

    /// <summary>True when a waiting thread is known to have used no processor time between two samples.</summary>
    private static bool StoodStill(AnalysisContext context, uint waiter) => context.Thread(waiter)?.RecentUse is { Used: var used } && used == TimeSpan.Zero;

    private Verdict Judge(AnalysisContext context, ThreadSnapshot thread, WaitEdge[] waiters, Grade spins)
    {
        string held = string.Join(" and ", VerdictParts.Held(waiters).Select(context.Names.Resource));
        Grade facts = waiters.Max(e => e.Grade);
        int behind = context.Graph.WaitersBehind([thread.Id], Grade.Derived).Count(id => context.Graph.From(id).Any(e => e.Grade >= Grade.Derived && e.Resource.Facts.HasQueue));
        SpinObservation? spin = context.Spins.Of(thread.Id);
        bool calls = CallLoops.IsIn(context, thread);
        string where = spin is not null ? $" in {spin.Module}" : calls ? "" : VerdictParts.Where(thread);
        bool loops = YieldsInLoop(context, thread);
        string does = calls ? CallLoops.Doing(thread) : thread.Activity.Kind != ThreadActivityKind.Yielding ? "runs" : loops ? "yields its time slice in a loop" : "yields its time slice";

        // Each sentence may be certain and the conclusion not: a busy thread that holds a lock which another wants is what any loaded program looks like at some moment.
        bool starves = ProcessorLoad.ComputedAllTheTime(thread, context.Options) && waiters.Any(e => StoodStill(context, e.Waiter));
        Confidence hang = loops || starves || behind >= context.Options.SlowOwnerMinimumWaiters ? Confidence.Likely : Confidence.Suspected;
        Confidence weakest = VerdictParts.Confidence(spins < facts ? spins : facts);
        string time = (thread.RecentUse, thread.Times) switch
        {
            ({ } use, { } times) => $": {Naming.Use(use)}; {Naming.Times(times)}",
            ({ } use, null) => $": {Naming.Use(use)}",
            (null, { } times) => $": {Naming.Times(times)}",
            _ => "; the dump records no CPU times, so for how long is unknown",
        };
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = hang < weakest ? hang : weakest,
            Claims =
            [
                new Claim(
                    $"{context.Names.ThreadCapitalised(thread.Id)} holds {held}, and {CountText.Of(behind, "thread")} {(behind == 1 ? "waits" : "wait")} behind it.",
                    VerdictParts.Confidence(facts),
                    [.. waiters[0].Wait.Evidence, .. waiters[0].Ownership.Evidence]),
                new Claim($"It {does}{where}{time}.", VerdictParts.Confidence(spins), calls ? CallLoops.Evidence(thread) : thread.Activity.Evidence.IsEmpty
                    ? [new Evidence(EvidenceSource.Stack, "its innermost frames")]
                    : thread.Activity.Evidence),
            ],
            Chain = [.. waiters.Take(1).Select(e => VerdictParts.Link(context, e)), .. context.Graph.WaitsOf(thread.Id).Where(w => w.Grade > Grade.Suspected).Select(w => VerdictParts.Link(context, w))],
            Threads = [thread.Id],
            Stacks = [VerdictParts.Excerpt(context, thread.Id, $"holds {held}, {does}")],
            Culprit = spin is null ? null : new Culprit(spin.Module, null, thread.Id),
            Victims = VerdictParts.Victims(context, [thread.Id]),
            Remedies =
            [
                $"Look at the loop {(calls ? "or call " : "")}this thread is in: what ends it? Do not loop or compute for long while holding the lock.",
                thread.RecentUse is null
                    ? "One dump cannot tell a long computation from an endless loop: a second one some seconds later shows whether the frames change."
                    : "Whether the loop ends at all must be told from its code.",
            ],
        };
    }
}
