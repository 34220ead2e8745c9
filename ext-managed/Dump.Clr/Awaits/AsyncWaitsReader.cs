using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Runtimes;
using Dump.Model.Managed;
using Dump.Model.Waits;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>Looks at a small managed heap for async methods that cannot go on: cheaper than all chains of awaits, so that every verdict can have it.</summary>
internal static class AsyncWaitsReader
{
    /// <summary>Looks.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process; null to read through the runtime's reader.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="ownerships">Who holds that.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    /// <param name="settings">The largest heap that is looked at, and the most tasks.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the look.</param>
    /// <returns>What was found, or why nothing was.</returns>
    /// <exception cref="OperationCanceledException">The look was ended.</exception>
    public static AsyncWaits Read(
        ClrRuntime runtime, IMemory? memory, IReadOnlyCollection<ManagedThread> threads, IEnumerable<WaitFact> waits,
        IEnumerable<OwnershipFact> ownerships, ManagedPlaces places, ClrReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        try
        {
            IMemory known = memory ?? new ClrMemory(runtime.DataTarget.DataReader);
            IReadOnlyList<HeapSegment> segments = ClrHeapSegments.Read(runtime.Heap);
            ulong size = segments.Aggregate(0UL, (sum, s) => unchecked(sum + (s.End - s.Start)));
            if (size > (ulong)(settings.AsyncWaitsHeap ?? 0))
            {
                return new AsyncWaits { HeapLeftOut = (long)Math.Min(size, long.MaxValue) };
            }

            RootReferences references = new(runtime, known, threads);
            progress?.Report("looking at async methods");
            return !ClrHeapSegments.ArePresent(known, segments) ? new AsyncWaits { Gap = HeapLookGap.Absent }
                : !runtime.Heap.CanWalkHeap ? new AsyncWaits { Gap = HeapLookGap.BeingCollected }
                : Look(
                    known, segments, new AsyncTypes(runtime, places, settings.OnLibraryFault), [.. waits], references, AsyncForestReader.Running(threads),
                    cancellation, settings.AsyncWaitsTasks, ownerships.ToLookup(o => o.Resource, o => o.OwnerIsAlive == true ? o.OwnerThreadId : 0)) with { HeapShape = ClrHeapSegments.ShapeOf(runtime.Heap) };
        }
        catch (Exception error) when (error is not (OutOfMemoryException or OperationCanceledException))
        {
            // A damaged dump can make the data-access library fail anywhere; all else that was read stands.
            settings.Gate?.Fail();
            return new AsyncWaits { Gap = HeapLookGap.BrokenOff };
        }
    }

    /// <summary>Looks at a heap.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="segments">The heap.</param>
    /// <param name="types">Its types.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="references">References from outside of the heap.</param>
    /// <param name="running">Threads by the async method that they run.</param>
    /// <param name="cancellation">Ends the look.</param>
    /// <param name="mostTasks">Most pending tasks that are looked at; null for any number.</param>
    /// <param name="owners">Threads that hold what is waited for; 0 for one that does not live, or is not known. Null where nothing is held.</param>
    public static AsyncWaits Look(
        IMemory memory, IReadOnlyList<HeapSegment> segments, IAsyncTypes types, IReadOnlyCollection<WaitFact> waits, IRootReferences references,
        IReadOnlyDictionary<ulong, uint> running, CancellationToken cancellation, int? mostTasks = null,
        ILookup<Resource, uint>? owners = null)
    {
        (HeapWalkFacts facts, ImmutableArray<AsyncVisitor> visitors) = HeapWalk.Run(
            memory, segments, types, () => new AsyncVisitor(new BlockMemory(memory), types), null, cancellation);
        if (!facts.Stops.IsEmpty || visitors.Any(v => v.Unreadable > 0))
        {
            return new AsyncWaits { Gap = HeapLookGap.BrokenOff };
        }

        if (visitors.Sum(v => (long)v.Count) is var tasks && tasks > mostTasks)
        {
            return new AsyncWaits { TasksLeftOut = tasks };
        }

        AsyncNodes nodes = new(visitors);
        Continuations continuations = new(new BlockMemory(memory), types, nodes);
        AwaitGraph graph = new(nodes, continuations);
        cancellation.ThrowIfCancellationRequested();
        ReferenceSearch search = new(memory, segments, types, cancellation);
        SemaphoreUserSearch users = new(nodes, continuations, search);
        AwaitEnds ends = new(nodes, graph, continuations, visitors.SelectMany(v => v.Semaphores).OrderBy(s => s.Address));
        AwaitSteps steps = new(nodes, graph, continuations, types, running);
        AwaitShapes shapes = new(nodes, graph, steps);
        EndlessWaits endless = new(nodes, graph, steps, ends, references, owners ?? Enumerable.Empty<Resource>().ToLookup(r => r, _ => 0u));
        return new AsyncWaits
        {
            Calls = new ChainTally(nodes, graph, shapes, ends).Calls(new AwaitEndings(nodes, graph, continuations)),
            Hosts = new HostTransitions(nodes, graph, continuations).Find(),
            AwaitsTime = TimedAwaits.Any(nodes, graph, continuations),
            Cycles = AwaitCycleFacts.Of(
                nodes, new AwaitCycles(nodes, graph, continuations),
                waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).Select(w => (w.ThreadId, w.Resource.Identity))),
            Endless = endless.Find(
                waits, () => ReachableObjects.Read(memory, segments, types, references.Handles, nodes, graph, cancellation), cancellation),
            Tasks = new SourceWaits(nodes, graph, continuations, search).Of(visitors.SelectMany(v => v.Sources)),
            Sources = new OwnSourceWaits(nodes, graph, continuations, search, references, Blocked(waits)).Of(visitors.SelectMany(v => v.Sources)),
            Semaphores =
            [
                .. new SemaphoreWaits(nodes, graph, continuations, waits).Of(visitors.SelectMany(v => v.Semaphores)).Select(s => s.Semaphore with
                {
                    Users = s.Queue.IsInQuestion(s.Semaphore)
                        ? users.Of(s.Semaphore.Address, s.Queue, () => references.Words(s.Queue.Threads), () => references.Exact(s.Queue.Threads))
                        : SemaphoreUsers.Unknown,
                }),
            ],
        };
    }

    private static ILookup<ulong, uint> Blocked(IEnumerable<WaitFact> waits) =>
        waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).ToLookup(w => w.Resource.Identity, w => w.ThreadId);
}
