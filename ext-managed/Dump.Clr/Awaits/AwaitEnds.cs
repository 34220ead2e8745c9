using System.Globalization;
using Dump.Model.Text;

namespace Dump.Clr.Awaits;

/// <summary>Which object a chain ends at: a semaphore where its last task waits for one, else what the last method awaits, or the last task.</summary>
internal sealed class AwaitEnds
{
    private readonly AsyncNodes _nodes;
    private readonly AwaitGraph _graph;
    private readonly Dictionary<int, ulong> _semaphores = [];
    private readonly Dictionary<ulong, (int Count, int Waiters)> _states = [];

    /// <summary>Follows the waiters of all semaphores, which are chained.</summary>
    public AwaitEnds(AsyncNodes nodes, AwaitGraph graph, Continuations continuations, IEnumerable<WaitedSemaphore> semaphores)
    {
        (_nodes, _graph) = (nodes, graph);
        foreach (WaitedSemaphore semaphore in semaphores)
        {
            // One waiter belongs to one semaphore, so that all lists together are no longer than there are tasks.
            int waiters = 0;
            for (ulong at = semaphore.First; nodes.Find(at) is >= 0 and var waiter && _semaphores.TryAdd(waiter, semaphore.Address); waiters++)
            {
                at = continuations.Reference(at, nodes[waiter].Type.Link);
            }

            _states[semaphore.Address] = (semaphore.Count, waiters);
        }
    }

    /// <summary>Address of the object; 0 where the chain branches or leads back into itself.</summary>
    public ulong Of(int root)
    {
        int node = root;
        for (int steps = 0; steps < _nodes.Count; steps++)
        {
            int next;
            if (_nodes[node].IsMethod)
            {
                next = _graph.Next(node);
                if (next < 0)
                {
                    return next == AwaitGraph.Nothing ? 0 : _nodes[node].Awaited;
                }
            }
            else
            {
                (int start, int end) = _graph.AwaitedBy(node);
                if (start == end)
                {
                    return _semaphores.TryGetValue(node, out ulong semaphore) ? semaphore : _nodes[node].Address;
                }

                if (end - start > 1)
                {
                    return 0;
                }

                next = _graph.Awaited(start);
            }

            node = next;
        }

        return 0;
    }

    /// <summary>State of a semaphore in words, null for another object.</summary>
    public string? StateOf(ulong end) => _states.TryGetValue(end, out (int Count, int Waiters) state)
        ? string.Create(CultureInfo.InvariantCulture, $"count {state.Count}, {CountText.Grouped(state.Waiters, "waiter")}")
        : null;
}
