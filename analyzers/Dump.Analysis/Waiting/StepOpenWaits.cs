using Dump.Analysis.Detection;
using Dump.Analysis.Names;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Threads in the middle of their work that wait for a step of other threads of the program: at a barrier, for the signals of a countdown, for room in a bounded
/// collection. No idle program stands there. One look does not show whether the others come; a second one shows whether any has.
/// </summary>
internal sealed class StepOpenWaits : IOpenWaitRule
{
    // Where the runtimes 8 to 11 have them.
    private static readonly (string Module, string Function)[] s_functions =
    [
        ("system.threading", "System.Threading.Barrier.SignalAndWait"),
        ("system.threading", "System.Threading.CountdownEvent.Wait"),
        ("system.private.corelib", "System.Threading.CountdownEvent.Wait"),
        ("system.collections.concurrent", "System.Collections.Concurrent.BlockingCollection.Add"),
        ("system.collections.concurrent", "System.Collections.Concurrent.BlockingCollection.TryAdd"),
    ];

    /// <summary>True where a living process is worth a second look because of them.</summary>
    public static bool AskForAnotherLook(AnalysisContext context) => context.Earlier.IsEmpty && context.Snapshot.Threads.Any(t => Stands(context, t));

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return !scope.Verdicts.IsEmpty ? []
            : context.Snapshot.Threads.Where(t => Stands(context, t)).OrderBy(t => t.Id)
                .Select(t => OpenWaits.Of(context, OpenWaitKind.Step, t, null)).OfType<OpenWait>().Where(w => w.OwnIndex is not null)
                .GroupBy(w => (NativeOpenWaits.Place(context.Thread(w.ThreadId!.Value)!, w.OwnIndex), w.Resource))
                .Select(g => g.First() with
                {
                    Others = [.. g.Skip(1).Select(w => w.ThreadId!.Value)],
                    LeavesUndecided = !g.Any(w => HasMoved(context, w.ThreadId!.Value)),
                })
                .Take(OpenWaits.MostThreads);
    }

    /// <summary>True for a thread that stood elsewhere in the look before, or has worked since: the step that it waited for then has come.</summary>
    private static bool HasMoved(AnalysisContext context, uint thread) => !context.Earlier.IsEmpty && context.Earlier[^1] is var last
        && (!last.StandsAtTheSamePlace(thread, context.Graph) || last.Pair.HasMoved(thread, context.Options.StandstillTime) == true);

    private static bool Stands(AnalysisContext context, ThreadSnapshot thread) =>
        thread is { ManagedId: not null, HasExited: false } && context.Graph.From(thread.Id).IsEmpty
            && context.Graph.FirstWaitOf(thread.Id) is { Timeout: not WaitTimeout.Finite, IsSatisfied: false }
            && IsIn(context, thread);

    /// <summary>True for a thread that stands in one of these functions on behalf of the program.</summary>
    internal static bool IsIn(AnalysisContext context, ThreadSnapshot thread) =>
        thread.Stack.Frames.Take(context.Application.Innermost(thread.Stack.Frames) ?? 0).Any(IsStep);

    private static bool IsStep(StackFrame frame) =>
        frame is { Symbol: SymbolSource.Metadata, Function: { } function }
            && s_functions.Any(f => f.Module == frame.ModuleStem && f.Function == FunctionNames.Normal(function));
}
