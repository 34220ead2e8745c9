namespace Dump.Clr.Awaits;

/// <summary>Tasks of completion sources that calls of one method await, while it is found out who may complete them.</summary>
internal sealed class SourceGroup(
    string name, int[] tasks, AsyncNodes nodes, AwaitQueues queues, Continuations continuations, AwaitEndings endings)
{
    private readonly Lazy<SourceQueue> _queue = new(() => new SourceQueue(tasks, nodes, queues, continuations, endings));

    /// <summary>The method.</summary>
    public string Name => name;

    /// <summary>The tasks.</summary>
    public int[] Tasks => tasks;

    /// <summary>What stands behind them.</summary>
    public SourceQueue Queue => _queue.Value;

    /// <summary>Those of the tasks that nothing is known to complete so far.</summary>
    public HashSet<int> Open { get; private set; } = [.. tasks];

    /// <summary>How many nothing has but those who wait.</summary>
    public int Abandoned { get; private set; }

    /// <summary>True once the open ones are known.</summary>
    public bool IsKnown { get; set; }

    /// <summary>What leads to the sources, in words, with the number of tasks.</summary>
    public Dictionary<string, int> Leads { get; } = [];

    /// <summary>Threads that lead to all open ones but a few.</summary>
    public List<uint> Threads { get; } = [];

    /// <summary>Takes those out that their waiters may leave, and that nothing else has.</summary>
    /// <param name="had">Tasks that something else has.</param>
    public void Leave(IReadOnlySet<int> had)
    {
        HashSet<int> left = Queue.Left(), kept = Queue.Had(had.Contains);
        Abandoned = tasks.Count(t => !kept.Contains(t));
        Open = [.. tasks.Where(t => kept.Contains(t) && !left.Contains(t))];
    }

    /// <summary>Takes those out that something leads to.</summary>
    /// <param name="leads">What was found.</param>
    /// <param name="sources">Completion sources by their task.</param>
    public void Lead(SourceLeads leads, ILookup<ulong, ulong> sources)
    {
        foreach (IGrouping<string, ulong> end in leads.Ends.GroupBy(e => e.End, e => e.Object))
        {
            HashSet<ulong> reached = [];
            foreach (ulong from in end)
            {
                leads.Reach(from, reached);
            }

            int count = tasks.Count(t => IsReached(t, reached, sources));
            if (count > 0)
            {
                Leads[end.Key] = count;
                Open.RemoveWhere(t => IsReached(t, reached, sources));
            }
        }
    }

    /// <summary>True when a task, or its source, was reached.</summary>
    public bool IsReached(int task, HashSet<ulong> reached, ILookup<ulong, ulong> sources) =>
        reached.Contains(nodes[task].Address) || sources[nodes[task].Address].Any(reached.Contains);
}
