using System.Runtime.InteropServices;
using Dump.Capture.Proc;
using Dump.Readers;

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
