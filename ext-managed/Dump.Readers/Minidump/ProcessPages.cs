namespace Dump.Readers.Minidump;

/// <summary>
/// The memory of a process that stands still, as far as it was read: a reader comes back to the same pages, and each reading may have a long way. True for as long
/// as the process stands still. Safe for concurrent use.
/// </summary>
public sealed class ProcessPages
{
    /// <summary>Bytes of a page of every Windows.</summary>
    internal const int PageSize = 4096;

    // Neighbours are read with what is asked for: the way costs more than the bytes.
    private const ulong PagesAtOnce = 32;
    private const ulong MostPagesAtOnce = 256;
    private const int MostPages = 65_536;
    private static readonly byte[] s_absent = [];
    private readonly Dictionary<ulong, byte[]> _pages = [];
    private readonly Lock _one = new();

    /// <summary>Copies memory from an address on; returns how many bytes there were.</summary>
    /// <param name="run">The memory without a gap in which the address lies: its first page and the one behind its last, counted from address 0.</param>
    /// <param name="address">The address.</param>
    /// <param name="destination">Where to copy to.</param>
    /// <param name="memory">Reads what was not read yet.</param>
    internal int Read((ulong First, ulong End) run, ulong address, Span<byte> destination, IMemory memory)
    {
        lock (_one)
        {
            int done = 0;
            while (done < destination.Length && address / PageSize < run.End)
            {
                byte[] page = Page(run, address / PageSize, (ulong)(destination.Length - done), memory);
                int within = (int)(address % PageSize);
                if (page.Length <= within)
                {
                    break;
                }

                int count = Math.Min(destination.Length - done, page.Length - within);
                page.AsSpan(within, count).CopyTo(destination[done..]);
                done += count;
                address = unchecked(address + (ulong)count);
            }

            return done;
        }
    }

    /// <summary>A page; empty when the process does not let it be read.</summary>
    private byte[] Page((ulong First, ulong End) run, ulong page, ulong wanted, IMemory memory)
    {
        if (_pages.TryGetValue(page, out byte[]? known))
        {
            return known;
        }

        if (_pages.Count >= MostPages)
        {
            _pages.Clear();
        }

        (ulong first, ulong end) = Neighbourhood(run, page, wanted);

        // Some systems give nothing of what ends in a page that cannot be read, and what lies behind one is there.
        if (!Fetch(first, end, page, memory) && !(first < page && Fetch(page, end, page, memory)) && !(end - page > 1 && Fetch(page, page + 1, page, memory)))
        {
            _pages[page] = s_absent;
        }

        return _pages[page];
    }

    /// <summary>What to read: the pages that are wanted and their neighbourhood, as far as they are not known.</summary>
    private (ulong First, ulong End) Neighbourhood((ulong First, ulong End) run, ulong page, ulong wanted)
    {
        ulong from = Math.Max(run.First, page - page % PagesAtOnce);
        ulong to = Math.Min(run.End, Math.Clamp(page + (wanted + PageSize - 1) / PageSize, page - page % PagesAtOnce + PagesAtOnce, page + MostPagesAtOnce - PagesAtOnce));
        ulong first = page;
        while (first > from && !_pages.ContainsKey(first - 1))
        {
            first--;
        }

        ulong end = page + 1;
        while (end < to && !_pages.ContainsKey(end))
        {
            end++;
        }

        return (first, end);
    }

    /// <summary>Reads pages; returns whether the wanted one was among those that there were, from the first one on.</summary>
    private bool Fetch(ulong first, ulong end, ulong wanted, IMemory memory)
    {
        byte[] bytes = new byte[(int)(end - first) * PageSize];
        int whole = Math.Min(memory.Read(first * PageSize, bytes), bytes.Length) / PageSize;
        for (int i = 0; i < whole; i++)
        {
            _pages[first + (ulong)i] = bytes[(i * PageSize)..((i + 1) * PageSize)];
        }

        return first + (ulong)whole > wanted;
    }
}
