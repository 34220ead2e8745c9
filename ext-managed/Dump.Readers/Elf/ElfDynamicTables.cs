using System.Text;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Elf;

/// <summary>
/// The dynamic symbols of an image in memory: tables that its loader uses. Sources: elf(5); for the hash table, binutils' <c>bfd/elflink.c</c> and glibc's
/// <c>elf/dl-lookup.c</c>.
/// </summary>
/// <param name="Image">The image.</param>
/// <param name="Symbols">Address of the symbol table.</param>
/// <param name="Strings">Address of the names.</param>
/// <param name="Hash">Address of the hash table of DT_GNU_HASH.</param>
internal readonly record struct ElfDynamicTables(ElfImage Image, ulong Symbols, ulong Strings, ulong Hash)
{
    private const int MostEntries = 1_024;
    private const int MostBuckets = 1 << 22;
    private const int LongestChain = 1_000;

    /// <summary>Finds them; null where the image has none, or not all.</summary>
    /// <param name="image">The image.</param>
    public static ElfDynamicTables? Read(ElfImage image)
    {
        Dictionary<ulong, ulong> tags = [];
        if (image.Dynamic is not { } dynamic)
        {
            return null;
        }

        for (ulong i = 0; i < Math.Min(dynamic.Size / ElfDynamicLayout.EntrySize, MostEntries); i++)
        {
            if (image.ReadUInt64(dynamic.Address + i * ElfDynamicLayout.EntrySize) is not { } tag || tag == ElfDynamicLayout.TagEnd
                || image.ReadUInt64(dynamic.Address + i * ElfDynamicLayout.EntrySize + 8) is not { } value)
            {
                break;
            }

            tags.TryAdd(tag, value);
        }

        // The loader of glibc writes addresses of the process into the section, others leave those of the file.
        ulong? Table(ulong tag) => tags.TryGetValue(tag, out ulong value) ? (value < image.Bias ? unchecked(value + image.Bias) : value) : null;
        return Table(ElfDynamicLayout.TagSymbolTable) is { } symbols && Table(ElfDynamicLayout.TagStringTable) is { } strings
            && Table(ElfDynamicLayout.TagGnuHash) is { } hash ? new ElfDynamicTables(image, symbols, strings, hash) : null;
    }

    /// <summary>True when the image exports a name, whether a function or data.</summary>
    /// <param name="name">The name, of ASCII characters.</param>
    public bool Export(string name)
    {
        uint wanted = ElfDynamicLayout.HashStart;
        foreach (char character in name)
        {
            wanted = unchecked(wanted * ElfDynamicLayout.HashFactor + character);
        }

        if (Image.ReadUInt32(Hash + ElfDynamicLayout.HashBucketCount) is not (> 0 and < MostBuckets and var buckets)
            || Image.ReadUInt32(Hash + ElfDynamicLayout.HashFirstSymbol) is not { } first
            || Image.ReadUInt32(Hash + ElfDynamicLayout.HashFilterWords) is not (< MostBuckets and var words))
        {
            return false;
        }

        ulong table = Hash + ElfDynamicLayout.HashHeaderSize + words * 8ul;
        ulong chains = table + buckets * 4ul;
        uint symbol = Image.ReadUInt32(table + wanted % buckets * 4ul) ?? 0;
        for (int i = 0; i < LongestChain && symbol >= first && Image.ReadUInt32(chains + (symbol - first) * 4ul) is { } hash; i++, symbol++)
        {
            if ((hash | 1) == (wanted | 1) && IsNamed(symbol, name))
            {
                return true;
            }

            if ((hash & 1) != 0)
            {
                return false;
            }
        }

        return false;
    }

    private bool IsNamed(uint symbol, string name)
    {
        Span<byte> bytes = stackalloc byte[128];
        return name.Length < bytes.Length && Image.ReadUInt32(Symbols + symbol * (ulong)ElfImageLayout.SymbolSize) is { } at
            && Image.Read(unchecked(Strings + at), bytes[..(name.Length + 1)]) == name.Length + 1
            && bytes[..(name.Length + 1)].SequenceEqual(Encoding.ASCII.GetBytes(name + '\0'));
    }
}
