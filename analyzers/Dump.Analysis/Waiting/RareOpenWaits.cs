using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>Waits that are rare enough to be worth a line on any thread.</summary>
internal sealed class RareOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Context.Graph.Waits.Where(w => IsRare(w.Resource)).Concat(scope.Context.Graph.Waits.Where(IsForChild).Take(OpenWaits.MostThreads))
            .Select(w => scope.Context.Thread(w.ThreadId)).OfType<ThreadSnapshot>()
            .Select(t => OpenWaits.Of(scope.Context, OpenWaitKind.Rare, t, null)).OfType<OpenWait>();

    /// <summary>True for what no idle program waits for.</summary>
    internal static bool IsRare(Resource? resource) =>
        resource?.Kind is ResourceKind.GraphicsProcessor or ResourceKind.PoolCallbacks or ResourceKind.WindowHook;

    /// <summary>A launcher is healthy, but its child may be what hangs.</summary>
    private static bool IsForChild(WaitFact wait) => wait is { Resource.Kind: ResourceKind.ChildProcess, Timeout: not WaitTimeout.Finite };
}
