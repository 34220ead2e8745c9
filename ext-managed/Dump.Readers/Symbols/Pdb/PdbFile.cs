using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>The symbols of one program database, which belongs to an image by identity. Safe for concurrent use.</summary>
internal sealed class PdbFile : IDisposable
{
    private const int MaxFunctions = 4_000_000;
    private readonly MsfFile _file;
    private readonly MsfStream _records;
    private readonly ImmutableArray<PeSection> _sections;
    private readonly Lazy<PdbFrameData> _frames;
    private readonly Lazy<PdbLines> _lines;
    private readonly ConcurrentDictionary<string, uint?> _addresses = new(StringComparer.Ordinal);

    private PdbFile(MsfFile file, PdbIdentity identity)
    {
        _file = file;
        Span<byte> header = stackalloc byte[PdbLayout.InformationSize];
        file.Stream(PdbLayout.InformationStream).Read(0, header);
        DebugInformation information = new(file);
        Guid guid = new(header.Slice(PdbLayout.InformationGuid, PdbLayout.GuidSize));
        if (guid != identity.Guid || information.Age != identity.Age)
        {
            throw new InvalidPdbException(
                $"it belongs to another build (its identity is {guid} {information.Age}, the module names {identity.Guid} {identity.Age})");
        }

        if (information.IsRearranged)
        {
            throw new InvalidPdbException("its code was rearranged after linking, which is not supported");
        }

        _sections = information.ReadSections();
        _records = information.SymbolRecords;
        Functions = PdbFunctionTable.Read(information, _sections, MaxFunctions);
        _frames = new Lazy<PdbFrameData>(() => PdbFrameData.Read(file, information));
        _lines = new Lazy<PdbLines>(() => PdbLines.Read(file, information, _sections));
    }

    /// <summary>The functions.</summary>
    public PdbFunctionTable Functions { get; }

    /// <summary>Frame data of 32-bit code; empty when there are none or they are damaged.</summary>
    public PdbFrameData Frames => _frames.Value;

    /// <summary>Lines of source files; none where there are none or they are damaged.</summary>
    public PdbLines Lines => _lines.Value;

    /// <summary>Opens a file and reads its functions.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="identity">Identity that the image asks for: the GUID of the PDB information stream and
    /// the age of the DBI stream, see <see cref="DebugInformation.Age"/>.</param>
    /// <param name="reason">Why the file cannot be used, a clause for people; null when it can.</param>
    /// <returns>The symbols, or null for a file that is not readable, damaged in any part that is needed, or of another build. Nothing is thrown.</returns>
    public static PdbFile? Open(string path, PdbIdentity identity, out string? reason)
    {
        try
        {
            return Read(FileBytes.Open(path), identity, out reason);
        }
        catch (Exception exception) when (exception is InvalidDumpException or IOException or UnauthorizedAccessException)
        {
            reason = "it is empty or cannot be read";
            return null;
        }
    }

    /// <summary>As <see cref="Open"/>, for bytes in memory.</summary>
    public static PdbFile? FromBytes(ReadOnlyMemory<byte> bytes, PdbIdentity identity, out string? reason) => Read(FileBytes.Wrap(bytes), identity, out reason);

    /// <summary>Relative address of a public symbol, function or data, by its exact name as the linker spells it; null when there is none.</summary>
    public uint? AddressOf(string name) => _addresses.GetOrAdd(name, FindPublic);

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private static PdbFile? Read(FileBytes bytes, PdbIdentity identity, out string? reason)
    {
        MsfFile? file = null;
        try
        {
            file = new MsfFile(bytes);
            reason = null;
            return new PdbFile(file, identity);
        }
        catch (InvalidPdbException exception)
        {
            file?.Dispose();
            reason = exception.Message;
            return null;
        }
    }

    private uint? FindPublic(string name)
    {
        foreach (SymbolRecord record in SymbolRecord.Between(_records, 0, _records.Size))
        {
            if (record.Kind == PdbLayout.Public
                && record.Name(PdbLayout.PublicName) == name
                && PdbFunctionTable.Address(record, PdbLayout.PublicOffset, PdbLayout.PublicSection, _sections, mustExecute: false) is { } rva)
            {
                return rva;
            }
        }

        return null;
    }
}
