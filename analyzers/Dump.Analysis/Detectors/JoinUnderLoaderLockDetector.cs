using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1004: a thread that holds the loader waits for the end of a thread, which cannot end (or start) without the loader.</summary>
public sealed class JoinUnderLoaderLockDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1004",
        "Thread joined under the loader lock",
        "A thread that holds the loader lock or load ownership waits for another thread to end, and that thread needs the loader to do so.",
        "stacks, the loader lock's memory, handle data with thread ids, TEBs (Windows 10 and later)",
        DetectorFamily.Loader);

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts = context.Cycles
            .Where(JoinsUnderLoader)
            .Select(c => Judge(context, c));
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Loader(context.Snapshot), .. NecessaryData.Handles(context.Snapshot)]);
    }

    /// <summary>True for a cycle in which the thread that keeps the loader is the one that waits for the end of another thread.</summary>
    internal static bool JoinsUnderLoader(WaitCycle cycle) => cycle.Edges.Any(join => IsJoinUnderLoader(cycle, join));

    private static bool IsJoinUnderLoader(WaitCycle cycle, WaitEdge join) =>
        join.Resource.Kind == ResourceKind.Thread && cycle.Edges.Any(e => e.Resource.Facts.IsLoader && e.Holder == join.Waiter);

    private Verdict Judge(AnalysisContext context, WaitCycle cycle)
    {
        WaitEdge join = cycle.Edges.First(e => IsJoinUnderLoader(cycle, e));
        LoaderCallback? callback = context.Thread(join.Waiter) is { } thread ? LoaderCallback.Find(context.Snapshot, thread) : null;
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = VerdictParts.CycleTitle(cycle, Descriptor.Title),
            Confidence = VerdictParts.Confidence(cycle.Grade),
            Claims = CycleSentences.Claims(context.Names, cycle),
            Chain = [.. cycle.Edges.Select(e => VerdictParts.Link(context, e))],
            Threads = cycle.Component,
            Stacks = [.. cycle.Edges.Select(e => VerdictParts.Excerpt(context, e.Waiter, $"waits for {context.Names.Resource(e.Resource)}"))],
            Culprit = callback is null ? null : new Culprit(callback.Module, $"{callback.Kind} ({callback.Reason})", join.Waiter),
            Victims = VerdictParts.Victims(context, cycle.Component),
            Remedies =
            [
                $"Do not wait for a thread in {callback?.KindWithArticle ?? "DllMain or a TLS callback"} of {callback?.Module ?? "a DLL"}: a thread can "
                    + "neither start nor end while the loader is held. Offer an explicit shutdown function and wait there.",
            ],
        };
    }
}
