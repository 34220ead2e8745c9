using Dump.Model.Managed;
using Dump.Readers;

namespace Dump.Clr.Awaits;

/// <summary>
/// Which pending task awaits which: a method by its awaiter, other tasks (<c>Task.WhenAll</c>, <c>Task.Run</c>) by the continuations of those that they await.
/// </summary>
internal sealed class AwaitGraph
{
    /// <summary>In place of an index: the method awaits nothing that could be found.</summary>
    public const int Nothing = -1;

    /// <summary>In place of an index: what the method awaits has completed.</summary>
    public const int Completed = -2;

    /// <summary>In place of an index: what the method awaits is no task that is known.</summary>
    public const int Foreign = -3;

    private readonly AsyncNodes _nodes;
    private readonly int[] _next;
    private readonly bool[] _isAwaited;
    private readonly AsyncLoss[] _losses;
    private readonly (int Awaiter, int Awaited)[] _edges;

    /// <summary>Links them.</summary>
    public AwaitGraph(AsyncNodes nodes, Continuations continuations)
    {
        _nodes = nodes;
        _next = new int[nodes.Count];
        _isAwaited = new bool[nodes.Count];
        _losses = new AsyncLoss[nodes.Count];
        for (int i = 0; i < nodes.Count; i++)
        {
            _next[i] = nodes[i].IsMethod ? Awaited(nodes[i].Awaited, nodes, continuations) : Nothing;
        }

        _edges = Promises(nodes, continuations);
        for (int i = 0; i < nodes.Count; i++)
        {
            if (_next[i] >= 0)
            {
                _isAwaited[_next[i]] = true;

                // A machine that runs has told nobody yet.
                _losses[i] = nodes[i].State >= 0 && nodes[_next[i]].Continuation == 0 ? AsyncLoss.NotRegistered : AsyncLoss.None;
            }
        }
    }

    /// <summary>Index of the task that a method awaits, or one of the constants.</summary>
    public int Next(int node) => _next[node];

    /// <summary>True when a pending task awaits it.</summary>
    public bool IsAwaited(int node) => _isAwaited[node];

    /// <summary>True for the task of a completion source that a pending method awaits: it has no code, and awaits nothing.</summary>
    public bool IsOfSource(int node) =>
        _nodes[node] is { Awaited: 0, Type: { Kind: AsyncTypeKind.Task, IsPlain: true } } && IsAwaited(node) && AwaitedBy(node) is var (start, end)
        && start == end;

    /// <summary>Why nothing seems to continue a task; may be set by who finds out.</summary>
    public ref AsyncLoss Loss(int node) => ref _losses[node];

    /// <summary>The range of <see cref="Awaited(int)"/> with the tasks that a task without a state machine awaits.</summary>
    public (int Start, int End) AwaitedBy(int node)
    {
        int start = LowerBound(node), end = start;
        while (end < _edges.Length && _edges[end].Awaiter == node)
        {
            end++;
        }

        return (start, end);
    }

    /// <summary>The awaited task at a place of that range.</summary>
    public int Awaited(int place) => _edges[place].Awaited;

    private static int Awaited(ulong address, AsyncNodes nodes, Continuations continuations) =>
        address == 0 ? Nothing
        : nodes.Find(address) is >= 0 and var found ? found
        : continuations.IsCompleted(address) == true ? Completed
        : Foreign;

    private (int Awaiter, int Awaited)[] Promises(AsyncNodes nodes, Continuations continuations)
    {
        HashSet<(int Awaiter, int Awaited)> edges = [];
        List<int> found = [];
        for (int i = 0; i < nodes.Count; i++)
        {
            found.Clear();
            continuations.Follow(nodes[i].Continuation, found);
            foreach (int awaiter in found)
            {
                if (awaiter == i)
                {
                    continue;
                }

                if (!nodes[awaiter].IsMethod)
                {
                    edges.Add((awaiter, i));
                    _isAwaited[i] = true;
                }
                else if (_next[awaiter] == Nothing && nodes[awaiter].State >= 0)
                {
                    _next[awaiter] = i;
                }
            }
        }

        return [.. edges.Order()];
    }

    private int LowerBound(int awaiter) => SortedSearch.CountBelow<(int Awaiter, int Awaited)>(_edges, (ulong)awaiter, e => (ulong)e.Awaiter);
}
