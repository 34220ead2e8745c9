using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using Dump.Model.Text;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;

namespace Dump.Readers.Elf;

/// <summary>
/// The functions of an image by address: of the symbol table of its file, or of its separate debug file where it was stripped, and of the dynamic symbols. A
/// function has a name only where a symbol's extent contains the address.
/// </summary>
internal sealed class ElfSymbols
{
    private const int MostSymbols = 2_000_000;
    private const int MostBuckets = 1 << 22;
    private const int LongestName = 4_096;
    private const long NanosecondsOfSymbol = 400;
    private const long NanosecondsOfName = 1_000;
    private const long NanosecondsOfNameByte = 2;

    // Words of a hash table that are read at once.
    private const int WordsTogether = 1_024;
    private const long NanosecondsOfWords = 10_000;

    // Of a symbol and what sorting takes.
    private const long BytesOfSymbol = 40 * 3;
    private readonly Entry[] _entries;
    private readonly Func<Entry, string?> _name;

    private ElfSymbols(Entry[] entries, Func<Entry, string?> name)
    {
        _entries = entries;
        _name = name;
    }

    /// <summary>Reads the tables; empty where there are none.</summary>
    public static ElfSymbols Read(ElfImage image)
    {
        List<Entry> found = [];
        ReadDynamic(image, found);
        FileBytes? file = image.SymbolFile;
        ReadFile(image, file, found);

        // Of several names for one place the one that others may use comes last, which is the first that a search from behind meets.
        Entry[] entries = [.. found.OrderBy(e => e.Address).ThenBy(e => e.IsLocal ? 0 : 1).ThenBy(e => e.IsOfFile ? 0 : 1).ThenByDescending(e => e.Name)];
        return new ElfSymbols(entries, entry => Name(image, file, entry));
    }

    /// <summary>The function that contains an address, or null.</summary>
    public ElfFunction? Find(ulong address)
    {
        int last = SortedSearch.CountUpTo<Entry>(_entries, address, e => e.Address) - 1;
        const int MostNested = 16;
        Entry? best = null;
        for (int i = last; i >= 0 && i > last - MostNested && (best is null || _entries[i].Address == best.Value.Address); i--)
        {
            if (address - _entries[i].Address < _entries[i].Size && (best is null || Underscores(_entries[i]) < Underscores(best.Value)))
            {
                best = _entries[i];
            }
        }

        return best is { } entry && _name(entry) is { Length: > 0 } name ? new ElfFunction(name, entry.Address, entry.Size) : null;
    }

    /// <summary>The functions of some names, each place once.</summary>
    /// <param name="names">The names, as linkers know them.</param>
    public IEnumerable<ElfFunction> Named(IReadOnlyCollection<string> names) => _entries
        .Select(e => (Entry: e, Name: _name(e))).Where(e => e.Name is { } name && names.Contains(name))
        .Select(e => new ElfFunction(e.Name!, e.Entry.Address, e.Entry.Size)).Distinct();

    /// <summary>Names of a library's own for what others call without them (<c>___pthread_mutex_lock</c>) come after those.</summary>
    private int Underscores(Entry entry) => _name(entry) is { } name ? name.Length - name.TrimStart('_').Length : int.MaxValue;

    private static void ReadDynamic(ElfImage image, List<Entry> found)
    {
        if (image.DynamicTables is { } tables)
        {
            Add(image, found, (at, bytes) => image.Read(tables.Symbols + at, bytes), Count(image, tables.Hash), tables.Strings, isOfFile: false);
        }
    }

    /// <summary>How many symbols a hash table of DT_GNU_HASH has: behind the last bucket's chain.</summary>
    private static int Count(ElfImage image, ulong hash)
    {
        if (image.ReadUInt32(hash + ElfDynamicLayout.HashBucketCount) is not { } buckets || buckets > MostBuckets
            || image.ReadUInt32(hash + ElfDynamicLayout.HashFirstSymbol) is not { } first
            || image.ReadUInt32(hash + ElfDynamicLayout.HashFilterWords) is not { } words || words > MostBuckets)
        {
            return 0;
        }

        ulong table = hash + ElfDynamicLayout.HashHeaderSize + words * 8ul;
        if (Largest(image, table, buckets) is not { } last)
        {
            return 0;
        }

        if (last < first || last >= MostSymbols)
        {
            return last < first ? 0 : MostSymbols;
        }

        ulong chain = table + (buckets * 4ul) + ((last - first) * 4ul);
        return (int)Math.Min(last + ChainLength(image, chain, MostSymbols - last) + 1, MostSymbols);
    }

    /// <summary>How many words of a chain come before its last one, which has its lowest bit set.</summary>
    private static uint ChainLength(ElfImage image, ulong chain, uint most)
    {
        Span<byte> bytes = stackalloc byte[WordsTogether * sizeof(uint)];
        uint done = 0;
        while (done < most && WorkBudget.Take(NanosecondsOfWords)
            && image.Read(chain + (done * (ulong)sizeof(uint)), bytes[..((int)Math.Min(WordsTogether, most - done) * sizeof(uint))]) / sizeof(uint) is > 0 and var read)
        {
            foreach (uint word in MemoryMarshal.Cast<byte, uint>(bytes[..(read * sizeof(uint))]))
            {
                if ((word & 1) != 0)
                {
                    return done;
                }

                done++;
            }
        }

        return done;
    }

    /// <summary>The largest number in a table, which is read piece by piece: what it is said to have may not be there. Null where it is not.</summary>
    private static uint? Largest(ElfImage image, ulong table, uint count)
    {
        Span<byte> bytes = stackalloc byte[WordsTogether * sizeof(uint)];
        uint largest = 0;
        for (uint done = 0; done < count; done += WordsTogether)
        {
            Span<byte> piece = bytes[..((int)Math.Min(WordsTogether, count - done) * sizeof(uint))];
            if (!WorkBudget.Take(NanosecondsOfWords) || !image.TryRead(table + done * (ulong)sizeof(uint), piece))
            {
                return null;
            }

            foreach (uint number in MemoryMarshal.Cast<byte, uint>(piece))
            {
                largest = Math.Max(largest, number);
            }
        }

        return largest;
    }

    private static void ReadFile(ElfImage image, FileBytes? file, List<Entry> found)
    {
        if (file is null)
        {
            return;
        }

        IReadOnlyList<ElfSection> sections = ElfSection.Read(file);
        foreach (ElfSection table in sections.Where(s => s is { IsThere: true, Type: ElfSectionLayout.SymbolTable }))
        {
            if (table.Link >= sections.Count || sections[(int)table.Link] is not { IsThere: true, Type: ElfSectionLayout.StringTable } strings)
            {
                continue;
            }

            int symbols = (int)Math.Min(table.Size / ElfImageLayout.SymbolSize, MostSymbols);
            Add(image, found, (at, bytes) => file.Read(table.Offset + (long)at, bytes), symbols, (ulong)strings.Offset, isOfFile: true);
        }
    }

    private static void Add(ElfImage image, List<Entry> found, ReadBytes read, int count, ulong strings, bool isOfFile)
    {
        const int Together = 1_024;
        byte[] bytes = new byte[Together * ElfImageLayout.SymbolSize];
        for (int done = 0; done < count && found.Count < MostSymbols;)
        {
            if (!WorkBudget.Take(Together * NanosecondsOfSymbol) || !WorkBudget.Hold(Together * BytesOfSymbol))
            {
                return;
            }

            int wanted = Math.Min(Together, count - done) * ElfImageLayout.SymbolSize;
            int got = read((ulong)done * ElfImageLayout.SymbolSize, bytes.AsSpan(0, wanted)) / ElfImageLayout.SymbolSize;
            for (int i = 0; i < got; i++)
            {
                Add(image, found, bytes.AsSpan(i * ElfImageLayout.SymbolSize, ElfImageLayout.SymbolSize), strings, isOfFile);
            }

            if (got == 0)
            {
                return;
            }

            done += got;
        }
    }

    private static void Add(ElfImage image, List<Entry> found, ReadOnlySpan<byte> symbol, ulong strings, bool isOfFile)
    {
        byte information = symbol[ElfImageLayout.SymbolInformation];
        ulong size = BinaryPrimitives.ReadUInt64LittleEndian(symbol[ElfImageLayout.SymbolLength..]);
        if ((information & 0xF) is ElfImageLayout.SymbolFunction or ElfImageLayout.SymbolIndirectFunction && size > 0
            && BinaryPrimitives.ReadUInt16LittleEndian(symbol[ElfImageLayout.SymbolSection..]) != ElfDynamicLayout.SectionUndefined)
        {
            found.Add(new Entry(
                unchecked(image.Bias + BinaryPrimitives.ReadUInt64LittleEndian(symbol[ElfImageLayout.SymbolValue..])), size,
                unchecked(strings + BinaryPrimitives.ReadUInt32LittleEndian(symbol)), information >> 4 == ElfImageLayout.BindingLocal, isOfFile));
        }
    }

    private static string? Name(ElfImage image, FileBytes? file, Entry entry)
    {
        if (!WorkBudget.Take(NanosecondsOfName))
        {
            return null;
        }

        byte[] bytes = new byte[256];
        for (; ; bytes = new byte[bytes.Length * 4])
        {
            int read = entry.IsOfFile ? file!.Read((long)Math.Min(entry.Name, long.MaxValue), bytes) : image.Read(entry.Name, bytes);
            int end = bytes.AsSpan(0, read).IndexOf((byte)0);
            WorkBudget.Take(read * NanosecondsOfNameByte);
            if (end >= 0)
            {
                return SafeText.Clean(Encoding.UTF8.GetString(bytes, 0, end), LongestName);
            }

            if (read < bytes.Length || bytes.Length >= LongestName)
            {
                return null;
            }
        }
    }

    private delegate int ReadBytes(ulong at, Span<byte> bytes);

    /// <summary>A symbol; its name is a place in the file, or an address.</summary>
    private readonly record struct Entry(ulong Address, ulong Size, ulong Name, bool IsLocal, bool IsOfFile);
}

/// <summary>A function by a symbol of its image.</summary>
/// <param name="Name">Its name as linkers know it, without a version.</param>
/// <param name="Address">Where it begins.</param>
/// <param name="Size">How many bytes it has.</param>
internal sealed record ElfFunction(string Name, ulong Address, ulong Size);
