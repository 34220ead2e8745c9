using Dump.Analysis.Detection;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Threads that wait without a known limit below code of the program's own, one for those that stand at the same place: where nothing is judged they are
/// what there is to look at, and leave nothing undecided by themselves.
/// </summary>
internal sealed class OwnCodeOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return !scope.Verdicts.IsEmpty ? []
            : context.Snapshot.Threads.Where(t => t.ManagedId is not null && context.Graph.From(t.Id).IsEmpty).OrderBy(t => t.Id)
                .Select(t => OpenWaits.Of(context, OpenWaitKind.OwnCode, t, null)).OfType<OpenWait>()
                .Where(w => w is { OwnIndex: not null, Timeout: not WaitTimeout.Finite })
                .GroupBy(w => (NativeOpenWaits.Place(context.Thread(w.ThreadId!.Value)!, w.OwnIndex), w.Resource?.Kind))
                .Select(g => g.First() with { Others = [.. g.Skip(1).Select(w => w.ThreadId!.Value)] }).Take(OpenWaits.MostThreads);
    }
}
