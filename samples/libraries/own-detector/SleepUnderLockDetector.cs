using Dump.Analysis.Detection;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace OwnDetector;

/// <summary>SHOP0001: a thread sleeps under a lock that others wait for. A rule of this program's house, so ids of its own.</summary>
public sealed class SleepUnderLockDetector : IDetector
{
    public DetectorDescriptor Descriptor { get; } = new(
        "SHOP0001", "Sleep under a lock", "A thread sleeps while others wait for a lock that it holds.", "stacks, the memory of the locks", DetectorFamily.Lock);

    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor, context.Snapshot.Threads.Where(t => Sleeps(context, t) && !context.Graph.To(t.Id).IsEmpty).Select(t => Judge(context, t)), context.Snapshot.Missing);

    private static bool Sleeps(AnalysisContext context, ThreadSnapshot thread) =>
        thread.Activity.Kind == ThreadActivityKind.Sleeping || context.Graph.WaitsOf(thread.Id).Any(w => w.Resource.Kind == ResourceKind.Time);

    private Verdict Judge(AnalysisContext context, ThreadSnapshot thread) => Descriptor.Verdict(
        $"{context.Names.ThreadCapitalised(thread.Id)} sleeps, and {context.Graph.To(thread.Id).Length} wait for it.", Confidence.Likely,
        context.Graph.To(thread.Id)[0].Ownership.Evidence, [thread.Id]);
}
