using Dump.Analysis.Spinning;
using Dump.Analysis.Text;
using Dump.Model;

namespace Dump.Analysis.Detectors.RunawayThread;

/// <summary>DUMP2002: a thread burns processor time and nobody waits for it.</summary>
public sealed class RunawayThreadDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP2002",
        "Runaway thread",
        "A thread has used most of a processor for its whole life and is still running or yielding.",
        "thread processor times, stacks");

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts = context.Snapshot.Threads
            .Where(t => t.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding
                && t.Times is { } times && times.Total >= context.Options.RunawayMinimumTime
                && ProcessorLoad.IsBusy(t, context.Options) == true)
            .Select(t => Judge(context, t));
        return DetectorOutcomes.From(Descriptor, verdicts, [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Times(context.Snapshot)]);
    }

    private Verdict Judge(AnalysisContext context, ThreadSnapshot thread)
    {
        SpinObservation? spin = context.Spins.Of(thread.Id);
        bool yields = thread.Activity.Kind == ThreadActivityKind.Yielding;
        bool polls = yields && ProcessorLoad.ShowsPolling(thread, context.Options);
        string where = spin is not null ? $" in {spin.Module}" : thread.Stack.Frames is [{ Module: { } module }, ..] ? $" in {module}" : "";

        // Time used is a fact, but a busy thread may be doing its job, and a thread that computes yields now and then; only time spent in yielding is spent for nothing.
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = polls ? Confidence.Likely : Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{context.Names.ThreadCapitalised(thread.Id)} {(polls ? "yields its time slice in a loop" : yields ? "yields its time slice" : "runs")}{where}: {Naming.Times(thread.Times!)}.",
                    Confidence.Confirmed,
                    [new Evidence(EvidenceSource.DumpStream, Naming.Times(thread.Times!)), .. thread.Activity.Evidence]),
                new Claim(
                    polls ? "It waits for something by polling, so the time is spent for nothing." : "Whether this is useful work or an endless loop cannot be told from one dump.",
                    polls ? Confidence.Likely : Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "one snapshot shows one moment")]),
            ],
            Threads = [thread.Id],
            Stacks = [VerdictParts.Excerpt(context, thread.Id, "burns processor time")],
            Culprit = spin is null ? null : new Culprit(spin.Module, null, thread.Id),
            Remedies = ["Take a second dump some seconds later (procdump -ma -n 2 -s 10 PID) and compare the frames of this thread."],
        };
    }
}
