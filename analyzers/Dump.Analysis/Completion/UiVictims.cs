using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Completion;

/// <summary>Which user-interface threads a verdict of another kind holds up: what the user sees of a deadlock.</summary>
internal static class UiVictims
{
    /// <summary>The handler of the only user-interface thread that takes part in the verdict, or null.</summary>
    public static Culprit? Culprit(AnalysisContext context, Verdict verdict) =>
        context.UiThreads.Where(u => u.State == UiThreadState.Handling && verdict.Threads.Contains(u.Thread.Id)).ToArray() is [var ui]
            ? UiVerdicts.Culprit(ui)
            : null;

    /// <summary>
    /// One claim for each thread inside a message handler that takes part in the verdict or waits behind it, except for the one that the verdict is about.
    /// </summary>
    public static IEnumerable<Claim> Claims(AnalysisContext context, DetectorDescriptor detector, Verdict verdict)
    {
        uint? subject = detector.Family == DetectorFamily.Ui ? verdict.Threads[0] : null;
        return context.UiThreads.Where(u => u.State == UiThreadState.Handling && u.Thread.Id != subject)
            .Select(u => Claim(context, verdict, u)).OfType<Claim>();
    }

    private static Claim? Claim(AnalysisContext context, Verdict verdict, UiThread ui)
    {
        uint id = ui.Thread.Id;
        bool takesPart = verdict.Threads.Contains(id);
        if (!takesPart && !verdict.Victims.Any(g => g.ThreadIds.Contains(id)))
        {
            return null;
        }

        Grade grade = takesPart ? ui.Grade : (Grade)Math.Min((int)ui.Grade, (int)Behind(context, verdict, id));
        Confidence confidence = VerdictParts.Confidence(grade) is var own && own < verdict.Confidence ? own : verdict.Confidence;
        string part = takesPart ? "" : ", behind it,";
        return new Claim(
            $"{context.Names.ThreadCapitalised(id)}{part} {UiSentences.IsInHandler(ui)}: "
                + $"{UiSentences.Reach(ui, context.Graph.WaitsOf(id).Any(w => w.Resource.Kind == ResourceKind.WindowMessage))}",
            confidence,
            [new Evidence(EvidenceSource.Stack, UiSentences.Place(ui))]);
    }

    /// <summary>How surely the thread waits for one of the verdict's.</summary>
    private static Grade Behind(AnalysisContext context, Verdict verdict, uint thread) =>
        context.Graph.WaitersBehind(verdict.Threads, Grade.Proven).Contains(thread) ? Grade.Proven
        : context.Graph.WaitersBehind(verdict.Threads, Grade.Derived).Contains(thread) ? Grade.Derived
        : Grade.Suspected;
}
