using Dump.Analysis.Detection;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// The thread to look at first. It leaves the answer open in waits in which no idle program stands: locks of a program's own wait by address, and whether the
/// graphics processor, a hook or a callback still works is not in the dump, nor who holds a mutex or the lock of a file that other processes take too.
/// </summary>
internal sealed class FirstThreadOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Focus is { } focus && scope.Context.Thread(focus.ThreadId) is { } thread
            && OpenWaits.Of(scope.Context, OpenWaitKind.FirstThread, thread, focus.Role) is { } wait
            ? [wait with
            {
                LeavesUndecided = OpenWaits.MayLast(wait) && (wait.Resource?.Kind is ResourceKind.Address or ResourceKind.FileLock
                    || wait is { Resource: null, SystemCall: "flock" } || RareOpenWaits.IsRare(wait.Resource)
                    || IsOfUnknownHolder(scope.Context, wait)),
            }]
            : [];

    /// <summary>Dumps of Windows record who holds a mutex; a named one of .NET is a mutex of the C library in memory that processes share.</summary>
    private static bool IsOfUnknownHolder(AnalysisContext context, OpenWait wait) =>
        wait is { Resource.Kind: ResourceKind.Mutex or ResourceKind.PthreadMutex, ThreadId: { } thread } && context.Thread(thread)?.ManagedId is not null
        && context.Snapshot.System.Family == OperatingSystemFamily.Linux && context.Graph.From(thread).All(e => e.Holder == 0);
}
