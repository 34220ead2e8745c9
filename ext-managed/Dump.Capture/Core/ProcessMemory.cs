using Dump.Readers;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Core;

/// <summary>The memory of a stopped process, by address. Safe for concurrent use.</summary>
internal sealed class ProcessMemory : IMemory, IDisposable
{
    private const int PageSize = 4096;
    private const int CachedPages = 1024;

    // What a debugger reads are a few bytes, over and over of the same pages: of stacks, of the runtime's own data.
    private const int LongestCached = 512;
    private readonly SafeFileHandle _memory;
    private readonly ulong[] _pages = new ulong[CachedPages];
    private readonly int[] _lengths = new int[CachedPages];
    private readonly byte[] _content = new byte[CachedPages * PageSize];
    private readonly Lock _lock = new();

    /// <summary>Opens the memory of a process.</summary>
    /// <param name="process">Process id.</param>
    /// <exception cref="UnauthorizedAccessException">The process does not let itself be read.</exception>
    /// <exception cref="IOException">It is gone.</exception>
    public ProcessMemory(int process) =>
        _memory = File.OpenHandle($"/proc/{process}/mem", FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int done = 0;
        if (destination.Length > LongestCached)
        {
            while (done < destination.Length && Once(unchecked(address + (ulong)done), destination[done..]) is > 0 and var read)
            {
                done += read;
            }

            return done;
        }

        lock (_lock)
        {
            while (done < destination.Length)
            {
                ulong at = unchecked(address + (ulong)done);
                int within = (int)(at % PageSize);
                ReadOnlySpan<byte> page = Page(at - (ulong)within);
                int count = Math.Min(destination.Length - done, page.Length - within);
                if (count <= 0)
                {
                    break;
                }

                page.Slice(within, count).CopyTo(destination[done..]);
                done += count;
            }
        }

        return done;
    }

    /// <summary>Reads; memory that the process itself could not read either (behind the end of a mapped file) is zero, as in a kernel's core.</summary>
    public void ReadOrClear(ulong address, Span<byte> wanted)
    {
        while (!wanted.IsEmpty)
        {
            int read = Read(address, wanted);
            if (read == 0)
            {
                // This page cannot be read; the next one may be.
                read = (int)Math.Min((ulong)wanted.Length, PageSize - address % PageSize);
                wanted[..read].Clear();
            }

            address += (ulong)read;
            wanted = wanted[read..];
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _memory.Dispose();

    /// <summary>A page of the process, which stands still while it is read; empty where there is none.</summary>
    private ReadOnlySpan<byte> Page(ulong address)
    {
        int place = (int)(address / PageSize % CachedPages);
        Span<byte> page = _content.AsSpan(place * PageSize, PageSize);

        // The first page of all is never mapped: 0 stands for an empty place.
        if (_pages[place] != address || address == 0)
        {
            _lengths[place] = Once(address, page);
            _pages[place] = address;
        }

        return page[.._lengths[place]];
    }

    private int Once(ulong address, Span<byte> wanted)
    {
        try
        {
            return address > long.MaxValue ? 0 : RandomAccess.Read(_memory, wanted, (long)address);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
