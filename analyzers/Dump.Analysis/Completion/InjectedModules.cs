using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Rules;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Completion;

/// <summary>Libraries on the stacks of a verdict that are known to be loaded into other people's processes.</summary>
internal static class InjectedModules
{
    /// <summary>One claim for each such library on the stacks that prove the verdict. A library that is merely loaded says nothing.</summary>
    public static IEnumerable<Claim> Claims(AnalysisContext context, Verdict verdict) =>
        from found in verdict.Stacks.SelectMany(s => Frames(context, s.ThreadId)).GroupBy(f => f.Known.File, StringComparer.Ordinal)
        let best = found.MaxBy(f => f.Frame.Trust)
        select new Claim(
            $"{best.Frame.Module} stands on the stack of {context.Names.Thread(best.Thread)}: by its name {KnownModules.Words(best.Known.Category)} "
                + $"({best.Known.Vendor}) that gets into other programs' processes.",
            best.Frame.Trust > FrameTrust.Scan ? Confidence.Likely : Confidence.Suspected,
            [
                new Evidence(EvidenceSource.Stack, UiSentences.Code(best.Frame)),
                new Evidence(EvidenceSource.Rule, $"listed by file name; source: {best.Known.Source}"),
            ]);

    private static IEnumerable<(uint Thread, StackFrame Frame, KnownModule Known)> Frames(AnalysisContext context, uint thread)
    {
        foreach (StackFrame frame in context.Thread(thread)?.Stack.Frames ?? [])
        {
            if (frame.Module is { } module && context.Options.KnownModules.Find(module) is { } known)
            {
                yield return (thread, frame, known);
            }
        }
    }
}
