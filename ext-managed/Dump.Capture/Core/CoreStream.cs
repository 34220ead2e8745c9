using Dump.Readers;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;

namespace Dump.Capture.Core;

/// <summary>
/// The core of a stopped process as a stream that takes memory from the process itself, or from a copy of it: what reads it sees
/// the bytes that a core file of that moment would hold.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="image">The layout.</param>
internal sealed class CoreStream(IMemory memory, CoreImage image) : SeekableReadOnlyStream
{
    private const int PageSize = 4096;
    private const int CachedPages = 1024;

    // What a debugger reads are a few bytes, over and over of the same pages: of stacks, of the runtime's own data.
    private const int LongestCached = 512;
    private readonly ulong[] _pages = new ulong[CachedPages];
    private readonly byte[] _content = new byte[CachedPages * PageSize];

    /// <inheritdoc/>
    public override long Length => image.Length;

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

    private int Part(Span<byte> buffer)
    {
        if (Position < image.Head.Length)
        {
            int count = (int)Math.Min(buffer.Length, image.Head.Length - Position);
            image.Head.AsSpan((int)Position, count).CopyTo(buffer);
            return count;
        }

        ElfSegment segment = image.Segments[image.Find(Position)];
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
            int read = memory.Read(address, wanted);
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
}
