using System.Collections.Immutable;
using Dump.Clr.Heap;
using Dump.Model.Managed;
using Dump.Readers;

namespace Dump.Clr.Awaits;

/// <summary>Finds the pending async methods of a heap and makes their chains: one walk, arrays of addresses, no object for a task.</summary>
internal sealed class AsyncForestScan(IMemory memory, IReadOnlyList<HeapSegment> segments, IAsyncTypes types)
{
    private const int MostChains = 1_000;

    /// <summary>Does it.</summary>
    /// <param name="blocked">Threads with the tasks that they block in.</param>
    /// <param name="running">Threads by the async method that they run.</param>
    /// <param name="roots">References from outside of the heap: words of stacks and handles; asked for only when they decide.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the search.</param>
    /// <exception cref="OperationCanceledException">The search was ended.</exception>
    public AsyncForest Scan(
        IEnumerable<(uint Thread, ulong Task)> blocked, IReadOnlyDictionary<ulong, uint> running, Func<IEnumerable<ulong>> roots,
        IProgress<string>? progress, CancellationToken cancellation)
    {
        progress?.Report("walking the managed heap");
        (HeapWalkFacts facts, ImmutableArray<AsyncVisitor> visitors) = HeapWalk.Run(
            memory, segments, types, () => new AsyncVisitor(new BlockMemory(memory), types),
            progress is null ? null : share => progress.Report($"walking the managed heap: {share * 100:0} %"), cancellation);
        progress?.Report("following awaits");
        AsyncNodes nodes = new(visitors);
        Continuations continuations = new(new BlockMemory(memory), types, nodes);
        AwaitGraph graph = new(nodes, continuations);
        cancellation.ThrowIfCancellationRequested();
        bool lossesAreKnown = false;
        if (facts.Stops.IsEmpty)
        {
            progress?.Report("looking for lost tasks");
            lossesAreKnown = new LostTasks(nodes, graph, continuations, new ReferenceSearch(memory, segments, types, cancellation))
                .Mark(visitors.SelectMany(v => v.Sources), visitors.SelectMany(v => v.Queues), roots);
        }

        AwaitEnds ends = new(nodes, graph, continuations, visitors.SelectMany(v => v.Semaphores).OrderBy(s => s.Address));
        AwaitShapes shapes = new(nodes, graph, new AwaitSteps(nodes, graph, continuations, types, running));
        ChainTally chains = new(nodes, graph, shapes, ends);
        chains.Add(blocked);
        cancellation.ThrowIfCancellationRequested();
        ImmutableArray<AsyncChain> all = chains.Chains();
        int methods = 0, tasks = 0;
        for (int i = 0; i < nodes.Count; i++)
        {
            methods += nodes[i].IsMethod ? Math.Max(1, nodes[i].Type.Calls.Length) : 0;
            tasks += nodes[i].IsMethod ? 1 : 0;
        }

        return new AsyncForest
        {
            HeapIsPresent = ClrHeapSegments.ArePresent(memory, segments),
            PendingMethods = methods,
            OtherPendingTasks = nodes.Count - tasks,
            Chains = [.. all.Take(MostChains)],
            ChainsLeftOut = Math.Max(0, all.Length - MostChains),
            Faults = UnobservedFaults.Of(visitors.SelectMany(v => v.Faulted), types),
            LossesAreUnknown = !lossesAreKnown,
            Unreadable = visitors.Sum(v => v.Unreadable),
            Walk = facts,
        };
    }
}
