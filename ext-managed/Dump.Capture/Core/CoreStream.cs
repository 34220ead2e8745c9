using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Core;

/// <summary>
/// The core of a stopped process as a stream that takes memory from the process itself: what reads it sees
/// the bytes that a core file of that moment would hold.
/// </summary>
internal sealed class CoreStream : SeekableReadOnlyStream
{
    private const int PageSize = 4096;
    private const int CachedPages = 1024;

    // What a debugger reads are a few bytes, over and over of the same pages: of stacks, of the runtime's own data.
    private const int LongestCached = 512;
    private readonly CoreImage _image;
    private readonly SafeFileHandle _memory;
    private readonly ulong[] _pages = new ulong[CachedPages];
    private readonly byte[] _content = new byte[CachedPages * PageSize];

    /// <summary>Opens the memory of a process.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="image">The layout.</param>
    /// <exception cref="UnauthorizedAccessException">The process does not let itself be read.</exception>
    /// <exception cref="IOException">It is gone.</exception>
    public CoreStream(int process, CoreImage image)
    {
        _image = image;
        _memory = File.OpenHandle($"/proc/{process}/mem", FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }

    /// <inheritdoc/>
    public override long Length => _image.Length;

    /// <summary>Reads; memory that the process itself could not read either (behind the end of a mapped file) is zero, as in a kernel's core.</summary>
    public override int Read(Span<byte> buffer)
    {
        int done = 0;
        while (done < buffer.Length && Position < Length)
        {
            int read = Part(buffer[done..]);
            done += read;
            Position += read;
        }

        return done;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _memory.Dispose();
        base.Dispose(disposing);
    }

    private int Part(Span<byte> buffer)
    {
        if (Position < _image.Head.Length)
        {
            int count = (int)Math.Min(buffer.Length, _image.Head.Length - Position);
            _image.Head.AsSpan((int)Position, count).CopyTo(buffer);
            return count;
        }

        ElfSegment segment = _image.Segments[_image.Find(Position)];
        long within = Position - segment.FileOffset;
        Span<byte> wanted = buffer[..(int)Math.Min(buffer.Length, segment.FileSize - within)];
        Memory(segment.Address + (ulong)within, wanted);
        return wanted.Length;
    }

    private void Memory(ulong address, Span<byte> wanted)
    {
        if (wanted.Length > LongestCached)
        {
            Uncached(address, wanted);
            return;
        }

        while (!wanted.IsEmpty)
        {
            int within = (int)(address % PageSize);
            int count = Math.Min(wanted.Length, PageSize - within);
            Page(address - (ulong)within).Slice(within, count).CopyTo(wanted);
            address += (ulong)count;
            wanted = wanted[count..];
        }
    }

    /// <summary>A page of the process, which stands still while it is read.</summary>
    private ReadOnlySpan<byte> Page(ulong address)
    {
        int place = (int)(address / PageSize % CachedPages);
        Span<byte> page = _content.AsSpan(place * PageSize, PageSize);

        // The first page of all is never mapped: 0 stands for an empty place.
        if (_pages[place] != address || address == 0)
        {
            Uncached(address, page);
            _pages[place] = address;
        }

        return page;
    }

    private void Uncached(ulong address, Span<byte> wanted)
    {
        while (!wanted.IsEmpty)
        {
            int read = Once(address, wanted);
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

    private int Once(ulong address, Span<byte> wanted)
    {
        try
        {
            return RandomAccess.Read(_memory, wanted, (long)address);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
