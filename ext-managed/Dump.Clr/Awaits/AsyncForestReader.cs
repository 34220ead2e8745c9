using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Tasks;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>Reads the chains of awaits of a process.</summary>
internal static class AsyncForestReader
{
    /// <summary>Reads them.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process; null to read through the runtime's reader.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="places">Knows the methods of state machines.</param>
    /// <param name="onFault">Called for each type on which the data-access library fails; null where nobody asks.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    public static AsyncForest Read(
        ClrRuntime runtime, IMemory? memory, IReadOnlyCollection<ManagedThread> threads, IEnumerable<WaitFact> waits, ManagedPlaces places,
        Action? onFault, IProgress<string>? progress, CancellationToken cancellation)
    {
        IMemory known = memory ?? new ClrMemory(runtime.DataTarget.DataReader);
        AsyncForestScan scan = new(known, ClrHeapSegments.Read(runtime.Heap), new AsyncTypes(runtime, places, onFault));
        IEnumerable<(uint, ulong)> blocked = waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).Select(w => (w.ThreadId, w.Resource.Identity));
        AsyncForest forest = scan.Scan(blocked, Running(threads), () => OutsideReferences.Of(runtime, known, threads), progress, cancellation);
        return forest with { RuntimeVersion = RuntimeVersion.Of(runtime) };
    }

    /// <summary>Threads by the async method that they run.</summary>
    public static IReadOnlyDictionary<ulong, uint> Running(IEnumerable<ManagedThread> threads)
    {
        Dictionary<ulong, uint> running = [];
        foreach (ManagedThread thread in threads)
        {
            foreach (ClrObject method in AsyncMethodBoxes.RunBy(thread))
            {
                running.TryAdd(method.Address, thread.Id);
            }
        }

        return running;
    }
}

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

/// <summary>Groups failed tasks whose exception nobody has looked at.</summary>
internal static class UnobservedFaults
{
    private const int MostKinds = 200;
    private const int MostLooked = 20_000;
    private const int LongestName = 256;

    /// <summary>Groups them; those that most tasks share come first.</summary>
    public static ImmutableArray<UnobservedFault> Of(IEnumerable<(ulong Task, AsyncType Type, ulong Contingent)> faulted, IAsyncTypes types)
    {
        List<(string Task, string? Exception, ulong Address)> found = [];
        foreach ((ulong task, AsyncType type, ulong contingent) in faulted.OrderBy(f => f.Task).Take(MostLooked))
        {
            if (types.IsUnobserved(contingent, out string? exception))
            {
                found.Add((type.Name, exception is null ? null : SafeText.Clean(exception, LongestName), task));
            }
        }

        return
        [
            .. found.GroupBy(f => (f.Task, f.Exception))
                .Select(g => new UnobservedFault(g.Count(), g.Key.Task, g.Key.Exception, g.Min(f => f.Address)))
                .OrderByDescending(f => f.Count).ThenBy(f => f.Task, StringComparer.Ordinal).ThenBy(f => f.Example)
                .Take(MostKinds),
        ];
    }
}
