using System.Buffers.Binary;
using System.IO.Compression;

namespace Dump.Triage.Archives;

/// <summary>A file compressed with gzip, seen as an archive with one member.</summary>
internal sealed class GzipFile : IPackedFile
{
    private const string Suffix = ".gz";
    private readonly string _path;

    /// <summary>Opens it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="name">Its name, of which the member's is made.</param>
    /// <param name="size">Its size in bytes.</param>
    public GzipFile(string path, string name, long size)
    {
        _path = path;
        Members = [new ArchiveMember(0, name.EndsWith(Suffix, StringComparison.OrdinalIgnoreCase) && name.Length > Suffix.Length ? name[..^Suffix.Length] : name, size, false, DeclaredSize(path, size))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ArchiveMember> Members { get; }

    /// <inheritdoc/>
    public Stream Open(ArchiveMember member) =>
        new GZipStream(new FileStream(_path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete), CompressionMode.Decompress);

    // ISIZE, the last four bytes of the file (RFC 1952 2.3.1).
    private static uint? DeclaredSize(string path, long size)
    {
        Span<byte> field = stackalloc byte[sizeof(uint)];
        using Microsoft.Win32.SafeHandles.SafeFileHandle file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        return size >= field.Length && RandomAccess.Read(file, field, size - field.Length) == field.Length ? BinaryPrimitives.ReadUInt32LittleEndian(field) : null;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
