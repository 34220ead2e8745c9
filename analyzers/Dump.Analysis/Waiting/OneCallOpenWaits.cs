using Dump.Analysis.Detection;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Where a call that one thread waits for in another one's task is all that is seen of a program: its other threads in waits without an end, of which one
/// is to blame.
/// </summary>
internal sealed class OneCallOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return context.Graph.Edges.Any(e => OwnerOpenWaits.IsOfLiving(e) && e.Resource.Facts.Class == WaitClass.Task && context.Graph.From(e.Holder).IsEmpty
            && ProgramAtWork.IsOneCall(context, e.Holder) && !ProgramAtWork.IsSeen(context, e.Holder))
            ? context.Snapshot.Threads.Where(t => t.ManagedId is not null && context.Graph.From(t.Id).IsEmpty && context.Graph.To(t.Id).IsEmpty
                    && context.Graph.WaitsOf(t.Id) is { IsEmpty: false } waits && waits.All(w => w.LastsForObject))
                .Select(t => OpenWaits.Of(context, OpenWaitKind.BesideOneCall, t, null)).OfType<OpenWait>().Where(w => w.OwnIndex is not null).Take(OpenWaits.MostThreads)
            : [];
    }
}
