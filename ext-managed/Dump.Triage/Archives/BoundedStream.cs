using System.Globalization;
using Dump.Readers.Files;

namespace Dump.Triage.Archives;

/// <summary>Reads a stream up to a limit; refuses to go on behind it.</summary>
/// <param name="inner">The stream; closed with this one.</param>
/// <param name="most">Bytes that may be read.</param>
/// <param name="cancellation">Ends the reading.</param>
/// <param name="refusal">What is said when there are more; null to say that of the stream itself.</param>
internal sealed class BoundedStream(Stream inner, long most, CancellationToken cancellation, string? refusal = null) : ReadOnlyStream
{
    private readonly Crc32 _checksum = new();
    private long _read;

    /// <summary>Bytes read so far.</summary>
    public long Consumed => _read;

    /// <summary>CRC-32 of the bytes read so far.</summary>
    public uint Checksum => _checksum.Value;

    /// <inheritdoc/>
    /// <exception cref="RefusedMemberException">There are more bytes than allowed.</exception>
    public override int Read(Span<byte> buffer)
    {
        cancellation.ThrowIfCancellationRequested();
        int length = inner.Read(buffer);
        _read += length;
        _checksum.Append(buffer[..length]);
        return _read <= most
            ? length
            : throw new RefusedMemberException(refusal ?? string.Create(CultureInfo.InvariantCulture,
                $"it unpacks to more than {most:N0} bytes, which no dump in an archive of that size has (an archive bomb?)"));
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}

/// <summary>A member of an archive is not unpacked.</summary>
/// <param name="message">Why, as a clause.</param>
/// <param name="mayChange">True when it may be possible at another time.</param>
internal sealed class RefusedMemberException(string message, bool mayChange = false) : Exception(message)
{
    /// <summary>True when it may be possible at another time, for example with more disk space.</summary>
    public bool MayChange { get; } = mayChange;
}
