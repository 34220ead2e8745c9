using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP2003: threads that spin for what only the other ones can give.</summary>
public sealed class MutualSpinDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP2003",
        "Threads spinning on each other",
        "Threads spin for each other's spin locks, or several threads poll at once and no thread executes anything else.",
        "stacks, the memory of spin locks",
        DetectorFamily.Spin)
    {
        Activity = SubjectActivity.Runs,
    };

    /// <summary>True for a cycle of two or more threads that all spin: it burns processors, where other cycles sleep.</summary>
    public static bool IsOfSpinLocks(WaitCycle cycle) => cycle.Edges.Length > 1 && cycle.Edges.All(e => e.Resource.Kind == ResourceKind.SpinLock);

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        List<Verdict> verdicts = [.. context.Cycles.Where(IsOfSpinLocks).Select(c => Judge(context, c))];
        uint[] polling = Polling(context, [.. verdicts.SelectMany(v => v.Threads)]);
        if (polling.Length > 1)
        {
            verdicts.Add(Judge(context, polling));
        }

        return DetectorOutcomes.From(Descriptor, verdicts, NecessaryData.Stacks(context.Snapshot));
    }

    /// <summary>Threads that poll without a lock that is known, when no other thread executes code which could end that; else none.</summary>
    private static uint[] Polling(AnalysisContext context, HashSet<uint> explained)
    {
        ThreadSnapshot[] polling =
        [
            .. context.Snapshot.Threads.Where(t => !t.HasExited && !explained.Contains(t.Id)
                && t.Activity.Kind is ThreadActivityKind.Yielding or ThreadActivityKind.Running
                && ((SpinWaitFunctions.StandOn(t.Stack) && context.Graph.WaitsOf(t.Id).IsEmpty) || SleepsForNoTime(context, t))),
        ];
        bool someoneWorks = context.Snapshot.Threads.Any(t => !t.HasExited && !polling.Contains(t) && !explained.Contains(t.Id)
            && t.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding or ThreadActivityKind.Unknown
            && context.Graph.WaitsOf(t.Id).IsEmpty);
        return someoneWorks ? [] : [.. polling.Select(t => t.Id).Order()];
    }

    /// <summary>
    /// A native loop around <c>Sleep(0)</c>, for a lock whose holder is not known, while nobody queues for what the thread holds: that would be another story.
    /// </summary>
    private static bool SleepsForNoTime(AnalysisContext context, ThreadSnapshot thread) =>
        thread.Activity.Kind == ThreadActivityKind.Yielding && YieldFunctions.IsSleep(thread.Activity.SystemCall)
        && context.Spins.Of(thread.Id) is not null && context.Graph.From(thread.Id).IsEmpty
        && context.Graph.WaitsOf(thread.Id).All(w => w.Resource.Kind == ResourceKind.SpinLock)
        && !context.Graph.To(thread.Id).Any(e => e.Grade > Grade.Suspected);

    private Verdict Judge(AnalysisContext context, WaitCycle cycle) => new()
    {
        DetectorId = Descriptor.Id,
        Title = cycle.Grade == Grade.Suspected ? "Threads that may be spinning on each other" : Descriptor.Title,
        Confidence = VerdictParts.Confidence(cycle.Grade),
        Claims = CycleSentences.Claims(context.Names, cycle),
        Chain = [.. cycle.Edges.Select(e => VerdictParts.Link(context, e))],
        Threads = cycle.Component,
        Stacks = [.. cycle.Edges.Select(e => VerdictParts.Excerpt(context, e.Waiter, $"spins for {context.Names.Resource(e.Resource)}"))],
        Victims = VerdictParts.Victims(context, cycle.Component),
        Remedies = ["Take these spin locks in one fixed order everywhere, and never a second one while holding the first.",
            "A lock that is held for long, or while taking another, must not be a spin lock: use lock (Monitor)."],
    };

    private Verdict Judge(AnalysisContext context, uint[] polling)
    {
        string threads = string.Join(", ", polling.Select(context.Names.Thread));
        bool managed = polling.All(id => SpinWaitFunctions.StandOn(context.Thread(id)!.Stack));
        (string way, string evidence) = managed
            ? ("SpinWait", "SpinWait among their innermost frames")
            : ("Sleep(0) or SpinWait", "such a call is their innermost frame");
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = "Threads that may be spinning on each other",
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{CountText.Of(polling.Length, "thread")} poll with {way}: {threads}.",
                    Confidence.Confirmed,
                    [new Evidence(EvidenceSource.Stack, evidence)]),
                new Claim(
                    "No other thread executed code when the dump was written, so they may poll for each other; a sleeping thread, a timer or input may end it "
                        + "as well.",
                    Confidence.Suspected, [new Evidence(EvidenceSource.Rule, "one snapshot shows one moment")]),
            ],
            Threads = [.. polling],
            Stacks = [.. polling.Take(2).Select(id => VerdictParts.Excerpt(context, id, "polls"))],
            Remedies = ["Look at the conditions that these threads poll for: which thread makes them true?",
                "Take a second dump some seconds later: the same frames again mean that nobody does."],
        };
    }
}
