using System.Collections.Immutable;
using Dump.Model.Managed;
using Dump.Readers;
using Dump.Readers.Files;

namespace Dump.Clr.Heap;

/// <summary>
/// Walks a managed heap once, with all processors: each takes the next largest segment until none is left. Segments are not divided: only their first object
/// and the ends of allocation contexts are known to be beginnings of objects. From .NET 7 on a heap consists of regions of 4 MB, which divide well.
/// </summary>
internal static class HeapWalk
{
    private const int MostWorkers = 8;
    private const int MostStops = 1_000;

    /// <summary>Gives every object of the segments to a visitor, one visitor for each worker.</summary>
    /// <typeparam name="T">What each worker gives its objects to.</typeparam>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="segments">The heap.</param>
    /// <param name="types">Its types.</param>
    /// <param name="makeVisitor">Makes the visitor of a worker.</param>
    /// <param name="progress">Receives the share that is done, 0 to 1; called by all workers.</param>
    /// <param name="cancellation">Ends the walk.</param>
    /// <param name="workers">How many workers; null for one each processor.</param>
    /// <returns>What was met, and the visitors.</returns>
    /// <exception cref="OperationCanceledException">The walk was ended.</exception>
    public static (HeapWalkFacts Facts, ImmutableArray<T> Visitors) Run<T>(
        IMemory memory, IReadOnlyList<HeapSegment> segments, IHeapTypes types, Func<T> makeVisitor, Action<double>? progress, CancellationToken cancellation,
        int? workers = null)
        where T : IHeapVisitor
    {
        HeapSegment[] queue = [.. segments.Where(s => s.End > s.Start).OrderByDescending(s => s.End - s.Start).ThenBy(s => s.Start)];
        ulong total = queue.Aggregate(0UL, (sum, s) => unchecked(sum + (s.End - s.Start)));
        HeapTypeCache cache = new(memory, types);
        List<HeapStop> stops = [];
        int next = -1, gaps = 0;
        long objects = 0;
        ulong done = 0;
        int count = Math.Clamp(workers ?? Math.Min(Environment.ProcessorCount, MostWorkers), 1, Math.Max(1, queue.Length));
        T[] visitors = [.. Enumerable.Range(0, count).Select(_ => makeVisitor())];

        void Advance(ulong bytes)
        {
            ReadingProgress.Step();
            ulong sum = Interlocked.Add(ref done, bytes);
            progress?.Invoke(total == 0 ? 1 : (double)sum / total);
        }

        void Work(T visitor)
        {
            SegmentWalk walk = new(memory, cache, visitor, Advance, cancellation);
            int index;
            while ((index = Interlocked.Increment(ref next)) < queue.Length)
            {
                if (walk.Walk(queue[index]) is { } stop)
                {
                    lock (stops)
                    {
                        stops.Add(stop);
                    }
                }
            }

            Interlocked.Add(ref objects, walk.Objects);
            Interlocked.Add(ref gaps, walk.Gaps);
        }

        Task.WhenAll(visitors.Select(v => Task.Factory.StartNew(() => Work(v), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)))
            .GetAwaiter().GetResult();
        return (new HeapWalkFacts(queue.Length, objects, (long)total, cache.Count, gaps, [.. stops.OrderBy(s => s.SegmentStart).Take(MostStops)]),
            [.. visitors]);
    }
}
