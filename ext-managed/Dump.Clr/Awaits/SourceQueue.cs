using System.Runtime.InteropServices;

namespace Dump.Clr.Awaits;

/// <summary>
/// What stands behind tasks of completion sources: the methods that cannot go on before, which of the tasks their waiters may leave, and which nothing but
/// these waiters has.
/// </summary>
internal sealed class SourceQueue
{
    private readonly AsyncNodes _nodes;
    private readonly Continuations _continuations;
    private readonly AwaitEndings _endings;
    private readonly Dictionary<int, List<int>> _awaited = [];
    private readonly HashSet<int> _all;

    /// <summary>Finds them.</summary>
    /// <param name="tasks">The tasks.</param>
    /// <param name="nodes">All tasks.</param>
    /// <param name="queues">Follows their waiters.</param>
    /// <param name="continuations">Reads objects.</param>
    /// <param name="endings">What stands at the end of awaits.</param>
    public SourceQueue(IReadOnlyCollection<int> tasks, AsyncNodes nodes, AwaitQueues queues, Continuations continuations, AwaitEndings endings)
    {
        (_nodes, _continuations, _endings) = (nodes, continuations, endings);
        _all = [.. tasks];
        foreach (int node in queues.Behind([.. tasks], _all))
        {
            foreach (int awaiter in Awaiters(node).Where(_all.Contains))
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(_awaited, awaiter, out _) ??= []).Add(node);
            }
        }
    }

    /// <summary>The tasks and all that cannot go on before.</summary>
    public HashSet<int> All => _all;

    /// <summary>Those of them that somebody waits for who goes on without as well: with a limit, or for the first of several; or who is on its way.</summary>
    public HashSet<int> Left() => Passed(
        node => Awaiters(node).Any(a => !_all.Contains(a) && (_nodes[a].IsMethod || _endings.Of(a, _all) is not null)));

    /// <summary>Those of them that something else has than they themselves, or that are awaited by such ones.</summary>
    /// <param name="isHad">True for a task that something else has.</param>
    public HashSet<int> Had(Func<int, bool> isHad) => Passed(isHad);

    /// <summary>What holds of a task holds of all that it waits for.</summary>
    private HashSet<int> Passed(Func<int, bool> holds)
    {
        HashSet<int> found = [];
        Stack<int> open = new(_all.Where(holds));
        while (open.TryPop(out int node))
        {
            if (found.Add(node) && _awaited.TryGetValue(node, out List<int>? further))
            {
                further.ForEach(open.Push);
            }
        }

        return found;
    }

    private List<int> Awaiters(int node)
    {
        List<int> found = [];
        _continuations.Follow(_nodes[node].Continuation, found);
        return found;
    }
}
