using System.Globalization;
using System.IO.Compression;

namespace Dump.Triage.Archives;

/// <summary>A zip archive whose table of members has a bearable size.</summary>
internal sealed class ZipFile : IPackedFile
{
    private readonly ZipArchive _archive;

    private ZipFile(ZipArchive archive)
    {
        _archive = archive;
        Members =
        [
            .. archive.Entries.Select((e, i) => new ArchiveMember(i, e.FullName, e.CompressedLength, e.IsEncrypted, unchecked((uint)e.Length), e.Crc32)).Where(m => m.Name is not [.., '/' or '\\']),
        ];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ArchiveMember> Members { get; }

    /// <summary>Opens an archive.</summary>
    /// <exception cref="InvalidDataException">It is damaged, or lists too many members.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static ZipFile Open(string path, UnpackLimits limits)
    {
        FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        try
        {
            long bytes = ZipDirectory.Measure(file) ?? throw new InvalidDataException("its table of members is missing: it is cut or damaged");
            if (bytes > limits.DirectoryBytes)
            {
                throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"its table of members takes {bytes:N0} bytes; no more than {limits.DirectoryBytes:N0} are read"));
            }

            file.Position = 0;
            ZipArchive archive = new(file, ZipArchiveMode.Read);
            return archive.Entries.Count <= limits.Members
                ? new ZipFile(archive)
                : throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"it has {archive.Entries.Count:N0} members; no more than {limits.Members:N0} are read"));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public Stream Open(ArchiveMember member) => _archive.Entries[member.Index].Open();

    /// <inheritdoc/>
    public void Dispose() => _archive.Dispose();
}
