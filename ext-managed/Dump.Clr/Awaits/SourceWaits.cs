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

/// <summary>
/// Looks for timers and registrations with cancellation tokens that lead to a completion source: as the state that they hand over, or by a delegate whose
/// target is the source, an object that has it, or one (a closure) that has such an object (dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/Timer.cs, CancellationTokenSource.cs; the same from .NET Core 3.1 to .NET 10). What is left of
/// dead ones counts too.
/// </summary>
internal sealed class SourceTriggers(Continuations continuations, ReferenceSearch references)
{
    private const string Timer = "TimerQueueTimer";
    private const string Registration = "CancellationTokenSource+CallbackNode";

    /// <summary>To objects that have the source or each other, to delegates of these, and to who has those.</summary>
    private const int Rounds = Objects + 2;

    private const int Objects = 2;

    /// <summary>Of all tasks together, of which there are a few.</summary>
    private const int MostObjects = 32_768;

    /// <summary>For each task: true when there is one, false when there is none, null when that was not to be found out.</summary>
    /// <param name="tasks">The tasks, 32 at most: they are looked for together, for every round reads the whole heap.</param>
    /// <param name="sources">Completion sources by their task.</param>
    public ImmutableArray<bool?> Of(IReadOnlyList<ulong> tasks, ILookup<ulong, ulong> sources)
    {
        // A bit for each task that an object leads to.
        Dictionary<ulong, uint> leads = [];
        for (int i = 0; i < tasks.Count; i++)
        {
            foreach (ulong address in sources[tasks[i]].Prepend(tasks[i]))
            {
                leads[address] = leads.GetValueOrDefault(address) | 1u << i;
            }
        }

        uint triggered = 0;
        HashSet<ulong> open = [.. leads.Keys];
        for (int round = 0; round < Rounds && open.Count > 0; round++)
        {
            if (leads.Count > MostObjects || references.Find(open) is not { } found)
            {
                return Answers(whatElse: null);
            }

            open = [];
            foreach ((ulong owner, _, ulong target) in found)
            {
                uint before = leads.GetValueOrDefault(owner), now = before | leads[target];
                if (now == before)
                {
                    continue;
                }

                leads[owner] = now;
                switch (continuations.TypeAt(owner))
                {
                    case { Kind: AsyncTypeKind.Other, IsOfThreading: true, Name: Timer or Registration }:
                        triggered |= now;
                        break;
                    case { Kind: AsyncTypeKind.Callback }:
                    case { Kind: AsyncTypeKind.Other or AsyncTypeKind.CompletionSource } when round < Objects:
                        open.Add(owner);
                        break;
                }
            }
        }

        return Answers(whatElse: false);

        ImmutableArray<bool?> Answers(bool? whatElse) => [.. tasks.Select((_, i) => (triggered >> i & 1) != 0 ? true : whatElse)];
    }
}
