using Dump.Readers;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Core;

/// <summary>
/// Memory of a stopped process, read by any number of threads at once. Each keeps some pages, since many small reads go to the same ones.
/// </summary>
internal sealed class ProcessMemory : IMemory, IDisposable
{
    private const int PageSize = 4096;
    private const int Pages = 16;
    private const int LongestKept = 512;
    private readonly SafeFileHandle _memory;
    private readonly ThreadLocal<(ulong[] Addresses, byte[] Content)> _kept = new(() => (new ulong[Pages], new byte[Pages * PageSize]));

    /// <summary>Opens it.</summary>
    /// <param name="process">Process id.</param>
    /// <exception cref="UnauthorizedAccessException">The process does not let itself be read.</exception>
    /// <exception cref="IOException">It is gone.</exception>
    public ProcessMemory(int process) =>
        _memory = File.OpenHandle($"/proc/{process}/mem", FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int within = (int)(address % PageSize);
        if (destination.Length > LongestKept || within + destination.Length > PageSize)
        {
            return Uncached(address, destination);
        }

        // The first page of all is never mapped: 0 stands for an empty place.
        (ulong[] addresses, byte[] content) = _kept.Value;
        ulong page = address - (ulong)within;
        int place = (int)(page / PageSize % Pages);
        Span<byte> kept = content.AsSpan(place * PageSize, PageSize);
        if (addresses[place] != page || page == 0)
        {
            addresses[place] = 0;
            if (Uncached(page, kept) < PageSize)
            {
                return Uncached(address, destination);
            }

            addresses[place] = page;
        }

        kept.Slice(within, destination.Length).CopyTo(destination);
        return destination.Length;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _kept.Dispose();
        _memory.Dispose();
    }

    private int Uncached(ulong address, Span<byte> destination)
    {
        int done = 0;
        while (done < destination.Length && Once(address + (ulong)done, destination[done..]) is > 0 and var read)
        {
            done += read;
        }

        return done;
    }

    /// <summary>The file ends at what is not mapped: an error there, and no bytes where the kernel's addresses begin.</summary>
    private int Once(ulong address, Span<byte> destination)
    {
        try
        {
            return address > long.MaxValue ? 0 : RandomAccess.Read(_memory, destination, (long)address);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
