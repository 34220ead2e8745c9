using Dump.Readers.ElfCore;

namespace Dump.Capture.Core;

/// <summary>
/// The core of a stopped process as a stream that takes memory from the process itself: what reads it sees
/// the bytes that a core file of that moment would hold.
/// </summary>
internal sealed class CoreStream : Stream
{
    private readonly CoreImage _image;
    private readonly ProcessMemory _memory;

    /// <summary>Opens it.</summary>
    /// <param name="memory">Memory of the process; it is left open.</param>
    /// <param name="image">The layout.</param>
    public CoreStream(ProcessMemory memory, CoreImage image)
    {
        _image = image;
        _memory = memory;
    }

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => true;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => _image.Length;

    /// <inheritdoc/>
    public override long Position { get; set; }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

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
    public override long Seek(long offset, SeekOrigin origin) => Position = origin switch
    {
        SeekOrigin.Begin => offset,
        SeekOrigin.Current => Position + offset,
        _ => Length + offset,
    };

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

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
        _memory.ReadOrClear(segment.Address + (ulong)within, wanted);
        return wanted.Length;
    }
}
