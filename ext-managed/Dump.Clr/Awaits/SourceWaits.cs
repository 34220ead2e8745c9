using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Tasks of completion sources that many async methods await. One that awaits such a task by its own awaiter waits for nothing else; limits and tokens stand
/// between as tasks of their own (<c>Task.WaitAsync</c>, <c>Task.WhenAny</c>).
/// </summary>
internal sealed class SourceWaits(AsyncNodes nodes, AwaitGraph graph, Continuations continuations, ReferenceSearch references)
{
    /// <summary>Fewer are what any program has: callers of one connection that opens, listeners for the end of the program.</summary>
    public const int LeastWaiters = 10;

    private const int MostTasks = 8;

    /// <summary>All of them; those with most waiters come first, the first few.</summary>
    /// <param name="sources">Completion sources with their tasks.</param>
    public ImmutableArray<AwaitedTask> Of(IEnumerable<(ulong Source, ulong Task)> sources)
    {
        (int Task, int Waiters)[] found =
        [
            .. Waiters().Where(t => t.Value >= LeastWaiters && graph.IsOfSource(t.Key))
                .OrderByDescending(t => t.Value).ThenBy(t => nodes[t.Key].Address).Take(MostTasks).Select(t => (t.Key, t.Value)),
        ];
        if (found.Length == 0)
        {
            return [];
        }

        AwaitQueues queues = new(nodes, graph, continuations);
        ImmutableArray<bool?> ends = new SourceTriggers(continuations, references)
            .Of([.. found.Select(f => nodes[f.Task].Address)], sources.ToLookup(s => s.Task, s => s.Source));
        return [.. found.Select((f, i) => Look(queues, f.Task, f.Waiters) with { EndsByItself = ends[i] })];
    }

    private IEnumerable<KeyValuePair<int, int>> Waiters()
    {
        Dictionary<int, int> waiters = [];
        for (int i = 0; i < nodes.Count; i++)
        {
            if (nodes[i].IsMethod && nodes[i].State >= 0 && graph.Next(i) is >= 0 and var task && !nodes[task].IsMethod)
            {
                waiters[task] = waiters.GetValueOrDefault(task) + 1;
            }
        }

        return waiters;
    }

    private AwaitedTask Look(AwaitQueues queues, int task, int waiters)
    {
        HashSet<int> queue = [task];
        queues.Behind([task], queue);
        HashSet<AsyncType> stopped = queues.Stopped(queue);
        return new AwaitedTask(nodes[task].Address)
        {
            Waiters = waiters,
            Further = queues.Further(queue, stopped),
            Stopped = AwaitQueues.Names(stopped),
            Methods = queues.Methods(queue.Where(n => nodes[n].IsMethod && graph.Next(n) == task).Select(n => (int?)n)),
        };
    }
}
