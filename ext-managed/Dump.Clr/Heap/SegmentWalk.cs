using System.Buffers.Binary;
using Dump.Model;
using Dump.Readers;

namespace Dump.Clr.Heap;

/// <summary>
/// Walks segments from object to object with one buffer. Each object's size comes from its method table and its length; a size that leaves the segment or a method table that is
/// none ends the segment. Memory is read in blocks, and what lies inside large objects is not read at all.
/// </summary>
internal sealed class SegmentWalk(IMemory memory, HeapTypeCache types, IHeapVisitor visitor, Action<ulong> progress, CancellationToken cancellation)
{
    private const int BlockSize = 64 * 1024;
    private const int HeadSize = 16;
    private const ulong ProgressStep = 16 << 20;

    /// <summary>An allocation context is some kilobytes, objects of 85,000 bytes and more have rooms of their own.</summary>
    private const ulong LargestGap = 128 * 1024;
    private readonly HeapTypeTable _table = new(types);
    private readonly byte[] _block = new byte[BlockSize];

    /// <summary>Objects passed so far.</summary>
    public long Objects { get; private set; }

    /// <summary>Places that were passed over because an object was just being made.</summary>
    public int Gaps { get; private set; }

    /// <summary>Walks one segment.</summary>
    /// <returns>Null when its end was reached, else where and why not.</returns>
    /// <exception cref="OperationCanceledException">The walk was ended from outside.</exception>
    public HeapStop? Walk(HeapSegment segment)
    {
        ulong at = segment.Start, block = 0, blockEnd = 0, reported = segment.Start;
        int context = 0;
        ulong nextContext = NextContext(segment, ref context, at);
        while (at < segment.End)
        {
            if (at >= nextContext)
            {
                at = at == nextContext ? segment.Contexts[context].NextObject : at;
                nextContext = NextContext(segment, ref context, at);
                continue;
            }

            if (segment.End - at < MethodTableLayout.SmallestObject)
            {
                return Stop(segment, at, "too little room is left for an object");
            }

            if (at < block || at + HeadSize > blockEnd)
            {
                cancellation.ThrowIfCancellationRequested();
                Report(at, ref reported);
                int read = memory.Read(at, _block.AsSpan(0, (int)Math.Min(BlockSize, segment.End - at)));
                if (read < HeadSize)
                {
                    return Stop(segment, at, "its memory is not in the dump");
                }

                block = at;
                blockEnd = at + (ulong)read;
            }

            ReadOnlySpan<byte> head = _block.AsSpan((int)(at - block), HeadSize);
            ulong methodTable = BinaryPrimitives.ReadUInt64LittleEndian(head) & MethodTableLayout.PointerMask;
            if (methodTable == 0 && nextContext - at <= LargestGap)
            {
                // A thread has taken the room and not yet written the object; its context says where the next object is.
                at = nextContext;
                Gaps++;
                continue;
            }

            ulong size = 0;
            if (methodTable == 0 || !TrySize(methodTable, head, segment.End - at, out size, out HeapType? special))
            {
                return Stop(segment, at, size == 0 ? $"there is no type at 0x{methodTable:x}, the method table of the object" : "the object is longer than the rest of the segment");
            }

            Objects++;
            if (special?.Tag is not null)
            {
                visitor.Visit(at, special);
            }

            at += size;
        }

        Report(segment.End, ref reported, isEnd: true);
        return null;
    }

    /// <summary>The size of an object: false when its type is none (size 0) or it is longer than there is room.</summary>
    private bool TrySize(ulong methodTable, ReadOnlySpan<byte> head, ulong room, out ulong size, out HeapType? special)
    {
        ref readonly HeapTypeTable.Slot slot = ref _table.Find(methodTable);
        special = slot.Special;
        size = slot.BaseSize;
        if (size == 0)
        {
            return false;
        }

        if (slot.ElementSize != 0)
        {
            ulong length = special is { IsFree: true }
                ? BinaryPrimitives.ReadUInt64LittleEndian(head[MethodTableLayout.Length..])
                : BinaryPrimitives.ReadUInt32LittleEndian(head[MethodTableLayout.Length..]);

            // 2^48 bytes and more are no object; below, nothing overflows.
            size = length >> 48 != 0 ? ulong.MaxValue : size + length * slot.ElementSize;
        }

        if (size > room)
        {
            return false;
        }

        size = Math.Max((size + (MethodTableLayout.Alignment - 1)) & ~(MethodTableLayout.Alignment - 1), MethodTableLayout.SmallestObject);
        return true;
    }

    private static ulong NextContext(HeapSegment segment, ref int index, ulong at)
    {
        while (index < segment.Contexts.Count && segment.Contexts[index].Next < at)
        {
            index++;
        }

        return index < segment.Contexts.Count ? segment.Contexts[index].Next : ulong.MaxValue;
    }

    private void Report(ulong at, ref ulong reported, bool isEnd = false)
    {
        if (at > reported && (isEnd || at - reported >= ProgressStep))
        {
            progress(at - reported);
            reported = at;
        }
    }

    private static HeapStop Stop(HeapSegment segment, ulong at, string reason) => new(segment.Start, at, segment.End - at, reason);
}
