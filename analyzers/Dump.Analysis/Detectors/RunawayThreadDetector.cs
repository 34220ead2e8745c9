using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP2002: a thread burns processor time and nobody waits for it.</summary>
public sealed class RunawayThreadDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP2002",
        "Runaway thread",
        "A thread has used most of a processor for its whole life and is still running or yielding.",
        "thread CPU times, stacks",
        DetectorFamily.Spin)
    {
        Activity = SubjectActivity.Runs,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts = context.Snapshot.Threads
            .Where(t => (t.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding || CallLoops.IsIn(context, t))
                && HasUsedEnough(t, context.Options)
                && ProcessorLoad.IsBusy(t, context.Options) == true)
            .Select(t => Judge(context, t));
        if (NecessaryData.RegistersShowCalls(context.Snapshot) && ExecutesManagedCode(context) is { Length: > 0 } running)
        {
            verdicts = verdicts.Append(Judge(context, running));
        }

        return DetectorOutcomes.From(Descriptor, verdicts, [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Times(context.Snapshot)]);
    }

    /// <summary>Over its life, or between the two samples.</summary>
    private static bool HasUsedEnough(ThreadSnapshot thread, AnalysisOptions options) =>
        thread.Times?.Total >= options.RunawayMinimumTime || ProcessorLoad.ComputedAllTheTime(thread, options);

    /// <summary>Threads in managed methods outside of system calls, for whom nobody waits.</summary>
    private static ThreadSnapshot[] ExecutesManagedCode(AnalysisContext context) =>
    [
        .. context.Snapshot.Threads.Where(
            t => t is { HasExited: false, ManagedId: not null, Activity.Kind: ThreadActivityKind.Running,
                Stack.Frames: [{ Symbol: SymbolSource.Metadata }, ..] }
            && ProcessorLoad.IsBusy(t, context.Options) is null && context.Graph.To(t.Id).IsEmpty).OrderBy(t => t.Id),
    ];

    /// <summary>Without processor times it is only true that these threads were executing code at this moment.</summary>
    private Verdict Judge(AnalysisContext context, ThreadSnapshot[] running)
    {
        string threads = string.Join(
            ", ", running.Select(t => $"{context.Names.Thread(t.Id)}{VerdictParts.Where(t)}{(t.Times is { } times ? $" ({Naming.Times(times)})" : "")}"));
        string unknown = running.Any(t => t.Times is null) ? "this dump records no CPU times" : "this dump does not record the age of a thread";
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = running.Length == 1 ? "Thread that was executing code" : "Threads that were executing code",
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim($"{CountText.Of(running.Length, "thread")} {(running.Length == 1 ? "was" : "were")} outside of system calls when the dump was "
                    + $"written: {threads}.", Confidence.Confirmed, [.. running[0].Activity.Evidence]),
                new Claim(
                    $"For how long is unknown, because {unknown}: useful work or an endless loop.",
                    Confidence.Suspected, [new Evidence(EvidenceSource.Rule, "one snapshot shows one moment")]),
            ],
            Threads = [.. running.Select(t => t.Id)],
            Stacks = [.. running.Take(3).Select(t => VerdictParts.Excerpt(context, t.Id, "was executing code"))],
            Remedies = [$"Compare the frames of {TwoDumps(context)}; a core that the kernel writes records CPU times."],
        };
    }

    private Verdict Judge(AnalysisContext context, ThreadSnapshot thread)
    {
        SpinObservation? spin = context.Spins.Of(thread.Id);
        WaitEdge? wanted = context.Graph.From(thread.Id)
            .FirstOrDefault(e => e is { Resource.Kind: ResourceKind.SpinLock, Grade: > Grade.Suspected } && context.Snapshot.Waits.Contains(e.Wait));
        bool yields = thread.Activity.Kind == ThreadActivityKind.Yielding;
        bool polls = yields && ProcessorLoad.ShowsPolling(thread, context.Options);
        bool onlyPolls = polls && ProcessorLoad.DidNothingElse(thread, context.Options) && !IsOneOfMany(context, thread);
        bool calls = CallLoops.IsIn(context, thread);
        string does = polls ? "yields its time slice in a loop" : yields ? "yields its time slice" : calls ? CallLoops.Doing(thread) : "runs";
        string where = spin is not null ? $" in {spin.Module}" : calls ? "" : thread.Stack.Frames is [{ Module: { } module }, ..] ? $" in {module}" : "";
        string time = thread.Times is { } times ? Naming.Times(times) : "";
        string used = thread.RecentUse is { } use ? $"{Naming.Use(use)}{(time.Length > 0 ? "; " : "")}{time}" : time;

        // Time used is a fact, but a busy thread may be doing its job, and a thread that computes yields now and then; only time spent in yielding is spent for
        // nothing.
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = onlyPolls ? Confidence.Likely : Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{context.Names.ThreadCapitalised(thread.Id)} {does}{where}: {used}.",
                    calls ? Confidence.Likely : Confidence.Confirmed,
                    calls ? CallLoops.Evidence(thread) : [new Evidence(EvidenceSource.DumpStream, used), .. thread.Activity.Evidence]),
                .. Wanted(context, wanted),
                Conclusion(context, thread, polls, onlyPolls),
            ],
            Chain = wanted is null
                ? []
                : [VerdictParts.Link(context, wanted), .. context.Graph.WaitsOf(wanted.Holder).Take(1).Select(w => VerdictParts.Link(context, w))],
            Threads = [thread.Id],
            Stacks = [VerdictParts.Excerpt(context, thread.Id, "burns CPU time"),
                .. wanted is null ? [] : new[] { VerdictParts.Excerpt(context, wanted.Holder, ActivityText.Of(context, wanted.Holder)) }],
            Culprit = spin is null ? null : new Culprit(spin.Module, null, thread.Id),
            Remedies = thread.RecentUse is null
                ? [$"Compare this thread's frames in {TwoDumps(context)}."]
                : [$"Look at the loop {(calls ? "or call " : "")}this thread is in: what ends it?"],
        };
    }

    /// <summary>
    /// True where another thread polls in the same function: workers of a pool that is made to answer at once wait so for their next piece of work.
    /// </summary>
    private static bool IsOneOfMany(AnalysisContext context, ThreadSnapshot thread) =>
        Place(context, thread) is { } own && context.Snapshot.Threads.Any(t => t.Id != thread.Id && t.Activity.Kind == ThreadActivityKind.Yielding && Place(context, t) == own);

    /// <summary>The program's own function that polls, else the module that does.</summary>
    private static (string Module, string? Function, ulong Address)? Place(AnalysisContext context, ThreadSnapshot thread) =>
        context.Application.Innermost(thread.Stack.Frames) is { } own && thread.Stack.Frames[own] is { Module: { } module } frame
            ? (module, frame.Function, frame.Function is null ? frame.InstructionPointer : 0)
            : context.Spins.Of(thread.Id) is { } spin ? (spin.Module, null, 0) : null;

    private static string TwoDumps(AnalysisContext context) => CaptureKinds.Words(CaptureKind.TwoDumps, context.Snapshot.CaptureTarget with { IsRepeated = false }, null);

    /// <summary>For what lock it burns it, where the lock itself names its holder.</summary>
    private static IEnumerable<Claim> Wanted(AnalysisContext context, WaitEdge? wanted)
    {
        if (wanted is null)
        {
            return [];
        }

        WaitFact? wait = context.Graph.FirstWaitOf(wanted.Holder);
        return
        [
            new Claim(CycleSentences.Edge(context.Names, wanted), VerdictParts.Confidence(wanted.Grade),
                [.. wanted.Wait.Evidence, .. wanted.Ownership.Evidence]),
            new Claim(
                $"{context.Names.ThreadCapitalised(wanted.Holder)} {ActivityText.Of(context, wanted.Holder)}.",
                VerdictParts.Confidence(wait?.Grade ?? Grade.Proven),
                wait?.Evidence ?? [new Evidence(EvidenceSource.Stack, "its innermost frames")]),
        ];
    }

    private static Claim Conclusion(AnalysisContext context, ThreadSnapshot thread, bool polls, bool onlyPolls) =>
        polls ? new Claim(
            "It waits for something by polling, so the time is spent for nothing.", onlyPolls ? Confidence.Likely : Confidence.Suspected,
            [new Evidence(EvidenceSource.Rule, "one snapshot shows one moment")])
        : ProcessorLoad.ComputedAllTheTime(thread, context.Options) ? new Claim(
            $"It did nothing but compute for {Naming.Duration(thread.RecentUse!.Over)}; whether that is long work or an endless loop must be told from its "
                + "code.", Confidence.Suspected,
            [new Evidence(EvidenceSource.Rule, "two samples show how much, not what for")])
        : new Claim(
            $"Whether this is useful work or an endless loop cannot be told from one {context.Snapshot.Source.Noun}.", Confidence.Suspected,
            [new Evidence(EvidenceSource.Rule, "one snapshot shows one moment")]);
}
