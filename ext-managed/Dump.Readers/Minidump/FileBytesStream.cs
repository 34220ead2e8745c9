using Dump.Readers.Files;

namespace Dump.Readers.Minidump;

/// <summary>The bytes of a dump as a stream, for readers that want one. For one reader at a time; does not own the bytes.</summary>
/// <param name="file">The bytes.</param>
internal sealed class FileBytesStream(FileBytes file) : SeekableReadOnlyStream
{
    /// <inheritdoc/>
    public override long Length => file.Length;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        int count = file.Read(Position, buffer);
        Position += count;
        return count;
    }

    /// <summary>Done when it returns: a reader that goes on meanwhile, as ClrMD does behind its constructor, would move the position under it.</summary>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        Task.FromResult(Read(buffer, offset, count));

    /// <summary>The same.</summary>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => ValueTask.FromResult(Read(buffer.Span));
}
