namespace Dump.Readers.Minidump;

/// <summary>
/// The bytes of a dump that nobody has written: a head, and behind it memory that is read from a process when it is asked for. Safe for concurrent use.
/// </summary>
/// <param name="head">The bytes before the memory.</param>
/// <param name="ranges">The memory, whole pages, one range behind the other.</param>
/// <param name="memory">Reads the process, which must stand still.</param>
/// <param name="pages">What was read of it already.</param>
internal sealed class ProcessBytes(byte[] head, MinidumpMemoryRange[] ranges, IMemory memory, ProcessPages pages) : FileBytes
{
    // Systems divide memory where its protection changes; it may be read across.
    private readonly (ulong First, ulong End)[] _runs = Runs(ranges);

    public override long Length { get; } = ranges.Length == 0 ? head.Length : ranges[^1].Bytes.Offset + ranges[^1].Bytes.Size;

    public override int Read(long offset, Span<byte> destination)
    {
        if (offset < 0 || offset >= Length)
        {
            return 0;
        }

        int done = 0;
        if (offset < head.Length)
        {
            done = (int)Math.Min(destination.Length, head.Length - offset);
            head.AsSpan((int)offset, done).CopyTo(destination);
        }

        while (done < destination.Length && offset + done < Length)
        {
            int index = Find(offset + done);
            MinidumpMemoryRange range = ranges[index];
            long skip = offset + done - range.Bytes.Offset;
            int wanted = (int)Math.Min(destination.Length - done, range.Bytes.Size - skip);
            int count = pages.Read(_runs[index], range.Address + (ulong)skip, destination.Slice(done, wanted), memory);
            done += count;
            if (count < wanted)
            {
                break;
            }
        }

        return done;
    }

    /// <summary>The memory without a gap in which each range lies.</summary>
    private static (ulong First, ulong End)[] Runs(MinidumpMemoryRange[] ranges)
    {
        (ulong First, ulong End)[] runs = new (ulong, ulong)[ranges.Length];
        for (int start = 0, next; start < ranges.Length; start = next)
        {
            next = start + 1;
            while (next < ranges.Length && ranges[next].Address == ranges[next - 1].Address + (ulong)ranges[next - 1].Bytes.Size)
            {
                next++;
            }

            ulong first = ranges[start].Address / ProcessPages.PageSize;
            runs.AsSpan(start, next - start).Fill((first, first + (ulong)ranges[start..next].Sum(r => r.Bytes.Size) / ProcessPages.PageSize));
        }

        return runs;
    }

    /// <summary>Index of the range that holds an offset.</summary>
    private int Find(long offset) => Math.Max(SortedSearch.CountUpTo<MinidumpMemoryRange>(ranges, (ulong)offset, r => (ulong)r.Bytes.Offset) - 1, 0);
}
