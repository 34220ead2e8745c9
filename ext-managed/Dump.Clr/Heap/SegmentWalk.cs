using System.Runtime.InteropServices;
using Dump.Model.Managed;
using Dump.Readers;

namespace Dump.Clr.Heap;

/// <summary>
/// Walks segments from object to object with one buffer. Each object's size comes from its method table and its length; a size that leaves the segment or a
/// method table that is none ends the segment. Memory is read in blocks, and what lies inside large objects is not read at all.
/// </summary>
internal sealed class SegmentWalk(IMemory memory, HeapTypeCache types, IHeapVisitor visitor, Action<ulong> progress, CancellationToken cancellation)
{
    private const int BlockWords = 8 * 1024;
    private const int HeadWords = 2;
    private const ulong ProgressStep = 16 << 20;

    /// <summary>An allocation context is some kilobytes, objects of 85,000 bytes and more have rooms of their own.</summary>
    private const ulong LargestGap = 128 * 1024;

    /// <summary>What may lie between objects that no context tells of; far less than a page, for a page of zeroes is one that a dump lacks.</summary>
    private const int LargestUnknownGap = 256;

    private const string NotMade = "there is no object, only zeroes";
    private readonly HeapTypeTable _table = new(types);
    private readonly ulong[] _block = new ulong[BlockWords];
    private string _reason = "";

    /// <summary>Objects passed so far.</summary>
    public long Objects { get; private set; }

    /// <summary>Places that were passed over because an object was just being made.</summary>
    public int Gaps { get; private set; }

    /// <summary>Walks one segment.</summary>
    /// <returns>Null when its end was reached, else where and why not.</returns>
    /// <exception cref="OperationCanceledException">The walk was ended from outside.</exception>
    public HeapStop? Walk(HeapSegment segment)
    {
        if (segment.Start % MethodTableLayout.Alignment != 0)
        {
            return Stop(segment, segment.Start, "it does not begin at a multiple of 8");
        }

        ulong at = segment.Start, reported = segment.Start;
        int context = 0;
        while (at < segment.End)
        {
            cancellation.ThrowIfCancellationRequested();
            Report(at, ref reported);
            ulong nextContext = NextContext(segment, ref context, at);
            if (at == nextContext)
            {
                at = segment.Contexts[context].NextObject;
                continue;
            }

            // Up to the next context, the end of the segment or the end of the block, whatever comes first.
            ulong room = Math.Min(nextContext, segment.End) - at;
            int words = memory.Read(at, MemoryMarshal.AsBytes(_block.AsSpan(0, (int)Math.Min(BlockWords, room / MethodTableLayout.Alignment)))) / sizeof(ulong);
            if (words < HeadWords)
            {
                return Stop(segment, at, room < MethodTableLayout.SmallestObject ? "too little room is left for an object" : "its memory is not in the dump");
            }

            ulong passed = WalkBlock(at, words, segment.End - at);
            at += passed;
            if (_reason.Length == 0)
            {
                continue;
            }

            if (_reason == NotMade && BehindGap(at, segment.End) is { } behind)
            {
                at = behind;
                Gaps++;
                continue;
            }

            if (_reason != NotMade || nextContext - at > LargestGap)
            {
                return Stop(segment, at, _reason);
            }

            // A thread has taken the room and not yet written the object; its context says where the next object is.
            at = nextContext;
            Gaps++;
        }

        Report(segment.End, ref reported, isEnd: true);
        return null;
    }

    /// <summary>
    /// The object behind a few words of zeroes, or null. A thread that has used up its room leaves such: the space of one smallest object lies behind, and the
    /// contexts of threads that just get more room, or are just being made, are not told of.
    /// </summary>
    private ulong? BehindGap(ulong at, ulong end)
    {
        Span<ulong> words = stackalloc ulong[(LargestUnknownGap / sizeof(ulong)) + 1];
        int count = memory.Read(at, MemoryMarshal.AsBytes(words[..(int)Math.Min((ulong)words.Length, (end - at) / sizeof(ulong))])) / sizeof(ulong);
        int first = words[..count].IndexOfAnyExcept(0UL);

        // In front of an object is its header, which is mostly zero.
        for (int i = first; i >= 0 && i <= first + 1 && i < count; i++)
        {
            if ((ulong)i * sizeof(ulong) >= MethodTableLayout.SmallestObject && _table.Find(words[i] & MethodTableLayout.PointerMask).BaseSize != 0)
            {
                return at + ((ulong)i * sizeof(ulong));
            }
        }

        return null;
    }

    /// <summary>Passes the objects that begin in the block; returns how far, and leaves the reason where something did not fit.</summary>
    /// <param name="start">Address of the block.</param>
    /// <param name="words">How many words it holds, at least two.</param>
    /// <param name="room">Bytes to the end of the segment.</param>
    private ulong WalkBlock(ulong start, int words, ulong room)
    {
        _reason = "";
        ReadOnlySpan<ulong> block = _block.AsSpan(0, words);
        ulong passed = 0;
        long objects = 0;
        while (passed / sizeof(ulong) < (ulong)(words - 1))
        {
            int index = (int)(passed / sizeof(ulong));
            ulong methodTable = block[index] & MethodTableLayout.PointerMask;
            if (methodTable == 0)
            {
                _reason = NotMade;
                break;
            }

            ref readonly HeapTypeTable.Slot slot = ref _table.Find(methodTable);
            ulong size = slot.BaseSize;
            if (slot.ElementSize != 0)
            {
                // 2^48 elements and more are none; below, nothing overflows.
                ulong length = slot.Special is { IsFree: true } ? block[index + 1] : (uint)block[index + 1];
                size = length >> 48 != 0 ? ulong.MaxValue : Align(size + length * slot.ElementSize);
            }

            if (size == 0 || size > room - passed)
            {
                _reason = size == 0
                    ? $"there is no type at 0x{methodTable:x}, the method table of the object"
                    : "the object is longer than the rest of the segment";
                break;
            }

            objects++;
            if (slot.Special?.Tag is not null)
            {
                visitor.Visit(start + passed, slot.Special);
            }

            passed += size;
        }

        Objects += objects;
        return passed;
    }

    private static ulong Align(ulong size) =>
        Math.Max((size + (MethodTableLayout.Alignment - 1)) & ~(MethodTableLayout.Alignment - 1), MethodTableLayout.SmallestObject);

    /// <summary>The next context that begins at an address or behind it; one that begins inside of the smallest object is none.</summary>
    private static ulong NextContext(HeapSegment segment, ref int index, ulong at)
    {
        while (index < segment.Contexts.Count && segment.Contexts[index].Next != at && segment.Contexts[index].Next < at + MethodTableLayout.SmallestObject)
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

    private static HeapStop Stop(HeapSegment segment, ulong at, string reason) => new(segment.Start, at, (long)(segment.End - at), reason);
}
