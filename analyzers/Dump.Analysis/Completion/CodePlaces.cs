using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
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
            .Select(id => (Id: id, Frame: context.ToRead(id)))
            .Where(t => t.Frame is not null && !IsTold(verdict.Culprit, t.Id, t.Frame))
            .Take(Most)
            .Select(t => Awaited(context, t.Id) ?? Of(t.Id, t.Frame!)),
    ];

    private static CodePlace Of(uint thread, StackFrame frame)
    {
        (string code, SourceLocation? source) = FrameWords.Own(frame);
        return new CodePlace(thread, code) { Source = source };
    }

    /// <summary>
    /// Where an asynchronous <c>Main</c> is: its thread only waits for its task, and the innermost await of the program's own methods behind that is the code.
    /// </summary>
    private static CodePlace? Awaited(AnalysisContext context, uint id) =>
        context.Thread(id) is { } thread && EntryMethod.IsInItself(context, thread) && context.Snapshot.TaskWaits.FirstOrDefault(w => w.ThreadId == id) is { } wait
            && wait.Steps.LastOrDefault(s => context.Snapshot.ModuleOf(s.Place?.Code) is { } module && context.Application.IsOfProject(module)) is { } step
            ? new CodePlace(id, FrameWords.Place(context.Snapshot.ModuleOf(step.Place?.Code), step.Description, null)) { Source = step.Source } : null;

    /// <summary>True when the line on the blamed module names the same function.</summary>
    private static bool IsTold(Culprit? culprit, uint thread, StackFrame frame) =>
        culprit is { Callback: { } callback } && culprit.ThreadId == thread && frame.Function is { } function
            && callback.EndsWith(" " + function, StringComparison.Ordinal);
}
