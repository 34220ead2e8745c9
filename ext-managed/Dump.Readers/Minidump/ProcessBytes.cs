namespace Dump.Readers.Minidump;

/// <summary>
/// The bytes of a dump that nobody has written: a head, and behind it memory that is read from a process when it is asked for. What was read is kept, because a
/// reader comes back to the same pages, and each reading may have a long way. Safe for concurrent use.
/// </summary>
/// <param name="head">The bytes before the memory.</param>
/// <param name="ranges">The memory, whole pages, one range behind the other.</param>
/// <param name="memory">Reads the process, which must stand still.</param>
internal sealed class ProcessBytes(byte[] head, MinidumpMemoryRange[] ranges, IMemory memory) : FileBytes
{
    /// <summary>Bytes of a page of every Windows.</summary>
    public const int PageSize = 4096;

    // Neighbours are read with what is asked for: the way costs more than the bytes.
    private const int PagesAtOnce = 64;
    private const int MostPagesAtOnce = 256;
    private const int MostPages = 65_536;
    private static readonly byte[] s_absent = [];
    private readonly Dictionary<long, byte[]> _pages = [];
    private readonly Lock _one = new();

    public override long Length { get; } = ranges.Length == 0 ? head.Length : ranges[^1].Bytes.Offset + ranges[^1].Bytes.Size;

    public override int Read(long offset, Span<byte> destination)
    {
        if (offset < 0 || offset >= Length)
        {
            return 0;
        }

        if (offset >= head.Length)
        {
            return ReadMemory(offset, destination);
        }

        int count = (int)Math.Min(destination.Length, head.Length - offset);
        head.AsSpan((int)offset, count).CopyTo(destination);
        return count == destination.Length ? count : count + ReadMemory(head.Length, destination[count..]);
    }

    private int ReadMemory(long offset, Span<byte> destination)
    {
        lock (_one)
        {
            int done = 0;
            while (done < destination.Length && offset + done < Length)
            {
                long at = offset + done - head.Length;
                ReadOnlySpan<byte> page = Page(at / PageSize, destination.Length - done);
                int within = (int)(at % PageSize);
                if (page.Length <= within)
                {
                    break;
                }

                int count = Math.Min(destination.Length - done, page.Length - within);
                page.Slice(within, count).CopyTo(destination[done..]);
                done += count;
            }

            return done;
        }
    }

    /// <summary>A page, counted from the end of the head; empty when the process does not let it be read.</summary>
    private ReadOnlySpan<byte> Page(long page, int wanted)
    {
        if (_pages.TryGetValue(page, out byte[]? known))
        {
            return known;
        }

        if (_pages.Count >= MostPages)
        {
            _pages.Clear();
        }

        MinidumpMemoryRange range = ranges[Find(page * PageSize + head.Length)];
        long skip = page * PageSize + head.Length - range.Bytes.Offset;
        ulong address = range.Address + (ulong)skip;
        int count = Unknown(page, (int)Math.Min((range.Bytes.Size - skip) / PageSize, Wished(page, wanted)));

        // Some systems give nothing of what ends in a page that cannot be read.
        if (Fetch(page, address, count) == 0 && (count == 1 || Fetch(page, address, 1) == 0))
        {
            _pages[page] = s_absent;
        }

        return _pages[page];
    }

    /// <summary>How many pages to read: those that are wanted, and on to the end of the neighbourhood.</summary>
    private static long Wished(long page, int wanted) =>
        Math.Clamp((wanted + PageSize - 1) / PageSize, PagesAtOnce - page % PagesAtOnce, MostPagesAtOnce);

    /// <summary>How many of some pages come before the next one that is known.</summary>
    private int Unknown(long page, int most)
    {
        int count = 1;
        while (count < most && !_pages.ContainsKey(page + count))
        {
            count++;
        }

        return count;
    }

    /// <summary>Reads pages; returns how many there were, from the first one on.</summary>
    private int Fetch(long page, ulong address, int count)
    {
        byte[] bytes = new byte[count * PageSize];
        int whole = Math.Min(memory.Read(address, bytes), bytes.Length) / PageSize;
        for (int i = 0; i < whole; i++)
        {
            _pages[page + i] = bytes[(i * PageSize)..((i + 1) * PageSize)];
        }

        return whole;
    }

    /// <summary>Index of the range that holds an offset.</summary>
    private int Find(long offset)
    {
        int low = 0;
        int high = ranges.Length - 1;
        while (low < high)
        {
            int middle = low + (high - low + 1) / 2;
            (low, high) = ranges[middle].Bytes.Offset <= offset ? (middle, high) : (low, middle - 1);
        }

        return low;
    }
}
