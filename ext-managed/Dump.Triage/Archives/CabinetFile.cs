using System.Globalization;
using Dump.Readers.Cabinets;
using Dump.Readers.Files;

namespace Dump.Triage.Archives;

/// <summary>A cabinet, as far as it is stored or compressed by MSZIP.</summary>
internal sealed class CabinetFile : IPackedFile
{
    private readonly FileStream _file;
    private readonly CabinetContents _contents;

    private CabinetFile(FileStream file, CabinetContents contents)
    {
        (_file, _contents) = (file, contents);

        // What a file takes in a cabinet is not told: it is compressed together with others.
        Members = [.. contents.Members.Select((m, i) => new ArchiveMember(i, m.Name, file.Length, false))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<ArchiveMember> Members { get; }

    /// <summary>Why it has members that cannot be opened, as a clause; null when all can be.</summary>
    public string? Refusal => _contents.Refusal;

    /// <summary>Opens a cabinet.</summary>
    /// <param name="path">The file.</param>
    /// <param name="shown">Its name, as a command line may hold it.</param>
    /// <exception cref="InvalidDataException">It is damaged, one of several, or lists too many members.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static CabinetFile Open(string path, string shown)
    {
        FileStream file = RegularFile.OpenRead(path);
        try
        {
            return new CabinetFile(file, CabinetContents.Read(file, shown));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public Stream Open(ArchiveMember member) => _contents.Open(_contents.Members[member.Index]);

    /// <inheritdoc/>
    public MemberFlaw? FlawOf(ArchiveMember member, long size, uint checksum) => _contents.Members[member.Index].Size is var whole && whole != size
        ? new MemberFlaw(string.Create(CultureInfo.InvariantCulture, $"it is damaged: it unpacks to {size:N0} bytes instead of {whole:N0}"), IsOnlyCut: false)
        : null;

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
