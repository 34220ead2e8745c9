using System.Collections.Immutable;
using Dump.Analysis.Completion;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Analysis.Options;
using Dump.Analysis.UserInterface;
using Dump.Analysis.Waiting;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis;

/// <summary>Runs the detectors on a snapshot.</summary>
public static class HangAnalysis
{
    private const int MostRequests = 50;

    /// <summary>Judges a snapshot.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="options">Thresholds; null for the defaults.</param>
    /// <param name="only">Ids of the detectors to run; empty for all. What another detector would have explained is then reported too.</param>
    /// <param name="own">Detectors of the caller's own. They come before the others, which do not report again what these have explained: they know the program.</param>
    public static AnalysisResult Run(
        ProcessSnapshot snapshot, AnalysisOptions? options = null, ImmutableArray<string> only = default, ImmutableArray<IDetector> own = default) =>
        Run(new AnalysisContext(snapshot, options), only, own);

    /// <summary>Judges a snapshot with what is known beside it.</summary>
    internal static AnalysisResult Run(AnalysisContext context, ImmutableArray<string> only = default, ImmutableArray<IDetector> own = default)
    {
        List<DetectorOutcome> outcomes = [];
        List<Verdict> verdicts = [];
        Explanations earlier = new();
        ImmutableArray<string> asked = only.IsDefault ? [] : only;
        ImmutableArray<uint> crashed = asked.IsEmpty || asked.Contains(DetectorIds.Crashed) ? CrashDetector.CrashedThreads(context.Snapshot) : [];
        foreach (IDetector detector in (own.IsDefault ? [] : own).Concat(DetectorRegistry.Detectors).Where(d => asked.IsEmpty || asked.Contains(d.Descriptor.Id)))
        {
            DetectorOutcome outcome = WithoutCrashed(detector, Run(detector, context), crashed);
            outcomes.Add(outcome);
            IEnumerable<Verdict> found = detector.Descriptor.IsLastResort && verdicts.Count > 0 ? []
                : detector.Descriptor.StandsApart ? outcome.Verdicts
                : Unexplained(outcome, earlier);
            Verdict[] completed = [.. found.Select(v => VerdictCompletion.Complete(context, detector.Descriptor, v))];
            verdicts.AddRange(completed);
            if (!detector.Descriptor.StandsApart)
            {
                earlier.Add(completed);
            }
        }

        StackExcerpt? focus = verdicts.Count == 0 ? FocusThread.Find(context) : null;
        (ImmutableArray<OpenWait> open, ImmutableArray<MissingData> later) = OpenWaits.Find(context, [.. verdicts], focus);
        outcomes.Add(InsufficientDumpDetector.Collect(context.Snapshot, outcomes, asked.IsEmpty ? later : []));
        CaptureTarget target = context.Snapshot.CaptureTarget;
        return new AnalysisResult(
            [
                .. verdicts.OrderByDescending(v => VerdictRank.Of(v.DetectorId, v.Confidence)).ThenBy(v => v.DetectorId, StringComparer.Ordinal)
                    .ThenBy(v => v.Threads, ThreadOrder.Instance),
            ],
            [.. outcomes.OrderBy(o => o.DetectorId, StringComparer.Ordinal).Select(o => o with { Missing = [.. o.Missing.Select(m => m.For(target))] })])
        {
            Only = asked,
            Focus = focus,
            FocusAwaits = focus is null ? null : FocusThread.Awaited(context, focus),
            OpenWaits = open,
            Requests = [.. RequestGroups.Of(context.Snapshot, all: false).Take(MostRequests)],
            AsksForAnotherLook = asked.IsEmpty && (verdicts.Count > 0
                ? LockCycleDetector.AsksForAnotherLook(context) || HeadBlockerDetector.AsksForAnotherLook(context, verdicts)
                : StandsStillDetector.AsksForAnotherLook(context) || EverythingWaitsDetector.AsksForAnotherLook(context)
                    || StepOpenWaits.AskForAnotherLook(context) || ComputingOpenWaits.AskForAnotherLook(context) || PollingOpenWaits.AskForAnotherLook(context)
                    || OwnerOpenWaits.AskForAnotherLook(context) || OwnCodeOpenWaits.AskForAnotherLook(context)),
        };
    }

    /// <summary>
    /// Without verdicts on threads that crashed: one that stands in the report of its crash looks like one that is blocked, and does not hang.
    /// </summary>
    private static DetectorOutcome WithoutCrashed(IDetector detector, DetectorOutcome outcome, ImmutableArray<uint> crashed)
    {
        if (crashed.IsEmpty || detector.Descriptor.StandsApart || !outcome.Verdicts.Any(IsOfCrashed))
        {
            return outcome;
        }

        ImmutableArray<Verdict> left = [.. outcome.Verdicts.Where(v => !IsOfCrashed(v))];
        return outcome with { Verdicts = left, Kind = left.IsEmpty ? DetectorOutcomeKind.NotDetected : outcome.Kind };

        bool IsOfCrashed(Verdict verdict) => !verdict.Threads.IsEmpty && verdict.Threads.All(t => crashed.Contains(t));
    }

    private static DetectorOutcome Run(IDetector detector, AnalysisContext context)
    {
        try
        {
            return detector.Detect(context);
        }
        catch (Exception defect) when (defect is not OutOfMemoryException)
        {
            // A defect in one detector must neither hide the others' findings nor look like "nothing found".
            return new DetectorOutcome(
                detector.Descriptor.Id, detector.Descriptor.Title, DetectorOutcomeKind.Failed, [], $"{defect.GetType().Name}: {defect.Message}");
        }
    }

    /// <summary>
    /// Verdicts of a detector that no earlier detector's explains, nor another one of its own; of two that explain each other the one
    /// with more threads, or both.
    /// </summary>
    private static Verdict[] Unexplained(DetectorOutcome outcome, Explanations earlier)
    {
        Verdict[] own = [.. outcome.Verdicts.Where(v => !earlier.Of(v).Any())];
        Explanations among = new();
        among.Add(own);
        return [.. own.Where(v => !among.Of(v).Any(other => other.Threads.Length > v.Threads.Length || !Explanations.Explains(v, other)))];
    }
}

/// <summary>
/// Verdicts, and which of them explain another one. Indexed by thread: with thousands of verdicts each would otherwise be compared
/// with all others.
/// </summary>
internal sealed class Explanations
{
    private readonly Dictionary<uint, List<Verdict>> _byThread = [];

    /// <summary>Adds verdicts.</summary>
    public void Add(IEnumerable<Verdict> verdicts)
    {
        foreach (Verdict verdict in verdicts)
        {
            foreach (uint thread in verdict.Threads.Concat(verdict.Victims.SelectMany(v => v.ThreadIds)).Distinct())
            {
                if (!_byThread.TryGetValue(thread, out List<Verdict>? involved))
                {
                    _byThread[thread] = involved = [];
                }

                involved.Add(verdict);
            }
        }
    }

    /// <summary>Those that explain a verdict, itself included if it is one of them; none explains a verdict on async methods without a thread.</summary>
    public IEnumerable<Verdict> Of(Verdict verdict) =>
        verdict.Threads.IsEmpty ? [] : _byThread.GetValueOrDefault(verdict.Threads[0], []).Where(e => Explains(e, verdict));

    /// <summary>
    /// True when all threads of the later verdict take part in, or queue behind, the earlier one, and the earlier one is not merely
    /// suspected where the later is better founded.
    /// </summary>
    public static bool Explains(Verdict earlier, Verdict later)
    {
        if (earlier.Confidence == Confidence.Suspected && later.Confidence > Confidence.Suspected && !SayTheSame(earlier, later))
        {
            return false;
        }

        return later.Threads.All(id => earlier.Threads.Contains(id) || earlier.Victims.Any(v => v.ThreadIds.Contains(id)));
    }

    /// <summary>True when both say that the very same threads run on and on: the earlier detector's says more of it, as it knows who suffers.</summary>
    private static bool SayTheSame(Verdict earlier, Verdict later) =>
        Runs(earlier) && Runs(later) && earlier.Threads.Order().SequenceEqual(later.Threads.Order());

    private static bool Runs(Verdict verdict) => DetectorRegistry.Find(verdict.DetectorId)?.Activity == SubjectActivity.Runs;
}

/// <summary>
/// The thread that a person would look at first where there is no verdict, in this order: the thread with a message
/// loop, a busy one first; the thread whose exception or trigger made the writer dump the process; the owner of the lock that most threads wait for; the first
/// thread of the program. A message loop that only waits for input comes behind such an owner. Of several with the same right none is preferred, as then only
/// their order could decide.
/// </summary>
internal static class FocusThread
{
    private const int MostFrames = 64;
    private const string UserInterface = "handles the user interface";

    /// <summary>The thread with the reason, or null.</summary>
    public static StackExcerpt? Find(AnalysisContext context)
    {
        ImmutableArray<ThreadSnapshot> alive = [.. context.Snapshot.Threads.Where(t => !t.HasExited)];
        ThreadSnapshot? ui = InUserInterface(context), owner = Contended(context);
        bool isIdle = ui is not null && context.UiThreads.Any(t => t.Thread.Id == ui.Id && t.State == UiThreadState.Idle);
        return ui is not null && !(isIdle && owner is not null) ? Excerpt(ui, UserInterface)
            : alive.FirstOrDefault(t => t.Id == context.Snapshot.TriggerThread) is { } trigger ? Excerpt(trigger, "is named by the dump's exception record")
            : owner is not null ? Excerpt(owner, "holds the lock that most threads wait for")
            : Main(context.Snapshot, alive) is { } main ? Excerpt(main, "is the program's first thread")
            : null;
    }

    /// <summary>The thread for whose end the one to look at waits: where the program stands. One that may go on by itself is somewhere else at each
    /// moment.</summary>
    public static StackExcerpt? Awaited(AnalysisContext context, StackExcerpt focus) =>
        context.Thread(focus.ThreadId) is { } thread && FirstThreadOpenWaits.Last(context, thread) is var last && last != thread
            && context.Graph.WaitsOf(last.Id).Any(w => w is { IsSatisfied: false, IsForNewWork: false } && w.Timeout != WaitTimeout.Finite)
            ? Excerpt(last, $"is what {context.Names.Thread(thread.Id)} waits for in the end") : null;

    private static StackExcerpt? Excerpt(ThreadSnapshot thread, string why) =>
        thread.Stack.Frames.IsEmpty ? null : new StackExcerpt(thread.Id, why, [.. Enumerable.Range(0, Math.Min(MostFrames, thread.Stack.Frames.Length))]);

    /// <summary>The owner of the lock that most threads wait for, those of mere candidates left out; null where there is none, or two are alike.</summary>
    private static ThreadSnapshot? Contended(AnalysisContext context)
    {
        (Resource Lock, uint Owner, int Waiters)[] contended =
        [
            .. context.Graph.Edges.Where(
                e => e.Grade > Grade.Suspected && e.Resource.Facts.HasQueue && e.Waiter != e.Holder && e.Wait is { IsWaitAny: false, IsSatisfied: false })
                .GroupBy(e => (e.Resource, e.Holder)).Select(g => (g.Key.Resource, g.Key.Holder, g.Select(e => e.Waiter).Distinct().Count())),
        ];
        int most = contended.Select(c => c.Waiters).DefaultIfEmpty().Max();
        return contended.Where(c => c.Waiters == most).Select(c => c.Owner).Distinct().ToArray() is [var owner]
            && context.Thread(owner) is { HasExited: false } thread ? thread : null;
    }

    private static ThreadSnapshot? InUserInterface(AnalysisContext context)
    {
        UiThread[] proven = [.. context.UiThreads.Where(t => t.Grade > Grade.Suspected)];
        UiThread[] first = [.. proven.GroupBy(t => t.State switch { UiThreadState.Handling => 0, UiThreadState.Modal => 1, _ => 2 }).OrderBy(g => g.Key).Take(1)
            .SelectMany(g => g)];
        return first is [{ } only] ? only.Thread
            : Main(context.Snapshot, [.. first.Select(t => t.Thread)]);
    }

    /// <summary>By the process' own id on Linux; on Windows by where it begins, else by when.</summary>
    private static ThreadSnapshot? Main(ProcessSnapshot snapshot, ImmutableArray<ThreadSnapshot> threads)
    {
        if (snapshot.System.Family == OperatingSystemFamily.Linux)
        {
            return snapshot.Threads.Any(t => t.IsFirst) ? threads.FirstOrDefault(t => t.IsFirst) : threads.FirstOrDefault(t => t.Id == snapshot.ProcessId);
        }

        ulong? entry = snapshot.Modules.FirstOrDefault(m => m.Name == snapshot.ProcessName)?.EntryPoint;
        ThreadSnapshot[] beginning = [.. threads.Where(t => entry is not null && t.StartAddress == entry)];
        if (beginning is [{ } only])
        {
            return only;
        }

        ThreadSnapshot[] dated = [.. threads.Where(t => t.Times?.Created is not null).OrderBy(t => t.Times!.Created)];
        return dated.Length == threads.Length && dated is [{ } oldest, ..] && (dated.Length == 1 || dated[1].Times!.Created > oldest.Times!.Created)
            ? oldest
            : null;
    }
}
