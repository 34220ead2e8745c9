using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Dump.Model.Mangling;
using Dump.Model.Text;

namespace Dump.Readers.Pe;

/// <summary>
/// The functions that the symbol table in an image's file names: GCC for Windows leaves it there, also without debug information. It says where a function
/// begins and not where it ends, so an address behind a beginning has no name. Nothing of it lies in memory. Safe for concurrent use.
/// </summary>
internal sealed class CoffSymbols
{
    private const int MostSymbols = 1_000_000;
    private const int LongestName = 4_096;

    // Longer ones are not read: those of the largest programs have some 100 MiB.
    private const int LongestSection = 256 << 20;
    private const int SymbolsAtOnce = 4_096;
    private readonly PeImageFile _file;
    private readonly Entry[] _entries;

    private CoffSymbols(PeImageFile file, IEnumerable<Entry> entries)
    {
        _file = file;

        // Of several names for one place the one that other files know comes first, then the first of the table.
        _entries = [.. entries.OrderBy(e => e.Rva).ThenBy(e => e.IsLocal).ThenBy(e => e.Place).DistinctBy(e => e.Rva)];
    }

    /// <summary>Reads the table of a file; without entries where it has none, and up to the damage of one that is damaged.</summary>
    public static CoffSymbols Read(PeImageFile file)
    {
        List<Entry> entries = [];
        int count = (int)Math.Min(file.Headers.SymbolCount, MostSymbols);
        byte[] bytes = new byte[Math.Min(count, SymbolsAtOnce) * CoffLayout.SymbolSize];
        int auxiliary = 0;
        for (int done = 0; done < count && file.Headers.SymbolTable != 0;)
        {
            Span<byte> piece = bytes.AsSpan(0, Math.Min(count - done, SymbolsAtOnce) * CoffLayout.SymbolSize);
            if (!file.ReadAt(file.Headers.SymbolTable + (long)done * CoffLayout.SymbolSize, piece))
            {
                break;
            }

            for (; !piece.IsEmpty; piece = piece[CoffLayout.SymbolSize..], done++)
            {
                if (auxiliary > 0)
                {
                    auxiliary--;
                    continue;
                }

                auxiliary = piece[CoffLayout.AuxiliaryCount];
                if (FunctionIn(file.Headers, piece, done) is { } function)
                {
                    entries.Add(function);
                }
            }
        }

        return new CoffSymbols(file, entries);
    }

    /// <summary>The name of the function that begins at a relative address, readable and sanitised; null where none begins.</summary>
    public string? At(uint rva)
    {
        int index = Array.BinarySearch(_entries, new Entry(rva, 0, false));
        return index >= 0 && NameOf(_entries[index].Place) is { Length: > 0 } name ? MangledNames.Readable(name) ?? SafeText.Clean(name, 512) : null;
    }

    private static Entry? FunctionIn(PeHeaders headers, ReadOnlySpan<byte> symbol, int place)
    {
        int section = BinaryPrimitives.ReadInt16LittleEndian(symbol[CoffLayout.SectionNumber..]);
        uint value = BinaryPrimitives.ReadUInt32LittleEndian(symbol[CoffLayout.Value..]);
        return (BinaryPrimitives.ReadUInt16LittleEndian(symbol[CoffLayout.Type..]) & CoffLayout.KindMask) == CoffLayout.FunctionType
            && symbol[CoffLayout.StorageClass] is CoffLayout.ClassExternal or CoffLayout.ClassStatic
            && section > 0 && section <= headers.Sections.Length && headers.Sections[section - 1] is { IsExecutable: true } code && value < code.VirtualSize
            && value <= uint.MaxValue - code.VirtualAddress
            ? new Entry(code.VirtualAddress + value, place, symbol[CoffLayout.StorageClass] == CoffLayout.ClassStatic) : null;
    }

    /// <summary>
    /// The bytes of a section of an image's file, as DWARF lies in images that GCC has made; null where there is none of the name, it is too long or not in
    /// the file.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="name">Its name, for example <c>.debug_line</c>.</param>
    public static byte[]? ReadSection(PeImageFile file, string name)
    {
        foreach (PeSection section in file.Headers.Sections)
        {
            uint size = Math.Min(section.RawSize, section.VirtualSize);
            if (NameOf(file, section) != name || size == 0)
            {
                continue;
            }

            if (size > LongestSection || !WorkBudget.Hold(size) || !WorkBudget.Take(size))
            {
                return null;
            }

            byte[] bytes = new byte[size];
            return file.ReadAt(section.RawOffset, bytes) ? bytes : null;
        }

        return null;
    }

    private static string? NameOf(PeImageFile file, PeSection section)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, section.Name);
        string name = Encoding.ASCII.GetString(bytes).TrimEnd('\0');
        return !name.StartsWith('/') ? name
            : uint.TryParse(name.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out uint offset) && file.Headers.SymbolTable != 0
                ? LongName(file, offset) : null;
    }

    private string? NameOf(int place)
    {
        Span<byte> name = stackalloc byte[CoffLayout.NameSize];
        if (!_file.ReadAt(_file.Headers.SymbolTable + (long)place * CoffLayout.SymbolSize, name))
        {
            return null;
        }

        if (BinaryPrimitives.ReadUInt32LittleEndian(name) != 0)
        {
            int end = name.IndexOf((byte)0);
            return Encoding.UTF8.GetString(end < 0 ? name : name[..end]);
        }

        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(name[CoffLayout.NameOffset..]);
        return LongName(_file, offset);
    }

    /// <summary>A name of the table of strings.</summary>
    private static string? LongName(PeImageFile file, uint offset)
    {
        if (offset < CoffLayout.StringsSize)
        {
            return null;
        }

        Span<byte> name = stackalloc byte[LongestName];
        int read = file.ReadUpTo(file.Headers.SymbolTable + ((long)file.Headers.SymbolCount * CoffLayout.SymbolSize) + offset, name);
        int end = name[..read].IndexOf((byte)0);
        return end < 0 ? null : Encoding.UTF8.GetString(name[..end]);
    }

    /// <param name="Rva">Where the function begins.</param>
    /// <param name="Place">Which symbol it is.</param>
    /// <param name="IsLocal">True for one that other files do not know.</param>
    private readonly record struct Entry(uint Rva, int Place, bool IsLocal) : IComparable<Entry>
    {
        public int CompareTo(Entry other) => Rva.CompareTo(other.Rva);
    }
}

/// <summary>
/// The symbol table of object files, which GCC's linker leaves in images. Source: Microsoft's "PE Format" specification, "COFF Symbol Table".
/// </summary>
internal static class CoffLayout
{
    public const int SymbolSize = 18;
    public const int NameSize = 8;

    /// <summary>Where the name is longer than its place, that begins with four zero bytes, and the offset in the table of strings follows.</summary>
    public const int NameOffset = 4;
    public const int Value = 8;

    /// <summary>Number of the section, counted from 1; 0 and negative numbers are none.</summary>
    public const int SectionNumber = 12;
    public const int Type = 14;

    /// <summary>The kind of a function, above the basic type.</summary>
    public const ushort FunctionType = 0x20;
    public const ushort KindMask = 0x30;
    public const int StorageClass = 16;
    public const byte ClassExternal = 2;
    public const byte ClassStatic = 3;

    /// <summary>How many entries of another form follow.</summary>
    public const int AuxiliaryCount = 17;

    /// <summary>The table of strings follows the symbols, and begins with its own size.</summary>
    public const int StringsSize = 4;
}
