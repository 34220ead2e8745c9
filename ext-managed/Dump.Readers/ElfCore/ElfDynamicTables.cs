using System.Text;

namespace Dump.Readers.ElfCore;

/// <summary>
/// The dynamic symbols of a program or library: tables that its loader uses, by address. Sources: elf(5); for the hash table see
/// <see cref="ElfDynamicLayout"/>.
/// </summary>
/// <param name="Memory">Where the tables lie: a process, or a file by the addresses that it will have.</param>
/// <param name="Symbols">Address of the symbol table.</param>
/// <param name="Strings">Address of the names.</param>
/// <param name="Hash">Address of the hash table of DT_GNU_HASH.</param>
internal readonly record struct ElfDynamicTables(IMemory Memory, ulong Symbols, ulong Strings, ulong Hash)
{
    private const int MostEntries = 1_024;
    private const int MostBuckets = 1 << 22;
    private const int MostSymbolsOfOneBucket = 4_096;
    private const int LongestName = 127;

    /// <summary>Finds them; null where the dynamic section does not name all of them.</summary>
    /// <param name="memory">Where it lies.</param>
    /// <param name="section">Address of the dynamic section.</param>
    /// <param name="size">Its size in bytes.</param>
    /// <param name="bias">What is added to an address of the file to have that of the memory; 0 for a file.</param>
    public static ElfDynamicTables? Read(IMemory memory, ulong section, ulong size, ulong bias)
    {
        Dictionary<ulong, ulong> tags = [];
        for (ulong i = 0; i < Math.Min(size / ElfDynamicLayout.EntrySize, MostEntries); i++)
        {
            if (memory.ReadUInt64(section + i * ElfDynamicLayout.EntrySize) is not { } tag || tag == ElfDynamicLayout.TagEnd
                || memory.ReadUInt64(section + i * ElfDynamicLayout.EntrySize + 8) is not { } value)
            {
                break;
            }

            tags.TryAdd(tag, value);
        }

        // The loader of glibc writes addresses of the process into the section, others leave those of the file.
        ulong? Table(ulong tag) => tags.TryGetValue(tag, out ulong value) ? (value < bias ? unchecked(value + bias) : value) : null;
        return Table(ElfDynamicLayout.TagSymbolTable) is { } symbols && Table(ElfDynamicLayout.TagStringTable) is { } strings
            && Table(ElfDynamicLayout.TagGnuHash) is { } hash ? new ElfDynamicTables(memory, symbols, strings, hash) : null;
    }

    /// <summary>What the file has as the address of an exported function or object, or null when it exports none of that name.</summary>
    /// <param name="name">The name without a version, of at most 127 ASCII characters.</param>
    public ulong? AddressOf(string name)
    {
        uint wanted = HashOf(name);
        if (Memory.ReadUInt32(Hash + ElfDynamicLayout.HashBucketCount) is not (> 0 and < MostBuckets and var buckets)
            || Memory.ReadUInt32(Hash + ElfDynamicLayout.HashFirstSymbol) is not { } first
            || Memory.ReadUInt32(Hash + ElfDynamicLayout.HashFilterWords) is not (< MostBuckets and var words))
        {
            return null;
        }

        ulong table = Hash + ElfDynamicLayout.HashHeaderSize + words * 8ul;
        ulong chains = table + buckets * 4ul;
        if (Memory.ReadUInt32(table + wanted % buckets * 4ul) is not { } begin || begin < first)
        {
            return null;
        }

        for (uint i = begin; i - begin < MostSymbolsOfOneBucket && Memory.ReadUInt32(chains + (i - first) * 4ul) is { } hash; i++)
        {
            ulong symbol = Symbols + i * (ulong)ElfDynamicLayout.SymbolSize;
            if ((hash | 1) == (wanted | 1) && IsNamed(symbol, name)
                && Memory.ReadUInt16(symbol + ElfDynamicLayout.SymbolSection) is not (null or ElfDynamicLayout.SectionUndefined))
            {
                return Memory.ReadUInt64(symbol + ElfDynamicLayout.SymbolValue);
            }

            if ((hash & 1) != 0)
            {
                break;
            }
        }

        return null;
    }

    private bool IsNamed(ulong symbol, string name)
    {
        if (name.Length > LongestName || Memory.ReadUInt32(symbol + ElfDynamicLayout.SymbolName) is not { } at)
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[name.Length + 1];
        return Memory.TryRead(unchecked(Strings + at), bytes) && bytes.SequenceEqual(Encoding.ASCII.GetBytes(name + '\0'));
    }

    private static uint HashOf(string name)
    {
        uint hash = ElfDynamicLayout.HashStart;
        foreach (char letter in name)
        {
            hash = unchecked(hash * ElfDynamicLayout.HashFactor + letter);
        }

        return hash;
    }
}
