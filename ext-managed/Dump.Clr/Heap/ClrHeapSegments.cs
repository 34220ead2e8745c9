using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Heap;

/// <summary>The segments of a heap as its runtime records them.</summary>
internal static class ClrHeapSegments
{
    private const int MostSegments = 1_000_000;

    /// <summary>The segments of all heaps of the process, with what each thread has reserved in them.</summary>
    public static IReadOnlyList<HeapSegment> Read(ClrHeap heap)
    {
        AllocationContext[] contexts =
        [
            .. heap.EnumerateAllocationContexts()
                .Take(MostSegments)
                .Where(c => c.Start != 0 && c.End >= c.Start && c.End < ulong.MaxValue - MethodTableLayout.SmallestObject)
                .Select(c => new AllocationContext(c.Start, c.End))
                .DistinctBy(c => c.Next)
                .OrderBy(c => c.Next),
        ];
        ulong[] starts = [.. contexts.Select(c => c.Next)];
        return
        [
            .. heap.Segments.Take(MostSegments)
                .Where(s => s.ObjectRange.End > s.ObjectRange.Start)
                .Select(s => new HeapSegment(s.ObjectRange.Start, s.ObjectRange.End,
                    contexts[First(starts, s.ObjectRange.Start)..First(starts, s.ObjectRange.End)])),
        ];
    }

    /// <summary>
    /// A hash of what collections alone change: where the older generations lie and end, and where the youngest begins in a segment of all three. It is the same
    /// in two looks between which nothing was moved. New regions of the youngest generation, and large objects, come without a collection.
    /// </summary>
    public static ulong ShapeOf(ClrHeap heap)
    {
        const ulong Prime = 0x100_0000_01B3;
        ulong hash = 0xCBF2_9CE4_8422_2325;
        foreach (ClrSegment segment in heap.Segments.Take(MostSegments).OrderBy(s => s.Start))
        {
            ulong end = segment.Kind switch
            {
                GCSegmentKind.Generation1 or GCSegmentKind.Generation2 => segment.ObjectRange.End,
                GCSegmentKind.Ephemeral => segment.Generation0.Start,
                _ => 0,
            };
            hash = end == 0 ? hash : unchecked(((((hash ^ segment.Start) * Prime) ^ end) * Prime) ^ (ulong)segment.Kind);
        }

        return hash;
    }

    /// <summary>Index of the first address that is not below another.</summary>
    private static int First(ulong[] addresses, ulong least)
    {
        int found = Array.BinarySearch(addresses, least);
        return found < 0 ? ~found : found;
    }

    /// <summary>True when beginning, middle and end of every segment can be read.</summary>
    public static bool ArePresent(IMemory memory, IReadOnlyList<HeapSegment> segments)
    {
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        foreach (HeapSegment segment in segments)
        {
            ulong last = segment.End - sizeof(ulong);
            if (!memory.TryRead(segment.Start, word) || !memory.TryRead(segment.Start + (last - segment.Start) / 2, word) || !memory.TryRead(last, word))
            {
                return false;
            }
        }

        return segments.Count > 0;
    }
}

/// <summary>Room that a thread keeps for its next objects.</summary>
/// <param name="Next">Where the next object will begin.</param>
/// <param name="Limit">Where the room ends, but for the space of one smallest object, behind which the next object of the heap begins.</param>
internal readonly record struct AllocationContext(ulong Next, ulong Limit)
{
    /// <summary>The first object behind it.</summary>
    public ulong NextObject => Limit + MethodTableLayout.SmallestObject;
}
