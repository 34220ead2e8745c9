using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Unwinding.X86;

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

/// <summary>
/// The frame data of 32-bit code in a program database, by address. Programs stay in the file until they are asked for. Safe for concurrent use.
/// </summary>
internal sealed class PdbFrameData
{
    private const uint MaximumEntries = 2_000_000;
    private const int MaximumProgram = 512;

    // Entries of one function nest: one for each instruction of its prolog.
    private const int MaximumNesting = 64;
    private readonly Entry[] _entries;
    private readonly PdbStrings? _strings;

    private PdbFrameData(Entry[] entries, PdbStrings? strings)
    {
        _entries = entries;
        _strings = strings;
    }

    /// <summary>Number of entries.</summary>
    public int Count => _entries.Length;

    /// <summary>Reads the frame data; without any, or where they are damaged, the result is empty: functions' names do not depend on them.</summary>
    public static PdbFrameData Read(MsfFile file, DebugInformation information)
    {
        try
        {
            IEnumerable<Entry> entries = information.Frames is { Size: > 0 } frames ? New(frames) : [];
            IEnumerable<Entry> old = information.OldFrames is { Size: > 0 } oldFrames ? Old(oldFrames) : [];
            Entry[] sorted = [.. entries.Concat(old)];
            Array.Sort(sorted, static (x, y) => x.Begin != y.Begin ? x.Begin.CompareTo(y.Begin) : y.Size.CompareTo(x.Size));
            return new PdbFrameData(sorted, sorted.Length == 0 ? null : PdbStrings.Of(file));
        }
        catch (InvalidPdbException)
        {
            return new PdbFrameData([], null);
        }
    }

    /// <summary>
    /// The description of the code at a relative address, or null. Of several that cover it the last to begin
    /// says most, and one with a program more than one without.
    /// </summary>
    public FrameDescription? Find(uint rva)
    {
        FrameDescription? withoutProgram = null;
        for (int i = FirstAfter(rva) - 1, steps = 0; i >= 0 && steps < MaximumNesting; i--, steps++)
        {
            if (rva - _entries[i].Begin >= _entries[i].Size)
            {
                continue;
            }

            FrameDescription description = Describe(_entries[i]);
            if (description.Program is not null)
            {
                return description;
            }

            withoutProgram ??= description;
        }

        return withoutProgram;
    }

    private static IEnumerable<Entry> New(MsfStream stream)
    {
        // Object files have a relocated address before the entries, which a linker may leave.
        uint start = stream.Size % PdbLayout.FrameSize;
        foreach (uint at in Places(stream, start is 0 or sizeof(uint) ? start : throw new InvalidPdbException("its frame data are damaged"),
            PdbLayout.FrameSize))
        {
            yield return new Entry(
                stream.UInt32(at), stream.UInt32(at + PdbLayout.FrameCodeSize), stream.UInt32(at + PdbLayout.FrameLocals),
                stream.UInt32(at + PdbLayout.FrameParameters),
                stream.UInt16(at + PdbLayout.FrameRegisters), false, stream.UInt32(at + PdbLayout.FrameProgram));
        }
    }

    private static IEnumerable<Entry> Old(MsfStream stream)
    {
        foreach (uint at in Places(stream, 0, PdbLayout.OldFrameSize))
        {
            int bits = stream.UInt16(at + PdbLayout.OldFrameBits);
            yield return new Entry(
                stream.UInt32(at), stream.UInt32(at + PdbLayout.OldFrameCodeSize), unchecked(stream.UInt32(at + PdbLayout.OldFrameLocals) * sizeof(uint)),
                (uint)stream.UInt16(at + PdbLayout.OldFrameParameters) * sizeof(uint),
                (uint)((bits >> PdbLayout.OldFrameRegistersShift) & PdbLayout.OldFrameRegistersMask) * sizeof(uint),
                bits >> PdbLayout.OldFrameTypeShift == PdbLayout.OldFrameIsNoOmission, null);
        }
    }

    private static IEnumerable<uint> Places(MsfStream stream, uint start, uint size)
    {
        if (stream.Size / size > MaximumEntries)
        {
            throw new InvalidPdbException("it has more frame data than can be");
        }

        for (uint at = start; at <= stream.Size - Math.Min(size, stream.Size) && stream.Size >= size; at += size)
        {
            yield return at;
        }
    }

    private FrameDescription Describe(Entry entry) =>
        new(entry.Locals, entry.Parameters, entry.Registers, entry.UsesFramePointer, entry.Program is { } place ? _strings?.At(place, MaximumProgram) : null);

    private int FirstAfter(uint rva) => SortedSearch.CountUpTo<Entry>(_entries, rva, e => e.Begin);

    private readonly record struct Entry(uint Begin, uint Size, uint Locals, uint Parameters, uint Registers, bool UsesFramePointer, uint? Program);
}
