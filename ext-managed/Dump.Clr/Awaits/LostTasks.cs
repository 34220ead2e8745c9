using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Looks for pending methods that nothing continues, and for tasks of completion sources that nobody completes. Both are told by what refers to them; a
/// reference that is not understood speaks for the task, so that rather too few are found.
/// </summary>
internal sealed class LostTasks(AsyncNodes nodes, AwaitGraph graph, Continuations continuations, ReferenceSearch references)
{
    private const int MostCandidates = 100_000;
    private const int MostRounds = 4;

    /// <summary>What stands for a candidate: whoever refers to it may continue or complete the candidate.</summary>
    private readonly Dictionary<ulong, int> _standsFor = [];
    private readonly HashSet<int> _alive = [];
    private HashSet<ulong> _queues = [];

    /// <summary>Marks them in the graph.</summary>
    /// <param name="sources">Completion sources with their tasks.</param>
    /// <param name="queues">Arrays of the queues of the thread pool's workers.</param>
    /// <param name="roots">References from outside of the heap: words of stacks and handles.</param>
    /// <returns>False when there is too much to look at: then none is marked.</returns>
    public bool Mark(IEnumerable<(ulong Source, ulong Task)> sources, IEnumerable<ulong> queues, Func<IEnumerable<ulong>> roots)
    {
        int[] candidates = [.. Enumerable.Range(0, nodes.Count).Where(i => IsStopped(i) || graph.IsOfSource(i)).Take(MostCandidates + 1)];
        if (candidates.Length is 0 or > MostCandidates)
        {
            return candidates.Length == 0;
        }

        foreach (int candidate in candidates)
        {
            _standsFor[nodes[candidate].Address] = candidate;
        }

        foreach ((ulong source, ulong task) in sources)
        {
            if (_standsFor.TryGetValue(task, out int candidate))
            {
                _standsFor.TryAdd(source, candidate);
            }
        }

        _queues = [.. queues];
        if (!Follow(roots))
        {
            return false;
        }

        foreach (int candidate in candidates.Where(c => !_alive.Contains(c)))
        {
            graph.Loss(candidate) = IsStopped(candidate) ? AsyncLoss.NotContinued : AsyncLoss.NobodyCompletes;
        }

        return true;
    }

    /// <summary>A method whose awaited task has completed.</summary>
    private bool IsStopped(int node) => nodes[node].IsMethod && nodes[node].State >= 0 && graph.Next(node) == AwaitGraph.Completed;

    private bool Follow(Func<IEnumerable<ulong>> roots)
    {
        HashSet<ulong> open = [.. _standsFor.Keys];
        ulong[] outside = [.. roots().Where(_standsFor.ContainsKey)];
        for (int round = 0; open.Count > 0; round++)
        {
            if (round == MostRounds || references.Find(open) is not { } found)
            {
                return false;
            }

            open = [];
            foreach ((ulong owner, int offset, ulong target) in found)
            {
                int candidate = _standsFor[target];
                if (_alive.Contains(candidate) || owner == nodes[candidate].Address)
                {
                    continue;
                }

                switch (Judge(owner, offset, target, candidate))
                {
                    case Meaning.Lives:
                        _alive.Add(candidate);
                        break;
                    case Meaning.StandsFor when _standsFor.TryAdd(owner, candidate):
                        open.Add(owner);
                        break;
                }
            }

            // Delegates that were found meanwhile may be on a stack as well.
            outside = [.. outside, .. open.Count == 0 ? [] : roots().Where(open.Contains)];
        }

        _alive.UnionWith(outside.Select(o => _standsFor[o]));
        return true;
    }

    private Meaning Judge(ulong owner, int offset, ulong target, int candidate)
    {
        AsyncType? type = continuations.TypeAt(owner);
        bool isTask = target == nodes[candidate].Address;
        return !nodes[candidate].IsMethod ? OfSource(type, owner, target, candidate, isTask)
            : type is { Kind: AsyncTypeKind.Callback or AsyncTypeKind.Continuation } && type.Callback == offset ? Meaning.StandsFor
            : isTask ? OfMethod(type, owner)
            : type is { Kind: AsyncTypeKind.Machine } || (type is { Kind: AsyncTypeKind.Task or AsyncTypeKind.Method } && nodes.Find(owner) < 0)
                ? Meaning.Nothing
            : Meaning.Lives;
    }

    /// <summary>Only the runtime continues a method by its task: from its queues. Programs can only hold it.</summary>
    private Meaning OfMethod(AsyncType? type, ulong owner) =>
        type is null || _queues.Contains(owner) || (type.Kind == AsyncTypeKind.Other && type.IsOfThreading && !IsTaskArray(type))
            ? Meaning.Lives
            : Meaning.Nothing;

    private Meaning OfSource(AsyncType? type, ulong owner, ulong target, int candidate, bool isTask) => type switch
    {
        null => Meaning.Lives,
        { Kind: AsyncTypeKind.CompletionSource } when isTask => _standsFor.ContainsKey(owner) ? Meaning.Nothing : Meaning.Lives,
        { Kind: AsyncTypeKind.Method or AsyncTypeKind.Machine or AsyncTypeKind.Task } when isTask => Meaning.Nothing,
        { Kind: AsyncTypeKind.Other } when isTask && IsTaskArray(type) => Meaning.Nothing,

        // The source as a local of the very method that awaits its task.
        { Kind: AsyncTypeKind.Method } when nodes.Find(owner) is >= 0 and var method && graph.Next(method) == candidate => Meaning.Nothing,
        { Kind: AsyncTypeKind.Machine } when continuations.AwaitedByMachine(owner, type) == nodes[candidate].Address => Meaning.Nothing,
        _ => Meaning.Lives,
    };

    private static bool IsTaskArray(AsyncType type) =>
        type.Name.StartsWith("Task", StringComparison.Ordinal) && type.Name.EndsWith("[]", StringComparison.Ordinal);

    private enum Meaning
    {
        /// <summary>The reference continues and completes nothing.</summary>
        Nothing,

        /// <summary>Whoever has it may continue or complete the candidate.</summary>
        Lives,

        /// <summary>Whoever refers to its owner may.</summary>
        StandsFor,
    }
}
