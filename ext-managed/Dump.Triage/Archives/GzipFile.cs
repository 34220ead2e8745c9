using Dump.Readers.Files;

namespace Dump.Triage.Archives;

/// <summary>A file compressed with gzip, seen as an archive with one member.</summary>
internal sealed class GzipFile : IPackedFile
{
    private const string Suffix = ".gz";
    private readonly string _path;
    private readonly CancellationToken _cancellation;
    private GzipContent? _opened;

    /// <summary>Names the one member; nothing is unpacked yet.</summary>
    /// <param name="path">The file.</param>
    /// <param name="name">Its name, of which the member's is made.</param>
    /// <param name="size">Its size in bytes.</param>
    /// <param name="cancellation">Ends the reading.</param>
    public GzipFile(string path, string name, long size, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _path = path;
        Members = [new ArchiveMember(0, name.EndsWith(Suffix, StringComparison.OrdinalIgnoreCase) && name.Length > Suffix.Length
            ? name[..^Suffix.Length]
            : name, size, false)];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ArchiveMember> Members { get; }

    /// <inheritdoc/>
    public Stream Open(ArchiveMember member) =>
        _opened = new GzipContent(RegularFile.OpenRead(_path), _cancellation);

    /// <inheritdoc/>
    public MemberFlaw? FlawOf(ArchiveMember member, long size, uint checksum) => _opened?.Flaw;

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
