using System.Collections.Immutable;
using Dump.Analysis.Completion;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.Crash;
using Dump.Analysis.Detectors.EverythingWaits;
using Dump.Analysis.Detectors.InsufficientDump;
using Dump.Analysis.Detectors.StandsStill;
using Dump.Analysis.Options;
using Dump.Analysis.Waiting;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis;

/// <summary>Runs the detectors on a snapshot.</summary>
public static class HangAnalysis
{
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
            OpenWaits = open,
            AsksForAnotherLook = verdicts.Count == 0 && asked.IsEmpty && (StandsStillDetector.AsksForAnotherLook(context) || EverythingWaitsDetector.AsksForAnotherLook(context)
                || StepOpenWaits.AskForAnotherLook(context)),
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
