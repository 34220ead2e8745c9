using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Dump.Clr.Heap;
using Dump.Model.Managed;
using Dump.Readers;
using Dump.Readers.Files;

namespace Dump.Clr.Awaits;

/// <summary>
/// Finds who on the heap refers to any of a set of objects: every word of the heap is looked at, then a walk says which object each found word belongs to.
/// What is left of dead objects counts too.
/// </summary>
internal sealed class ReferenceSearch(IMemory memory, IReadOnlyList<HeapSegment> segments, IAsyncTypes types, CancellationToken cancellation)
{
    private const int MostFound = 8_000_000;
    private const int MostWorkers = 8;
    private const int BlockSize = 64 * 1024;
    private const ulong PieceSize = 4 << 20;
    private const int FilterBits = 24;
    private const ulong Multiplier = 0x9E37_79B9_7F4A_7C15;

    /// <summary>Finds them.</summary>
    /// <param name="targets">Addresses of the objects.</param>
    /// <returns>Each reference with the object that has it, in the order of the heap; null when there are too many, or the heap could not be walked.</returns>
    public IReadOnlyList<(ulong Owner, int Offset, ulong Target)>? Find(IReadOnlyCollection<ulong> targets)
    {
        HashSet<ulong> wanted = [.. targets];
        ulong[] filter = new ulong[(1 << FilterBits) / 64];
        foreach (ulong target in wanted)
        {
            ulong bit = Bit(target);
            filter[bit / 64] |= 1UL << (int)(bit % 64);
        }

        List<(ulong Slot, ulong Target)> found = [];
        Parallel.ForEach(
            Pieces(), new ParallelOptions { CancellationToken = cancellation, MaxDegreeOfParallelism = Math.Min(Environment.ProcessorCount, MostWorkers) },
            piece =>
            {
                ReadingProgress.Step();
                List<(ulong, ulong)> own = Scan(piece.Start, piece.End, filter, wanted);
                lock (found)
                {
                    found.AddRange(found.Count > MostFound ? [] : own);
                }
            });
        if (found.Count > MostFound)
        {
            return null;
        }

        found.Sort();
        return WithOwners(found);
    }

    private IEnumerable<(ulong Start, ulong End)> Pieces()
    {
        foreach (HeapSegment segment in segments)
        {
            for (ulong at = segment.Start; at < segment.End; at += PieceSize)
            {
                yield return (at, Math.Min(segment.End, at + PieceSize));
            }
        }
    }

    private List<(ulong Slot, ulong Target)> Scan(ulong start, ulong end, ulong[] filter, HashSet<ulong> wanted)
    {
        List<(ulong, ulong)> found = [];
        ulong[] block = new ulong[BlockSize / sizeof(ulong)];
        for (ulong at = start; at < end && !cancellation.IsCancellationRequested;)
        {
            int words = memory.Read(at, MemoryMarshal.AsBytes(block.AsSpan(0, (int)Math.Min(BlockSize, end - at) / sizeof(ulong)))) / sizeof(ulong);
            for (int i = 0; i < words; i++)
            {
                ulong word = block[i];
                ulong bit = Bit(word);
                if ((filter[bit / 64] >> (int)(bit % 64) & 1) != 0 && wanted.Contains(word))
                {
                    found.Add((at + ((ulong)i * sizeof(ulong)), word));
                }
            }

            at += Math.Max(1, (ulong)words) * sizeof(ulong);
        }

        return found;
    }

    private List<(ulong Owner, int Offset, ulong Target)>? WithOwners(List<(ulong Slot, ulong Target)> found)
    {
        ulong[] slots = [.. found.Select(f => f.Slot)];
        (HeapWalkFacts facts, ImmutableArray<OwnerVisitor> visitors) = HeapWalk.Run(
            memory, segments, new EveryType(types), () => new OwnerVisitor(slots), null, cancellation);
        if (!facts.Stops.IsEmpty)
        {
            return null;
        }

        // Of a slot the beginning of its object is known where it is the first slot behind it.
        List<(ulong, int, ulong)> owned = new(found.Count);
        ulong owner = 0;
        for (int i = 0; i < found.Count; i++)
        {
            owner = Math.Max(owner, visitors.Max(v => v.Owners[i]));
            owned.Add((owner, (int)Math.Min(int.MaxValue, found[i].Slot - owner), found[i].Target));
        }

        return owned;
    }

    private static ulong Bit(ulong word) => (word * Multiplier) >> (64 - FilterBits);

    /// <summary>Notes for each slot the last object in front of it, where nothing else lies between.</summary>
    private sealed class OwnerVisitor(ulong[] slots) : IHeapVisitor
    {
        private int _cursor;

        public ulong[] Owners { get; } = new ulong[slots.Length];

        public void Visit(ulong address, HeapType type)
        {
            // Segments come in no order.
            if ((_cursor < slots.Length && slots[_cursor] < address) || (_cursor > 0 && slots[_cursor - 1] >= address))
            {
                int place = Array.BinarySearch(slots, address);
                _cursor = place < 0 ? ~place : place;
            }

            if (_cursor < slots.Length)
            {
                Owners[_cursor] = Math.Max(Owners[_cursor], address);
            }
        }
    }

    /// <summary>The same types, all of whose objects are shown to the visitor.</summary>
    internal sealed class EveryType(IAsyncTypes types) : IHeapTypes
    {
        public ulong FreeMethodTable => types.FreeMethodTable;

        public bool TryResolve(ulong methodTable, out object? tag)
        {
            tag = this;
            return types.TryResolve(methodTable, out _);
        }
    }
}
