using System.Collections.Immutable;
using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Clr.Awaits;

/// <summary>
/// Who waits for semaphores that cannot be entered. The waits of async methods are tasks in a list; one with a time limit or a cancellation token is awaited by
/// a method of the semaphore's own or by the promise of <c>Task.WaitAsync</c>, one without by the program itself (dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/SemaphoreSlim.cs, the same from .NET Core 3.1 to .NET 10).
/// </summary>
internal sealed class SemaphoreWaits
{
    private const string OwnType = "System.Threading.SemaphoreSlim.";
    private const int MostSemaphores = 1_000;
    private const int MostThreads = 1_000;
    private readonly AsyncNodes _nodes;
    private readonly Continuations _continuations;
    private readonly AwaitQueues _queues;
    private readonly ILookup<ulong, WaitFact> _blocked;
    private readonly HashSet<int> _seen = [];

    /// <summary>Prepares the look.</summary>
    /// <param name="nodes">The tasks.</param>
    /// <param name="graph">Who awaits whom.</param>
    /// <param name="continuations">Follows them to those that wait.</param>
    /// <param name="waits">What threads wait for.</param>
    public SemaphoreWaits(AsyncNodes nodes, AwaitGraph graph, Continuations continuations, IEnumerable<WaitFact> waits)
    {
        (_nodes, _continuations, _queues) = (nodes, continuations, new AwaitQueues(nodes, graph, continuations));
        _blocked = waits.Where(w => w.Resource.Kind is ResourceKind.ManagedTask or ResourceKind.ManagedSignal).ToLookup(w => w.Resource.Identity);
    }

    /// <summary>Those of count 0, with the tasks and threads that cannot go on before somebody releases them; those with most waiters come first.</summary>
    public ImmutableArray<(AwaitedSemaphore Semaphore, SemaphoreQueue Queue)> Of(IEnumerable<WaitedSemaphore> semaphores) =>
    [
        .. semaphores.Where(s => s.Count == 0).OrderBy(s => s.Address).Select(Look).Where(s => s.Semaphore.Waiters + s.Semaphore.Blocked > 0)
            .OrderByDescending(s => s.Semaphore.Waiters + s.Semaphore.Blocked).ThenBy(s => s.Semaphore.Address).Take(MostSemaphores),
    ];

    private (AwaitedSemaphore Semaphore, SemaphoreQueue Queue) Look(WaitedSemaphore semaphore)
    {
        List<int> waits = Waits(semaphore.First);
        HashSet<int> queue = [.. waits];
        WaitFact[] inside = [.. _blocked[semaphore.Address]];
        WaitFact[] behind = [.. _queues.Behind(waits, queue).SelectMany(n => _blocked[_nodes[n].Address])];
        WaitFact[] threads = [.. inside, .. behind];
        int unlimited = waits.Count(IsUnlimited);
        HashSet<AsyncType> stopped = _queues.Stopped(queue);
        AwaitedSemaphore fact = new(semaphore.Address)
        {
            Waiters = waits.Count,
            Unlimited = unlimited,
            Requests = queue.Count(n => _nodes[n].IsMethod && _nodes[n].Type.Name == MethodOrigins.Request),
            Blocked = Math.Max(0, semaphore.Blocked),
            Further = waits.Count == 0 ? 0 : _queues.Further(queue, stopped),
            Stopped = AwaitQueues.Names(stopped),
            Methods = _queues.Methods(waits.Select(_queues.Awaiter)),
            Threads = [.. threads.Select(w => w.ThreadId).Distinct().Order().Take(MostThreads)],
        };
        bool neverEnds = unlimited == waits.Count && !semaphore.HasHandle && semaphore.Blocked == inside.Length
            && threads.All(w => w.Timeout == WaitTimeout.Infinite);
        return (fact, new SemaphoreQueue(queue, threads.Select(w => w.ThreadId).ToHashSet(), neverEnds));
    }

    /// <summary>The waits in a semaphore's list. One wait belongs to one semaphore, so that all lists together are no longer than there are tasks.</summary>
    private List<int> Waits(ulong first)
    {
        List<int> waits = [];
        for (ulong at = first; _nodes.Find(at) is >= 0 and var wait && _seen.Add(wait);)
        {
            waits.Add(wait);
            at = _continuations.Reference(at, _nodes[wait].Type.Link);
        }

        return waits;
    }

    private bool IsUnlimited(int wait) =>
        _queues.Awaiter(wait) is { } awaiter
            ? _nodes[awaiter].IsMethod && !_nodes[awaiter].Type.Name.StartsWith(OwnType, StringComparison.Ordinal)
            : _blocked[_nodes[wait].Address].Any(w => w.Timeout == WaitTimeout.Infinite);
}
