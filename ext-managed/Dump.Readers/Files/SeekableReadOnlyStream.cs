namespace Dump.Readers.Files;

/// <summary>A stream that is only read, at any place.</summary>
public abstract class SeekableReadOnlyStream : ReadOnlyStream
{
    /// <inheritdoc/>
    public override bool CanSeek => true;

    /// <inheritdoc/>
    public abstract override long Length { get; }

    /// <inheritdoc/>
    public override long Position { get; set; }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => Position = origin switch
    {
        SeekOrigin.Begin => offset,
        SeekOrigin.Current => Position + offset,
        _ => Length + offset,
    };
}
