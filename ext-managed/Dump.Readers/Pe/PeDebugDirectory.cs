using System.Buffers.Binary;
using System.Globalization;
using Dump.Model.Text;

namespace Dump.Readers.Pe;

/// <summary>Reads the debug directory of an image.</summary>
internal static class PeDebugDirectory
{
    private const int LongestPath = 1024;

    /// <summary>The entries up to the first one that is not readable.</summary>
    public static IReadOnlyList<PeDebugEntry> Entries(IRvaReader reader, PeDirectory directory)
    {
        List<PeDebugEntry> entries = [];
        Span<byte> entry = stackalloc byte[PeLayout.DebugEntrySize];
        uint count = Math.Min(directory.Size / PeLayout.DebugEntrySize, PeLayout.MaxDebugEntries);
        for (uint i = 0; i < count; i++)
        {
            uint rva = directory.Rva + (i * PeLayout.DebugEntrySize);
            if (rva < directory.Rva || !reader.ReadRva(rva, entry))
            {
                break;
            }

            entries.Add(new PeDebugEntry(
                BinaryPrimitives.ReadUInt32LittleEndian(entry[PeLayout.DebugType..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[PeLayout.DebugTimeDateStamp..]),
                BinaryPrimitives.ReadUInt16LittleEndian(entry[PeLayout.DebugMinorVersion..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[PeLayout.DebugDataSize..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[PeLayout.DebugDataRva..])));
        }

        return entries;
    }

    /// <summary>
    /// Which Windows PDB the first CodeView entry of one names; null when there is none or its record is not readable. Portable PDBs are those of managed code.
    /// </summary>
    public static PdbIdentity? Read(IRvaReader reader, PeDirectory directory)
    {
        foreach (PeDebugEntry entry in Entries(reader, directory).Where(IsOfWindowsPdb))
        {
            return ReadCodeView(reader, entry) is { } record
                ? new PdbIdentity(
                    SafeText.Clean(record.Path[(record.Path.AsSpan().LastIndexOfAny('/', '\\') + 1)..], LongestPath), record.Guid, record.Age)
                : null;
        }

        return null;
    }

    private static bool IsOfWindowsPdb(PeDebugEntry entry) =>
        entry.Type == PeLayout.DebugTypeCodeView && entry.MinorVersion != PeLayout.DebugPortableVersion;

    /// <summary>The record of a CodeView entry; null when it is not readable or of another kind.</summary>
    public static PeCodeView? ReadCodeView(IRvaReader reader, PeDebugEntry entry)
    {
        Span<byte> record = stackalloc byte[PeLayout.CodeViewPath];
        return entry.Rva != 0 && entry.Rva <= uint.MaxValue - PeLayout.CodeViewPath && reader.ReadRva(entry.Rva, record)
            && BinaryPrimitives.ReadUInt32LittleEndian(record) == PeLayout.CodeViewSignature
            && reader.ReadString(entry.Rva + PeLayout.CodeViewPath, LongestPath) is { } path
            ? new PeCodeView(
                path, new Guid(record.Slice(PeLayout.CodeViewGuid, PeLayout.GuidSize)), BinaryPrimitives.ReadUInt32LittleEndian(record[PeLayout.CodeViewAge..]))
            : null;
    }
}

/// <summary>Which PDB belongs to an image, as its linker wrote it down (RSDS record).</summary>
/// <param name="Path">Path of the PDB on the machine that built it; untrusted and not cleaned.</param>
/// <param name="Guid">Identity of the PDB.</param>
/// <param name="Age">Age of the PDB.</param>
internal readonly record struct PeCodeView(string Path, Guid Guid, uint Age);

/// <summary>Which PDB belongs to an image (the RSDS record of its debug directory).</summary>
/// <param name="FileName">File name of the PDB without directory, sanitised.</param>
/// <param name="Guid">Identity of the PDB.</param>
/// <param name="Age">Age of the PDB: how often it was written.</param>
public sealed record PdbIdentity(string FileName, Guid Guid, uint Age)
{
    /// <summary>The last component of the name.</summary>
    public string PlainName => FileName[(FileName.AsSpan().LastIndexOfAny('/', '\\') + 1)..];

    /// <summary>What a symbol store files it under: GUID, then age, hexadecimal.</summary>
    public string StoreKey => string.Create(CultureInfo.InvariantCulture, $"{Guid.ToString("N").ToUpperInvariant()}{Age:X}");
}

/// <summary>One entry of an image's debug directory.</summary>
/// <param name="Type">Kind of its data.</param>
/// <param name="TimeDateStamp">Its stamp.</param>
/// <param name="MinorVersion">Version of its data's format.</param>
/// <param name="Size">Size of its data in bytes.</param>
/// <param name="Rva">Where its data are in memory; 0 where they are not mapped.</param>
internal readonly record struct PeDebugEntry(uint Type, uint TimeDateStamp, ushort MinorVersion, uint Size, uint Rva);
