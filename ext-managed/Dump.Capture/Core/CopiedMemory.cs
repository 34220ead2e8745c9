using System.Runtime.InteropServices;
using Dump.Capture.Proc;
using Dump.Readers;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Core;

/// <summary>
/// Memory of a process as it was at one moment: what may change is copied while the process stands still, which takes some milliseconds, so that it is
/// analysed when the process runs on. Code and constants of mapped files are read from the process when they are asked for; whether they were still those
/// is checked at the end (<see cref="IsStillTrue"/>). Safe for concurrent use.
/// </summary>
internal sealed unsafe class CopiedMemory : IMemory, IDisposable
{
    private const int LongestPart = 1 << 20;
    private readonly MemoryMapping[] _mappings;
    private readonly bool[] _wasAskedLate;
    private readonly IMemory _process;
    private readonly PresentPages _pages;
    private byte* _content;

    private CopiedMemory(MemoryMapping[] mappings, IMemory process, PresentPages pages)
    {
        _mappings = mappings;
        _wasAskedLate = new bool[mappings.Length];
        _process = process;
        _pages = pages;
        _content = (byte*)NativeMemory.Alloc((nuint)Math.Max(1, pages.Bytes));
    }

    /// <summary>Copies the memory of a process that stands still.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="mappings">Its mappings.</param>
    /// <param name="memory">Its memory; it must not be disposed before this.</param>
    /// <param name="most">Most bytes to copy.</param>
    /// <returns>The copy; null when there is more, or the system does not tell which pages there are, or not all of it could be read.</returns>
    public static CopiedMemory? Take(int process, IReadOnlyList<MemoryMapping> mappings, IMemory memory, long most)
    {
        MemoryMapping[] sorted = Sorted(mappings);
        if (most <= 0 || PresentPages.Of(process, sorted, most) is not { } pages)
        {
            return null;
        }

        CopiedMemory copy = new(sorted, memory, pages);
        if (copy.Fill())
        {
            return copy;
        }

        copy.Dispose();
        return null;
    }

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int done = 0;
        while (done < destination.Length && _content is not null && Find(address) is >= 0 and var index)
        {
            MemoryMapping mapping = _mappings[index];
            Span<byte> part = destination.Slice(done, (int)Math.Min((ulong)(destination.Length - done), mapping.End - address));
            int read = mapping.MayChange ? Copied(address, part) : Late(index, address, part);
            done += read;
            address += (ulong)read;
            if (read < part.Length)
            {
                break;
            }
        }

        return done;
    }

    /// <summary>True when what was read from the process after it had been let go is what it was when it stood still: the same files at the same places.</summary>
    /// <param name="now">The mappings of the process when all was read.</param>
    public bool IsStillTrue(IReadOnlyList<MemoryMapping> now)
    {
        MemoryMapping[] sorted = Sorted(now);
        int at = 0;
        for (int i = 0; i < _mappings.Length; i++)
        {
            while (at < sorted.Length && sorted[at].Start < _mappings[i].Start)
            {
                at++;
            }

            if (_wasAskedLate[i] && (at == sorted.Length || sorted[at] != _mappings[i]))
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_content);
        _content = null;
    }

    /// <summary>By address, as the kernel lists them: sorted again so that a search may rely on it.</summary>
    private static MemoryMapping[] Sorted(IReadOnlyList<MemoryMapping> mappings)
    {
        MemoryMapping[] sorted = new MemoryMapping[mappings.Count];
        int count = 0;
        foreach (MemoryMapping mapping in mappings)
        {
            if (mapping.IsOrdinaryMemory && (count == 0 || mapping.Start >= sorted[count - 1].End))
            {
                sorted[count++] = mapping;
            }
        }

        Array.Resize(ref sorted, count);
        return sorted;
    }

    private bool Fill()
    {
        for (int run = 0; run < _pages.Runs; run++)
        {
            ulong length = _pages.End(run) - _pages.Start(run);
            for (ulong done = 0; done < length;)
            {
                int part = (int)Math.Min(length - done, LongestPart);
                if (_process.Read(_pages.Start(run) + done, new Span<byte>(_content + _pages.Place(run) + done, part)) != part)
                {
                    return false;
                }

                done += (ulong)part;
            }
        }

        return true;
    }

    private int Copied(ulong address, Span<byte> part)
    {
        int done = 0;
        for (int run = _pages.FirstBehind(address); done < part.Length; run++)
        {
            // Pages that nobody ever touched are zero.
            ulong start = run < _pages.Runs ? Math.Max(address, _pages.Start(run)) : ulong.MaxValue;
            int empty = (int)Math.Min((ulong)(part.Length - done), start - address);
            part.Slice(done, empty).Clear();
            done += empty;
            if (done < part.Length)
            {
                int count = (int)Math.Min((ulong)(part.Length - done), _pages.End(run) - start);
                new ReadOnlySpan<byte>(_content + _pages.Place(run) + (start - _pages.Start(run)), count).CopyTo(part[done..]);
                done += count;
                address = start + (ulong)count;
            }
        }

        return done;
    }

    private int Late(int index, ulong address, Span<byte> part)
    {
        Volatile.Write(ref _wasAskedLate[index], true);
        return _process.Read(address, part);
    }

    /// <summary>Index of the mapping that holds an address, or -1.</summary>
    private int Find(ulong address)
    {
        int last = SortedSearch.CountUpTo<MemoryMapping>(_mappings, address, m => m.Start) - 1;
        return last >= 0 && address < _mappings[last].End ? last : -1;
    }
}

/// <summary>
/// Where a process has memory that may change: runs of pages by address. Of memory of its own without a file only pages that were ever touched, as
/// <c>/proc/PID/pagemap</c> tells them (Linux Documentation/admin-guide/mm/pagemap.rst); everything else whole, since pages of files count for a process only
/// once it touched them itself.
/// </summary>
internal sealed class PresentPages
{
    private const ulong PageSize = 4096;
    private const int PagesOfPart = 8_192;
    private const ulong PresentOrSwapped = 3UL << 62;

    // 32 GiB of addresses, 64 MB of that file: some 50 ms.
    private const ulong MostPages = 1UL << 23;
    private ulong[] _starts = new ulong[256];
    private ulong[] _ends = new ulong[256];
    private long[] _places = new long[256];

    private PresentPages()
    {
    }

    /// <summary>Number of runs.</summary>
    public int Runs { get; private set; }

    /// <summary>Bytes of all runs.</summary>
    public long Bytes { get; private set; }

    /// <summary>First address of a run.</summary>
    public ulong Start(int run) => _starts[run];

    /// <summary>Address behind a run.</summary>
    public ulong End(int run) => _ends[run];

    /// <summary>Bytes of all runs before this one.</summary>
    public long Place(int run) => _places[run];

    /// <summary>Finds them.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="mappings">Its mappings, by address.</param>
    /// <param name="most">Most bytes of all runs.</param>
    /// <returns>The runs; null where there are more bytes, or too many addresses to look at, or the system does not tell.</returns>
    public static PresentPages? Of(int process, IReadOnlyList<MemoryMapping> mappings, long most)
    {
        try
        {
            using SafeFileHandle map = File.OpenHandle($"/proc/{process}/pagemap", FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            PresentPages pages = new();
            ulong asked = 0;
            ulong[] part = new ulong[PagesOfPart];
            foreach (MemoryMapping mapping in mappings)
            {
                bool isWhole = mapping.IsFile || mapping.IsShared;
                asked += isWhole ? 0 : (mapping.End - mapping.Start) / PageSize;
                if (mapping.MayChange && (isWhole ? !pages.Add(mapping.Start, mapping.End, most) : asked > MostPages || !pages.AddTouched(map, mapping, part, most)))
                {
                    return null;
                }
            }

            return pages;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Index of the first run that ends behind an address, or <see cref="Runs"/>.</summary>
    public int FirstBehind(ulong address) => SortedSearch.CountUpTo<ulong>(_ends.AsSpan(0, Runs), address, end => end);

    private bool AddTouched(SafeFileHandle map, MemoryMapping mapping, ulong[] part, long most)
    {
        for (ulong page = mapping.Start / PageSize; page < mapping.End / PageSize;)
        {
            Span<ulong> wanted = part.AsSpan(0, (int)Math.Min(PagesOfPart, (mapping.End / PageSize) - page));
            if (RandomAccess.Read(map, MemoryMarshal.AsBytes(wanted), (long)(page * sizeof(ulong))) != wanted.Length * sizeof(ulong))
            {
                return false;
            }

            foreach (ulong entry in wanted)
            {
                if ((entry & PresentOrSwapped) != 0 && !Add(page * PageSize, (page + 1) * PageSize, most))
                {
                    return false;
                }

                page++;
            }
        }

        return true;
    }

    private bool Add(ulong start, ulong end, long most)
    {
        Bytes += (long)Math.Min(end - start, (ulong)most + 1);
        if (Bytes > most)
        {
            return false;
        }

        if (Runs > 0 && _ends[Runs - 1] == start)
        {
            _ends[Runs - 1] = end;
            return true;
        }

        if (Runs == _starts.Length)
        {
            Array.Resize(ref _starts, Runs * 2);
            Array.Resize(ref _ends, Runs * 2);
            Array.Resize(ref _places, Runs * 2);
        }

        (_starts[Runs], _ends[Runs], _places[Runs]) = (start, end, Bytes - (long)(end - start));
        Runs++;
        return true;
    }
}
