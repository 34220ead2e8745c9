using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>Tasks of completion sources that calls of one method await, while it is found out who may complete them.</summary>
internal sealed class SourceGroup(
    string name, int[] tasks, AwaitPlace? place, AsyncNodes nodes, AwaitQueues queues, Continuations continuations, AwaitEndings endings)
{
    /// <summary>As many as leave an answer open: of fewer calls than the first those through libraries do (<c>AsyncOpenWaits</c>, <c>OwnCalls</c> in the analysis).</summary>
    private const int Many = 100;
    private const int Fewer = 10;

    /// <summary>So many stand for all: what completes calls has them all in one place, and to look for what leads to each of them takes its time.</summary>
    private const int MostLooked = 2_048;

    private readonly Lazy<SourceQueue> _queue = new(() => new SourceQueue(tasks, nodes, queues, continuations, endings));
    private readonly Lazy<SourceQueue> _lookedQueue = new(() => new SourceQueue(Some(tasks, nodes), nodes, queues, continuations, endings));

    /// <summary>The method.</summary>
    public string Name => name;

    /// <summary>The tasks.</summary>
    public int[] Tasks => tasks;

    /// <summary>The await at which all calls of the method stand; null when they stand at several, or it is not known.</summary>
    public AwaitPlace? Place => place;

    /// <summary>Those of the tasks that are looked at.</summary>
    public IReadOnlyList<int> Looked { get; } = Some(tasks, nodes);

    /// <summary>What stands behind those.</summary>
    public SourceQueue LookedQueue => _lookedQueue.Value;

    /// <summary>What stands behind all of them.</summary>
    public SourceQueue Queue => _queue.Value;

    /// <summary>Those of the tasks that nothing is known to complete so far.</summary>
    public HashSet<int> Open { get; private set; } = [.. Some(tasks, nodes)];

    /// <summary>How many nothing has but those who wait.</summary>
    public int Abandoned { get; private set; }

    /// <summary>True when those that nothing is known to complete are few.</summary>
    public bool IsLed => AreFew(this, Open.Count);

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
        HashSet<int> left = LookedQueue.Left(), kept = LookedQueue.Had(had.Contains);
        Abandoned = Looked.Count(t => !kept.Contains(t));
        Open = [.. Looked.Where(t => kept.Contains(t) && !left.Contains(t))];
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

            int count = Looked.Count(t => IsReached(t, reached, sources));
            if (count > 0)
            {
                Leads[end.Key] = count;
                Open.RemoveWhere(t => IsReached(t, reached, sources));
            }
        }
    }

    /// <summary>True when so many of those that are looked at stand for few.</summary>
    public static bool AreFew(SourceGroup group, int open) => (long)open * group.Tasks.Length / group.Looked.Count < (group.Tasks.Length < Many ? Fewer : Many);

    /// <summary>True when a task, or its source, was reached.</summary>
    public bool IsReached(int task, HashSet<ulong> reached, ILookup<ulong, ulong> sources) =>
        reached.Contains(nodes[task].Address) || sources[nodes[task].Address].Any(reached.Contains);

    private static int[] Some(int[] tasks, AsyncNodes nodes)
    {
        if (tasks.Length <= MostLooked)
        {
            return tasks;
        }

        int[] ordered = [.. tasks.OrderBy(t => nodes[t].Address)];
        return [.. Enumerable.Range(0, MostLooked).Select(i => ordered[(long)i * ordered.Length / MostLooked])];
    }
}
