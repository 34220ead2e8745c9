using System.Buffers.Binary;

namespace Dump.Readers.Files;

/// <summary>A stream some of whose numbers of 32 bits are others.</summary>
/// <param name="content">The stream; it belongs to this one.</param>
/// <param name="changes">Places and new numbers, by place, without overlap.</param>
internal sealed class ChangedBytesStream(Stream content, (long Place, uint Number)[] changes) : SeekableReadOnlyStream
{
    /// <inheritdoc/>
    public override long Length => content.Length;

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        long start = Position;
        content.Position = start;
        int read = content.Read(buffer);
        Span<byte> number = stackalloc byte[sizeof(uint)];
        for (int i = FirstFrom(start - sizeof(uint) + 1); i < changes.Length && changes[i].Place < start + read; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(number, changes[i].Number);
            for (int b = 0; b < number.Length; b++)
            {
                long at = changes[i].Place + b - start;
                if (at >= 0 && at < read)
                {
                    buffer[(int)at] = number[b];
                }
            }
        }

        Position = start + read;
        return read;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            content.Dispose();
        }

        base.Dispose(disposing);
    }

    private int FirstFrom(long place) => place < 0 ? 0 : SortedSearch.CountBelow<(long Place, uint Number)>(changes, (ulong)place, c => (ulong)c.Place);
}
