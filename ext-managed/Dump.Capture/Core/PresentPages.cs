using System.Runtime.InteropServices;
using Dump.Capture.Proc;
using Dump.Readers;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Core;

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
