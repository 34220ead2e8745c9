using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Text;

namespace Dump.Clr.Awaits;

/// <summary>Which object a chain ends at: a semaphore where its last task waits for one, else what the last method awaits, or the last task.</summary>
internal sealed class AwaitEnds
{
    private const byte Unknown = 0;
    private const byte OnPath = 1;
    private const byte Known = 2;
    private readonly AsyncNodes _nodes;
    private readonly AwaitGraph _graph;
    private readonly Dictionary<int, ulong> _semaphores = [];
    private readonly Dictionary<ulong, (int Count, int Waiters)> _states = [];

    // Each end is found once: chains are as long as a heap makes them, and each of their tasks may be asked for.
    private readonly ulong[] _ends;
    private readonly byte[] _state;
    private readonly List<int> _path = [];
    private readonly Continuations _continuations;

    /// <summary>Follows the waiters of all semaphores, which are chained.</summary>
    public AwaitEnds(AsyncNodes nodes, AwaitGraph graph, Continuations continuations, IEnumerable<WaitedSemaphore> semaphores)
    {
        (_nodes, _graph, _continuations) = (nodes, graph, continuations);
        (_ends, _state) = (new ulong[nodes.Count], new byte[nodes.Count]);
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
    public ulong Of(int root) => Raw(root) is var end && _nodes.Find(end) is >= 0 and var wait && _semaphores.TryGetValue(wait, out ulong semaphore) ? semaphore : end;

    /// <summary>A call with what it waits for itself, by which it is known again: a method that loops waits for the same semaphore anew.</summary>
    public PendingCall WaitOf(int call) => Raw(call) is var end && end == 0 ? new PendingCall(_nodes[call].Address, 0)
        : new PendingCall(_nodes[call].Address, end) { Use = _continuations.UseOf(end) };

    private ulong Raw(int root)
    {
        _path.Clear();
        ulong end = 0;
        for (int node = root; node >= 0;)
        {
            if (_state[node] != Unknown)
            {
                // A task of the path itself is not known yet, and its end is that of a circle.
                end = _state[node] == Known ? _ends[node] : 0;
                break;
            }

            _state[node] = OnPath;
            _path.Add(node);
            (node, end) = Step(node);
        }

        foreach (int node in _path)
        {
            (_ends[node], _state[node]) = (end, Known);
        }

        return end;
    }

    /// <summary>The task that a task awaits; -1 where the chain ends, with the object that it ends at.</summary>
    private (int Next, ulong End) Step(int node)
    {
        if (_nodes[node].IsMethod)
        {
            int next = _graph.Next(node);
            return next >= 0 ? (next, 0) : (-1, next == AwaitGraph.Nothing ? 0 : _nodes[node].Awaited);
        }

        (int start, int end) = _graph.AwaitedBy(node);
        return (end - start) switch
        {
            0 => (-1, _nodes[node].Address),
            1 => (_graph.Awaited(start), 0),
            _ => (-1, 0),
        };
    }

    /// <summary>State of a semaphore in words, null for another object.</summary>
    public string? StateOf(ulong end) => _states.TryGetValue(end, out (int Count, int Waiters) state)
        ? string.Create(CultureInfo.InvariantCulture, $"count {state.Count}, {CountText.Grouped(state.Waiters, "waiter")}")
        : null;
}
