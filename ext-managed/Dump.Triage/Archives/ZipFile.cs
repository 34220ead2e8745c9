using System.Globalization;
using System.IO.Compression;
using Dump.Readers.Files;

namespace Dump.Triage.Archives;

/// <summary>A zip archive whose table of members has a bearable size. Other bytes may stand before it, as in one that unpacks itself.</summary>
internal sealed class ZipFile : IPackedFile
{
    private readonly ZipArchive _archive;

    private ZipFile(ZipArchive archive)
    {
        _archive = archive;
        Members = [.. archive.Entries.Select((e, i) => new ArchiveMember(i, e.FullName, e.CompressedLength, e.IsEncrypted))
            .Where(m => m.Name is not [.., '/' or '\\'])];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ArchiveMember> Members { get; }

    /// <summary>Opens an archive.</summary>
    /// <exception cref="InvalidDataException">It is damaged, or lists too many members.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static ZipFile Open(string path, UnpackLimits limits)
    {
        FileStream file = RegularFile.OpenRead(path);
        try
        {
            ZipDirectory directory = ZipDirectory.Find(file) ?? throw new InvalidDataException("its table of members is missing: it is cut or damaged");
            if (directory.Bytes > limits.DirectoryBytes)
            {
                throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture,
                    $"its table of members takes {directory.Bytes:N0} bytes; no more than {limits.DirectoryBytes:N0} are read"));
            }

            file.Position = 0;
            ZipArchive archive = new(directory.Start == 0 ? file : new SliceStream(file, directory.Start) { Position = 0 }, ZipArchiveMode.Read);
            return archive.Entries.Count <= limits.Members
                ? new ZipFile(archive)
                : throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture,
                    $"it has {archive.Entries.Count:N0} members; no more than {limits.Members:N0} are read"));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public Stream Open(ArchiveMember member)
    {
        try
        {
            return _archive.Entries[member.Index].Open();
        }
        catch (InvalidDataException)
        {
            throw new InvalidDataException("it is packed by a method that is not read here, or its header is damaged; unpack it first");
        }
    }

    /// <inheritdoc/>
    public MemberFlaw? FlawOf(ArchiveMember member, long size, uint checksum)
    {
        ZipArchiveEntry entry = _archive.Entries[member.Index];

        // The decompressor ends where its input ends, without a word.
        return unchecked((uint)entry.Length) != unchecked((uint)size)
            ? new MemberFlaw(string.Create(CultureInfo.InvariantCulture,
                $"it is damaged, or a part of an archive of several: it unpacks to {size:N0} bytes instead of {entry.Length:N0}"), IsOnlyCut: false)
            : entry.Crc32 != checksum ? new MemberFlaw("it is damaged: its content is not what the archive's check sum says", IsOnlyCut: false) : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _archive.Dispose();
}

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
