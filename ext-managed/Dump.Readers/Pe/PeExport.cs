using System.Buffers.Binary;
using System.Collections.Frozen;
using System.Collections.Immutable;

namespace Dump.Readers.Pe;

/// <summary>A named export.</summary>
/// <param name="Name">Its name: printable ASCII.</param>
/// <param name="Ordinal">Its ordinal.</param>
/// <param name="Rva">Relative address of what is exported; of the forwarder's text when <paramref name="IsForwarder"/> is true.</param>
/// <param name="IsForwarder">True when the export stands for an export of another module and has no code here.</param>
public readonly record struct PeExport(string Name, uint Ordinal, uint Rva, bool IsForwarder);

/// <summary>The named exports of an image.</summary>
internal sealed class PeExports
{
    private const int MaxNameLength = 1024;

    private readonly FrozenDictionary<string, PeExport> _byName;
    private readonly ImmutableArray<PeExport> _byRva;

    private PeExports(IReadOnlyCollection<PeExport> exports, bool isComplete)
    {
        _byName = exports.DistinctBy(export => export.Name).ToFrozenDictionary(export => export.Name, StringComparer.Ordinal);
        _byRva = [.. exports
            .Where(export => !export.IsForwarder)
            .OrderBy(export => export.Rva)
            .ThenBy(export => Preference(export.Name))
            .ThenBy(export => export.Name, StringComparer.Ordinal)
            .DistinctBy(export => export.Rva)];
        IsComplete = isComplete;
    }

    /// <summary>False when a part of the table could not be read.</summary>
    public bool IsComplete { get; }

    public static PeExports Empty(bool isComplete) => new([], isComplete);

    /// <summary>Exports with an address in this image, one per address, ordered by address.</summary>
    public ImmutableArray<PeExport> ByRva => _byRva;

    public PeExport? Find(string name) => _byName.TryGetValue(name, out PeExport export) ? export : null;

    /// <summary>The export that begins nearest at or below an address.</summary>
    public PeExport? AtOrBelow(uint rva)
    {
        int before = SortedSearch.CountUpTo(_byRva.AsSpan(), rva, e => e.Rva);
        return before == 0 ? null : _byRva[before - 1];
    }

    /// <summary>Reads the export directory; parts that are missing are left out.</summary>
    public static PeExports Read(IRvaReader reader, PeDirectory directory, ulong imageSize)
    {
        Span<byte> header = stackalloc byte[PeLayout.ExportDirectorySize];
        if (directory.Rva == 0 || directory.Size == 0)
        {
            return Empty(isComplete: true);
        }

        if (!reader.ReadRva(directory.Rva, header))
        {
            return Empty(isComplete: false);
        }

        uint ordinalBase = BinaryPrimitives.ReadUInt32LittleEndian(header[PeLayout.ExportOrdinalBase..]);
        bool complete = true;
        byte[] functions = ReadTable(header, PeLayout.ExportFunctionCount, PeLayout.ExportFunctions, sizeof(uint));
        byte[] names = ReadTable(header, PeLayout.ExportNameCount, PeLayout.ExportNames, sizeof(uint));
        bool beforeOrdinals = complete;
        complete = true;
        byte[] ordinals = ReadTable(header, PeLayout.ExportNameCount, PeLayout.ExportNameOrdinals, sizeof(ushort));
        if (!complete)
        {
            // A missing page reads as zero, and a zero ordinal would give names to the wrong function.
            return Empty(isComplete: false);
        }

        complete = beforeOrdinals;
        List<PeExport> exports = new(names.Length / sizeof(uint));
        for (int i = 0; i < Math.Min(names.Length / sizeof(uint), ordinals.Length / sizeof(ushort)); i++)
        {
            uint nameRva = BinaryPrimitives.ReadUInt32LittleEndian(names.AsSpan(i * sizeof(uint)));
            int index = BinaryPrimitives.ReadUInt16LittleEndian(ordinals.AsSpan(i * sizeof(ushort)));
            uint rva = (index + 1) * sizeof(uint) <= functions.Length ? BinaryPrimitives.ReadUInt32LittleEndian(functions.AsSpan(index * sizeof(uint))) : 0;
            string? name = nameRva == 0 || rva == 0 || rva >= imageSize ? null : reader.ReadString(nameRva, MaxNameLength);
            if (name is null || !IsPrintable(name))
            {
                complete = false;
                continue;
            }

            exports.Add(new PeExport(name, unchecked(ordinalBase + (uint)index), rva, directory.Contains(rva)));
        }

        return new PeExports(exports, complete);

        byte[] ReadTable(ReadOnlySpan<byte> exportHeader, int countOffset, int placeOffset, int elementSize)
        {
            uint count = BinaryPrimitives.ReadUInt32LittleEndian(exportHeader[countOffset..]);
            uint rva = BinaryPrimitives.ReadUInt32LittleEndian(exportHeader[placeOffset..]);
            ulong room = rva < imageSize ? (imageSize - rva) / (uint)elementSize : 0;
            if (count > PeLayout.MaxExports || count > room)
            {
                complete = false;
                count = 0;
            }

            byte[] table = new byte[count * (uint)elementSize];
            complete &= ReadPages(reader, rva, table);
            return table;
        }
    }

    /// <summary>Reads what there is page by page; missing pages stay zero.</summary>
    private static bool ReadPages(IRvaReader reader, uint rva, byte[] table)
    {
        if (reader.ReadRva(rva, table))
        {
            return true;
        }

        const uint PageSize = 0x1000;
        Array.Clear(table);
        for (uint done = 0; done < table.Length;)
        {
            uint step = Math.Min(PageSize - ((rva + done) % PageSize), (uint)table.Length - done);
            Span<byte> page = table.AsSpan((int)done, (int)step);
            if (!reader.ReadRva(rva + done, page))
            {
                page.Clear();
            }

            done += step;
        }

        return false;
    }

    // Where several exports share an address the Nt name wins over all others and the Zw name loses to all
    // others, because stacks are compared with the names that Windows documents; the rest goes by spelling.
    internal static int Preference(string name) =>
        name.StartsWith("Nt", StringComparison.Ordinal) ? 0 : name.StartsWith("Zw", StringComparison.Ordinal) ? 2 : 1;

    private static bool IsPrintable(string name) => name.Length > 0 && !name.AsSpan().ContainsAnyExceptInRange('!', '~');
}
