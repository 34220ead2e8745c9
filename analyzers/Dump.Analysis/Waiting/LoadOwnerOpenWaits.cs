using Dump.Model.Verdicts;

namespace Dump.Analysis.Waiting;

/// <summary>The thread that loads, starts or ends modules: others that need the loader wait as long as it does.</summary>
internal sealed class LoadOwnerOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Context.Snapshot.Threads.Where(t => t is { IsLoadOwner: true, HasExited: false })
            .Select(t => OpenWaits.Of(scope.Context, OpenWaitKind.LoadOwner, t, "is the load owner (it loads, starts or ends modules)")).OfType<OpenWait>()
            .Select(w => w with { LeavesUndecided = OpenWaits.MayLast(w) });
}
