using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Looks;
using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

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
            where thread.SuspendedAbove is not > 0
            let waiters = context.Graph.To(thread.Id).Where(e => e.Waiter != thread.Id && e.Resource.Facts.HasQueue && e.Grade > Grade.Suspected)
                .OrderByDescending(e => e.Grade).ToArray()
            where !LockGoesRound.Is(context, thread, waiters)
            where waiters.Any(IsLock) || waiters.DistinctBy(e => e.Waiter).Skip(1).Any() || waiters.Any(e => HoldsUp(context, e.Waiter))
            let grade = SpinGrade(context, thread)
            where grade is not null
            select Judge(context, thread, waiters, grade.Value);
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Times(context.Snapshot)]);
    }

    /// <summary>False for a task, which a thread does not hold but works on: who waits for it wants it to go on.</summary>
    private static bool IsLock(WaitEdge edge) => edge.Resource.Kind != ResourceKind.ManagedTask;

    /// <summary>True when others wait for a lock of the thread.</summary>
    private static bool HoldsUp(AnalysisContext context, uint thread) =>
        context.Graph.To(thread).Any(e => e.Waiter != thread && e.Resource.Facts.HasQueue && IsLock(e) && e.Grade > Grade.Suspected);

    /// <summary>
    /// How sure it is that the thread executes code now, or null when nothing says so, or two samples show that it has hardly used a processor in between.
    /// Where the first was a dump, the second alone still shows that it runs: a suspicion, and none where it has stood still, which is no spinning.
    /// Its share of a processor over its life decides nothing: who slept for a day and burns a processor now has used next to none.
    /// </summary>
    private static Grade? SpinGrade(AnalysisContext context, ThreadSnapshot thread)
    {
        bool? busy = ProcessorLoad.IsBusy(thread, context.Options);
        SpinObservation? spin = context.Spins.Of(thread.Id);
        return (thread.Activity.Kind, busy, spin) switch
        {
            (ThreadActivityKind.Running or ThreadActivityKind.Yielding, _, _)
                when !context.Earlier.IsEmpty && ProcessorLoad.HasPassed(thread, context.Options) =>
                (context.Graph.WaitsOf(thread.Id).IsEmpty || spin is not null) && Standstill.Since(context, thread) is null ? Grade.Suspected : null,
            _ when ProcessorLoad.HasPassed(thread, context.Options) => null,

            // Between two samples of a living process it mostly waited, or it is younger than that.
            (ThreadActivityKind.Running, not true, null) when context.IsSampledOnce && !MaySpin(thread, context.Options) => null,
            (ThreadActivityKind.Running or ThreadActivityKind.Yielding, true, _) => Grade.Proven,
            (_, _, { Grade: var observed }) => observed < Grade.Derived ? observed : Grade.Derived,
            (ThreadActivityKind.Running, null, _) when NecessaryData.RegistersShowCalls(context.Snapshot) => Grade.Suspected,

            // Who tests a lock of its own, with a time limit for instance, waits in its way.
            (ThreadActivityKind.Running or ThreadActivityKind.Yielding, _, _) when context.Graph.WaitsOf(thread.Id).IsEmpty =>
                busy is null ? Grade.Suspected : Grade.Derived,
            _ => CallLoops.IsIn(context, thread) ? Grade.Derived : null,
        };
    }

    /// <summary>
    /// False for a thread that is known to have waited between two samples, and used a small share of a processor; and for one that is younger: its times are
    /// known, and the first sample does not have it.
    /// </summary>
    private static bool MaySpin(ThreadSnapshot thread, AnalysisOptions options) => thread.RecentUse is { } use
        ? use.WasAlwaysReady != false || use.Load >= options.PollingOwnerLoad
        : thread.Times is null;

    /// <summary>
    /// True when more than the moment of the dump says that the thread yields over and over: its times, or a word that is not zero in the loop around the
    /// yield.
    /// </summary>
    private static bool YieldsInLoop(AnalysisContext context, ThreadSnapshot thread) =>
        thread.Activity.Kind == ThreadActivityKind.Yielding
        && (ProcessorLoad.ShowsPolling(thread, context.Options) || thread.SpinWords.Any(w => w is { FromInstruction: true, Value: not 0 }));

    /// <summary>
    /// True when the thread did nothing but compute between two samples in which a thread that waits for it used no processor time. Where the earlier sample
    /// was a dump, the same must have held the same lock for the same waiters then, none of them may have got it since, and none may have worked: clocks of
    /// Windows are coarse, but who is served over and over uses some time in a number of turns.
    /// </summary>
    private static bool Starves(AnalysisContext context, ThreadSnapshot thread, WaitEdge[] waiters)
    {
        if (!ProcessorLoad.ComputedAllTheTime(thread, context.Options) || !waiters.Any(e => IsLock(e) || HoldsUp(context, e.Waiter)))
        {
            return false;
        }

        if (context.Earlier.IsEmpty)
        {
            return waiters.Any(e => context.Thread(e.Waiter)?.RecentUse is { Used: var used } && used == TimeSpan.Zero);
        }

        Resource[] held = VerdictParts.Held(waiters);
        EarlierLook? since = context.Earlier.Since(l => waiters.Any(l.Stood) && !l.ServedBy(thread.Id, held, context.Graph).Any());
        WaitEdge[] stood = [.. waiters.Where(e => since?.Stood(e) == true)];
        return since?.Pair.Elapsed >= context.Options.LongStandstill && stood.Length > 0 && stood.All(e => since.Pair.HasMoved(e.Waiter, TimeSpan.Zero) == false);
    }

    private Verdict Judge(AnalysisContext context, ThreadSnapshot thread, WaitEdge[] waiters, Grade spins)
    {
        string held = string.Join(" and ", VerdictParts.Held(waiters).Select(context.Names.Resource));
        Grade facts = waiters.Max(e => e.Grade);
        int behind = context.Graph.WaitersBehind([thread.Id], Grade.Derived)
            .Count(id => context.Graph.From(id).Any(e => e.Grade >= Grade.Derived && e.Resource.Facts.HasQueue));
        SpinObservation? spin = context.Spins.Of(thread.Id);
        bool calls = CallLoops.IsIn(context, thread);
        string where = spin is not null ? $" in {spin.Module}" : calls ? "" : VerdictParts.Where(thread);
        bool loops = YieldsInLoop(context, thread);
        string does = calls ? CallLoops.Doing(thread)
            : thread.Activity.Kind != ThreadActivityKind.Yielding ? "runs"
            : loops ? "yields its time slice in a loop" : "yields its time slice";

        // Each sentence may be certain and the conclusion not: a busy thread that holds a lock which others want is what any loaded program looks like at some
        // moment, however many they are.
        Confidence hang = Starves(context, thread, waiters) ? Confidence.Likely : Confidence.Suspected;
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
                    $"{context.Names.ThreadCapitalised(thread.Id)} holds {held}, and {CountText.Of(behind, "thread")} "
                        + $"{(behind == 1 ? "waits" : "wait")} behind it.",
                    VerdictParts.Confidence(facts),
                    [.. waiters[0].Wait.Evidence, .. waiters[0].Ownership.Evidence]),
                new Claim($"It {does}{where}{time}.", VerdictParts.Confidence(spins), calls ? CallLoops.Evidence(thread) : VerdictParts.OfActivity(thread)),
            ],
            Chain =
            [
                .. waiters.Take(1).Select(e => VerdictParts.Link(context, e)),
                .. context.Graph.WaitsOf(thread.Id).Where(w => w.Grade > Grade.Suspected).Select(w => VerdictParts.Link(context, w)),
            ],
            Threads = [thread.Id],
            Stacks = [VerdictParts.Excerpt(context, thread.Id, $"holds {held}, {does}")],
            Culprit = spin is null ? null : new Culprit(spin.Module, null, thread.Id),
            Victims = VerdictParts.Victims(context, [thread.Id]),
            Remedies =
            [
                $"Look at the loop {(calls ? "or call " : "")}this thread is in: what ends it? Do not loop or compute for long while holding the lock.",
                thread.RecentUse is null
                    ? $"One {context.Snapshot.Source.Noun} cannot tell a long computation from an endless loop: a second one some seconds later shows whether the frames change."
                    : "Whether the loop ends at all must be told from its code.",
            ],
        };
    }
}
