using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.LockCycle;

/// <summary>Async methods that await each other: a cycle without a thread, for a pending method has none.</summary>
internal static class AsyncCycles
{
    private const int MostNamed = 10;
    private const int MostStacks = 10;

    /// <summary>A verdict for each kind of cycle.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector) =>
        (context.Snapshot.AsyncWaits?.Cycles ?? []).Select(c => Judge(context, detector, c));

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, AwaitCycle cycle)
    {
        WaitFact[] blocked = [.. cycle.Threads.SelectMany(t => context.Graph.WaitsOf(t)).Where(w => w.Resource.Kind == ResourceKind.ManagedTask)];
        uint[] threads = [.. blocked.Select(w => w.ThreadId).Distinct()];
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "Deadlock of async methods",
            Confidence = VerdictParts.Confidence(cycle.Grade),
            Claims = [Conclusion(cycle), .. Awaits(cycle), .. Further(context, cycle, threads)],
            Chain = [.. blocked.Select(w => VerdictParts.Link(context, w))],
            Threads = [.. threads],
            AsyncMethods = [.. Methods(cycle).Distinct().Take(MostNamed)],
            Stacks = [.. blocked.Take(MostStacks).Select(w => VerdictParts.Excerpt(context, w.ThreadId, "blocks in a task that never completes"))],
            Victims = VerdictParts.Victims(context, threads),
            Remedies =
            [
                "Let none of these methods await, directly or through others, the task of a method that awaits its own: start the work once, and pass on its "
                    + "result.",
                "dumpanalyze tasks FILE shows all that waits behind them.",
            ],
        };
    }

    private static IEnumerable<string> Methods(AwaitCycle cycle) => cycle.Links.Where(l => l.State is not null).Select(l => l.Name);

    private static Claim Conclusion(AwaitCycle cycle)
    {
        string[] methods = [.. Methods(cycle)];
        string names = methods.Length is 0 or > MostNamed ? "" : $": {string.Join(", ", methods)}";
        string text = cycle.Length == 1
            ? $"{cycle.Links[0].Name} awaits its own task and can never go on, a deadlock."
            : $"{CountText.Of(cycle.Length, "task")} await each other and none can go on, a deadlock{names}.";
        return new Claim(text, VerdictParts.Confidence(cycle.Grade), [.. cycle.Links.Take(MostNamed).Select(Memory)]);
    }

    private static IEnumerable<Claim> Awaits(AwaitCycle cycle)
    {
        for (int i = 0; i < cycle.Links.Length && cycle.Length > 1; i++)
        {
            AwaitLink link = cycle.Links[i];
            AwaitLink? next = i + 1 < cycle.Links.Length ? cycle.Links[i + 1] : cycle.Length == cycle.Links.Length ? cycle.Links[0] : null;
            string what = next is null ? "the next of them, which is left out" : Name(next);
            yield return new Claim($"{Name(link)} awaits {what}.", VerdictParts.Confidence(link.Grade), [Memory(link)]);
        }
    }

    private static string Name(AwaitLink link) => $"{link.Name}{FrameWords.Source(link.Source)} (task 0x{link.Task:x})";

    private static Evidence Memory(AwaitLink link) => new(
        EvidenceSource.Memory,
        link.State is not { } state ? "the continuation of what it awaits is this task"
            : link.Grade == Grade.Proven ? $"it stands at await {state}, keeps what it awaits, and is the continuation of that"
            : $"it stands at await {state}; either it keeps what it awaits or it is the continuation of that, not both",
        link.Task);

    private static IEnumerable<Claim> Further(AnalysisContext context, AwaitCycle cycle, uint[] threads)
    {
        Evidence heap = new(EvidenceSource.Memory, "pending tasks on the managed heap", cycle.Links[0].Task);
        if (cycle.Count > 1)
        {
            yield return new Claim(
                $"{CountText.Of(cycle.Count - 1, "more cycle")} of the same methods {(cycle.Count == 2 ? "stands" : "stand")} beside it.",
                VerdictParts.Confidence(cycle.Grade), [heap]);
        }

        if (cycle.Behind > 0)
        {
            yield return new Claim(
                $"{CountText.Of(cycle.Behind, "further async method")} {(cycle.Behind == 1 ? "awaits" : "await")} one of these tasks, directly or through "
                    + "others.",
                Confidence.Likely, [heap]);
        }

        if (threads.Length > 0)
        {
            string who = threads.Length == 1 ? context.Names.ThreadCapitalised(threads[0]) : CountText.Of(threads.Length, "thread");
            yield return new Claim(
                $"{who} {(threads.Length == 1 ? "blocks" : "block")} in one of these tasks, or in one that awaits them.", Confidence.Likely, [heap]);
        }
    }
}
