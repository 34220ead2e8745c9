using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>Whether pending tasks go on by themselves: by what stands at the end of their awaits.</summary>
internal sealed class AwaitEndings(AsyncNodes nodes, AwaitGraph graph, Continuations continuations)
{
    /// <summary>In place of what is awaited: the task's own code runs, or can run.</summary>
    public const string Running = "running";

    private const int MostSteps = 64;
    private readonly List<int> _chain = [];

    /// <summary>
    /// What ends the wait of a task, in words: what comes from outside, time, or that it runs or can run. Null where it awaits a semaphore, a delay without an
    /// end, or completion sources.
    /// </summary>
    /// <param name="root">The task.</param>
    /// <param name="without">Tasks that do not count.</param>
    /// <param name="sources">Receives the tasks of completion sources that it awaits instead.</param>
    public string? Of(int root, IReadOnlySet<int> without, ICollection<int>? sources = null)
    {
        _chain.Clear();
        _chain.Add(root);
        for (int at = 0; at < _chain.Count && at < MostSteps; at++)
        {
            if (End(_chain[at], without, sources) is { } end)
            {
                return end;
            }
        }

        return null;
    }

    /// <summary>What must happen for a task to go on; other code of the process, where nothing else is known.</summary>
    public AwaitEndKind KindOf(int root) => Of(root, ImmutableHashSet<int>.Empty) switch
    {
        null => AwaitEndKind.OtherCode,
        Running => AwaitEndKind.Running,
        var words => AwaitedOperations.KindOf(words),
    };

    private string? End(int node, IReadOnlySet<int> without, ICollection<int>? sources)
    {
        ref readonly AsyncNode task = ref nodes[node];
        if (task.IsMethod)
        {
            int next = graph.Next(node);
            Add(next, without);
            return next >= 0 ? null
                : next == AwaitGraph.Foreign ? continuations.TypeAt(task.Awaited)?.Name ?? "an object that could not be read"
                : Running;
        }

        (int start, int end) = graph.AwaitedBy(node);
        for (int place = start; place < end && _chain.Count < MostSteps; place++)
        {
            Add(graph.Awaited(place), without);
        }

        return task.Type.Name switch
        {
            AwaitedOperations.Delay => continuations.Reference(task.Address, task.Type.Handle) != 0 ? AwaitedOperations.Delay : null,
            AwaitedOperations.SemaphoreWait => null,
            AwaitedOperations.WaitAsync => AwaitedOperations.WaitAsync,
            _ when start < end => null,
            _ when task.Awaited != 0 => Running,
            _ when !task.Type.IsPlain => task.Type.Name,
            _ => AddSource(node, sources),
        };
    }

    private static string? AddSource(int node, ICollection<int>? sources)
    {
        sources?.Add(node);
        return null;
    }

    private void Add(int node, IReadOnlySet<int> without)
    {
        if (node >= 0 && !without.Contains(node) && !_chain.Contains(node))
        {
            _chain.Add(node);
        }
    }
}
