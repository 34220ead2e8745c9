using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// The thread to look at first. It leaves the answer open in waits in which no idle program stands: locks of a program's own wait by address, and whether the
/// graphics processor, a hook or a callback still works is not in the dump.
/// </summary>
internal sealed class FirstThreadOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Focus is { } focus && scope.Context.Thread(focus.ThreadId) is { } thread
            && OpenWaits.Of(scope.Context, OpenWaitKind.FirstThread, thread, focus.Role) is { } wait
            ? [wait with { LeavesUndecided = OpenWaits.MayLast(wait) && (wait.Resource?.Kind == ResourceKind.Address || RareOpenWaits.IsRare(wait.Resource)) }]
            : [];
}
