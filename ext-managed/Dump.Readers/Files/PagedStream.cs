namespace Dump.Readers.Files;

/// <summary>
/// A stream for readers that jump to and fro and take a few bytes at a time: pages are read and kept, where the buffer of an ordinary stream is read anew after
/// each jump. Of one thread at a time, as every stream with a position.
/// </summary>
/// <param name="content">The stream; it belongs to this one.</param>
public sealed class PagedStream(Stream content) : SeekableReadOnlyStream
{
    private const int PageBits = 12;
    private const int PageSize = 1 << PageBits;

    // 16 MB, filled as they are needed.
    private const int SlotBits = 12;
    private readonly Page[] _slots = new Page[1 << SlotBits];

    /// <inheritdoc/>
    public override long Length { get; } = content.Length;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (Position < 0 || Position >= Length || buffer.IsEmpty)
        {
            return 0;
        }

        int read = 0;
        if (buffer.Length >= PageSize)
        {
            read = Fill(Position, buffer);
        }
        else
        {
            for (int part = -1; read < buffer.Length && part != 0; read += part)
            {
                part = FromPage(Position + read, buffer[read..]);
            }
        }

        Position += read;
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

    /// <summary>Copies up to the end of a page; 0 at the end of the stream.</summary>
    private int FromPage(long position, Span<byte> buffer)
    {
        long number = position >> PageBits;
        ref Page slot = ref _slots[(int)(number ^ (number >> SlotBits)) & (_slots.Length - 1)];
        if (slot.Bytes is null || slot.Number != number)
        {
            byte[] bytes = slot.Bytes ?? GC.AllocateUninitializedArray<byte>(PageSize);

            // Nothing stands for the page while it is read: that may fail.
            slot = default;
            slot = new Page(number, bytes, Fill(number << PageBits, bytes));
        }

        int offset = (int)(position & (PageSize - 1)), count = Math.Clamp(slot.Count - offset, 0, buffer.Length);
        slot.Bytes.AsSpan(offset, count).CopyTo(buffer);
        return count;
    }

    private int Fill(long position, Span<byte> buffer)
    {
        ReadingProgress.Step();
        content.Position = position;
        return content.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
    }

    private readonly record struct Page(long Number, byte[]? Bytes, int Count);
}
