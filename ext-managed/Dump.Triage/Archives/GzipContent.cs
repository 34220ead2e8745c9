using System.Globalization;
using System.IO.Compression;
using Dump.Readers.Files;

namespace Dump.Triage.Archives;

/// <summary>
/// What a gzip file holds: the content of all of its parts, one behind the other (RFC 1952 2.2), up to where it is damaged. What is wrong with it is said at
/// the end, so that what there is can be read. The same bytes come whatever the sizes of the reads.
/// </summary>
/// <param name="file">The file, from its beginning; closed with this stream.</param>
/// <param name="cancellation">Ends the reading: of parts without content there may be many.</param>
internal sealed class GzipContent(FileStream file, CancellationToken cancellation) : ReadOnlyStream
{
    private const int Chunk = 1 << 16;
    private const int MostParts = 2_000_000;
    private readonly byte[] _buffer = new byte[Chunk];
    private readonly byte[] _search = new byte[GzipLayout.SearchSize];
    private DeflateStream? _part;
    private Crc32 _checksum = new();
    private long _partBegin;
    private long _partSize;
    private long _total;
    private int _parts;
    private int _taken;
    private int _filled;
    private bool _isAtEnd;

    /// <summary>What is wrong with the file; null when nothing is, or before the end was reached.</summary>
    public MemberFlaw? Flaw { get; private set; }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        while (_taken == _filled && !_isAtEnd)
        {
            cancellation.ThrowIfCancellationRequested();
            Fill();
        }

        int length = Math.Min(buffer.Length, _filled - _taken);
        _buffer.AsSpan(_taken, length).CopyTo(buffer);
        _taken += length;
        return length;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _part?.Dispose();
            file.Dispose();
        }

        base.Dispose(disposing);
    }

    private void Fill()
    {
        (_taken, _filled) = (0, 0);
        if (_part is null && !Begin())
        {
            return;
        }

        try
        {
            _filled = _part!.Read(_buffer);
        }
        catch (InvalidDataException)
        {
            End(_total == 0
                ? "its compressed data are damaged from the beginning on"
                : string.Create(CultureInfo.InvariantCulture, $"its compressed data are damaged behind {_total:N0} unpacked bytes"), isOnlyCut: false);
            return;
        }

        _checksum.Append(_buffer.AsSpan(0, _filled));
        (_partSize, _total) = (_partSize + _filled, _total + _filled);
        if (_filled == 0)
        {
            EndPart();
        }
    }

    /// <summary>Begins a part at the place where the file stands.</summary>
    private bool Begin()
    {
        if (++_parts > MostParts)
        {
            End(string.Create(CultureInfo.InvariantCulture, $"it is made of more than {MostParts:N0} parts, of which no more are read"));
        }
        else if (GzipLayout.SkipHeader(file) is { } problem)
        {
            End(problem);
        }
        else
        {
            _part = new DeflateStream(file, CompressionMode.Decompress, leaveOpen: true);
            (_checksum, _partBegin, _partSize) = (new Crc32(), file.Position, 0);
        }

        return !_isAtEnd;
    }

    /// <summary>Looks for the trailer, which stands somewhere in what the decompressor took last: it does not say where its data ended.</summary>
    private void EndPart()
    {
        _part!.Dispose();
        _part = null;
        long taken = file.Position;
        if (GzipLayout.FindTrailer(file, _search, _partBegin, taken, _checksum.Value, unchecked((uint)_partSize)) is not { } behind)
        {
            bool isDamaged = taken < file.Length || GzipLayout.EndsWithSizeLike(file, _partSize);
            End(string.Create(
                CultureInfo.InvariantCulture,
                $"it is {(isDamaged ? "damaged" : "cut off")}: it unpacks to {_total:N0} bytes, and "
                    + $"{(isDamaged ? "the check sum at its end is not theirs" : "their check sum is not at its end")}"), !isDamaged);
            return;
        }

        file.Position = behind;
        switch (GzipLayout.ReadRest(file, _search))
        {
            case GzipRest.Part:
                file.Position = behind;
                break;
            case GzipRest.Nothing:
                _isAtEnd = true;
                break;
            default:
                End(string.Create(
                    CultureInfo.InvariantCulture,
                    $"behind its end there are {file.Length - behind:N0} bytes that are not gzip data (a damaged part of it, or something that was added)"));
                break;
        }
    }

    private void End(string flaw, bool isOnlyCut = true)
    {
        (Flaw, _isAtEnd) = (new MemberFlaw(flaw, isOnlyCut), true);
    }
}
