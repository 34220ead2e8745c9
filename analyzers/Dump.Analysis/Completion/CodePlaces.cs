using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis.Completion;

/// <summary>Where to read the code of the threads that a verdict is about.</summary>
internal static class CodePlaces
{
    private const int Most = 8;

    /// <summary>One place for each of the verdict's first threads that runs code of the program's own and was followed there without guessing.</summary>
    public static ImmutableArray<CodePlace> Of(AnalysisContext context, Verdict verdict) =>
    [
        .. verdict.Threads.Distinct()
            .Select(id => (Id: id, Frame: Innermost(context, id)))
            .Where(t => t.Frame is not null && !IsTold(verdict.Culprit, t.Id, t.Frame))
            .Take(Most)
            .Select(t => (t.Id, Own: FrameWords.Own(t.Frame!)))
            .Select(t => new CodePlace(t.Id, t.Own.Code) { Source = t.Own.Source }),
    ];

    private static StackFrame? Innermost(AnalysisContext context, uint id) =>
        context.Thread(id) is { } thread && context.Application.Innermost(thread.Stack.Frames) is { } index ? thread.Stack.Frames[index] : null;

    /// <summary>True when the line on the blamed module names the same function.</summary>
    private static bool IsTold(Culprit? culprit, uint thread, StackFrame frame) =>
        culprit is { Callback: { } callback } && culprit.ThreadId == thread && frame.Function is { } function
            && callback.EndsWith(" " + function, StringComparison.Ordinal);
}
