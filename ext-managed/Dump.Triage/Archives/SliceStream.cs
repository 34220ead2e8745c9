using Dump.Readers.Files;

namespace Dump.Triage.Archives;

/// <summary>A file from some place on, as if it began there.</summary>
/// <param name="file">The file, which can be sought; closed with this stream.</param>
/// <param name="start">Bytes at its beginning that are left out.</param>
internal sealed class SliceStream(FileStream file, long start) : ReadOnlyStream
{
    /// <inheritdoc/>
    public override bool CanSeek => true;

    /// <inheritdoc/>
    public override long Length => Math.Max(0, file.Length - start);

    /// <inheritdoc/>
    public override long Position { get => file.Position - start; set => Seek(value, SeekOrigin.Begin); }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer) => file.Read(buffer);

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin)
    {
        long target = origin switch { SeekOrigin.Begin => offset, SeekOrigin.Current => Position + offset, _ => Length + offset };
        return target < 0 ? throw new IOException("a place before the beginning is sought") : file.Seek(start + target, SeekOrigin.Begin) - start;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            file.Dispose();
        }

        base.Dispose(disposing);
    }
}
