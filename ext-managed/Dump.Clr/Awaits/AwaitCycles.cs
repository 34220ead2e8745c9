using Dump.Model.Facts;

namespace Dump.Clr.Awaits;

/// <summary>
/// Finds tasks that await each other. Only awaits count that nothing but the completion of what is awaited ends: of a method that stands at one, of
/// <c>Task.WhenAll</c> and of the task of <c>Task.Run</c>; no wait with a limit, and no completion source, of which nobody knows who sets it. One search,
/// without recursion, meets each task once.
/// </summary>
internal sealed class AwaitCycles
{
    private const int MostCycles = 100_000;
    private const byte InWork = 1;
    private const byte Done = 2;
    private readonly AsyncNodes _nodes;
    private readonly AwaitGraph _graph;
    private readonly Continuations _continuations;
    private readonly byte[] _state;
    private readonly int[] _leads;
    private readonly List<int[]> _cycles = [];
    private readonly List<(int Node, int Cursor, int End)> _open = [];

    /// <summary>Searches a graph.</summary>
    public AwaitCycles(AsyncNodes nodes, AwaitGraph graph, Continuations continuations)
    {
        (_nodes, _graph, _continuations) = (nodes, graph, continuations);
        _state = new byte[nodes.Count];
        _leads = new int[nodes.Count];
        for (int i = 0; i < nodes.Count; i++)
        {
            Search(i);
        }
    }

    /// <summary>The cycles, each as its tasks in the order of their awaits; no task is in two of them.</summary>
    public IReadOnlyList<int[]> Found => _cycles;

    /// <summary>Index of the cycle that a task is in or leads to by its awaits; -1 for none.</summary>
    public int LeadsTo(int node) => _leads[node] - 1;

    /// <summary>How well it is known that a task awaits another one.</summary>
    public Grade GradeOf(int awaiter, int awaited)
    {
        // A task without a state machine is known to await another one because that names it.
        bool keeps = !_nodes[awaiter].IsMethod || _nodes.Find(_nodes[awaiter].Awaited) == awaited;
        List<int> found = [];
        _continuations.Follow(_nodes[awaited].Continuation, found);
        return keeps && found.Contains(awaiter) ? Grade.Proven : Grade.Derived;
    }

    private void Search(int root)
    {
        Open(root);
        while (_open.Count > 0)
        {
            (int node, int cursor, int end) = _open[^1];
            if (cursor < end)
            {
                _open[^1] = (node, cursor + 1, end);
                Follow(node, Child(node, cursor));
            }
            else
            {
                _open.RemoveAt(_open.Count - 1);
                _state[node] = Done;
                Pass(node);
            }
        }
    }

    private void Open(int node)
    {
        if (_state[node] == 0)
        {
            _state[node] = InWork;
            (int start, int end) = Children(node);
            _open.Add((node, start, end));
        }
    }

    private void Follow(int node, int child)
    {
        if (_state[child] == InWork)
        {
            Close(child);
        }

        _leads[node] = _leads[node] == 0 ? _leads[child] : _leads[node];
        Open(child);
    }

    /// <summary>What is above a task on the way leads where the task does.</summary>
    private void Pass(int node)
    {
        if (_open.Count > 0 && _leads[_open[^1].Node] == 0)
        {
            _leads[_open[^1].Node] = _leads[node];
        }
    }

    /// <summary>The way from a task that is on it to its end is a cycle, unless part of it is one already.</summary>
    private void Close(int first)
    {
        int start = _open.FindLastIndex(o => o.Node == first);
        int[] cycle = [.. _open.Skip(start).Select(o => o.Node)];
        if (_cycles.Count < MostCycles && cycle.All(n => _leads[n] == 0))
        {
            _cycles.Add(cycle);
            foreach (int node in cycle)
            {
                _leads[node] = _cycles.Count;
            }
        }
    }

    // A method awaits one task at most; its only child is at place 0.
    private (int Start, int End) Children(int node) => _nodes[node] switch
    {
        { IsMethod: true, State: >= 0 } => _graph.Next(node) >= 0 ? (0, 1) : (0, 0),
        { IsMethod: false, Type.AwaitsAll: true } => _graph.AwaitedBy(node),
        _ => (0, 0),
    };

    private int Child(int node, int place) => _nodes[node].IsMethod ? _graph.Next(node) : _graph.Awaited(place);
}
