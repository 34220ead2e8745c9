using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>Finds what an ELF program or library exports, by the hash table that its loader uses.</summary>
internal sealed class ElfExports
{
    private const int MostDynamicEntries = 1024;
    private const int MostSymbolsOfOneBucket = 4096;
    private readonly FileBytes _file;
    private readonly ElfSegment[] _segments;
    private readonly Dictionary<ulong, ulong> _dynamic = [];

    private ElfExports(FileBytes file, ElfSegment[] segments)
    {
        _file = file;
        _segments = segments;
    }

    /// <summary>Where the bytes of an exported object stand in the file.</summary>
    /// <param name="file">A 64-bit little-endian ELF file.</param>
    /// <param name="name">Its name, without a version.</param>
    /// <returns>An offset inside the file, or null when the file does not export it or is damaged.</returns>
    public static long? Find(FileBytes file, string name)
    {
        (uint Type, ElfSegment Segment)[] segments = [.. ElfHeader.ReadSegments(file, ReadLimits.Default, [])];
        ElfExports exports = new(file, [.. segments.Where(s => s.Type == ElfCoreLayout.SegmentLoad).Select(s => s.Segment)]);
        foreach ((uint _, ElfSegment dynamic) in segments.Where(s => s.Type == ElfDynamicLayout.SegmentDynamic).Take(1))
        {
            exports.ReadDynamic(dynamic);
        }

        return exports.AddressOf(name) is { } address ? exports.OffsetOf(address) : null;
    }

    private void ReadDynamic(ElfSegment segment)
    {
        for (int i = 0; i < MostDynamicEntries && (i + 1L) * ElfDynamicLayout.EntrySize <= segment.FileSize; i++)
        {
            long at = segment.FileOffset + (long)i * ElfDynamicLayout.EntrySize;
            if (_file.ReadUInt64(at) is not { } tag || _file.ReadUInt64(at + 8) is not { } value || tag == ElfDynamicLayout.TagEnd)
            {
                return;
            }

            _dynamic.TryAdd(tag, value);
        }
    }

    private ulong? AddressOf(string name)
    {
        if (Table(ElfDynamicLayout.TagGnuHash) is not { } table || Table(ElfDynamicLayout.TagSymbolTable) is not { } symbols
            || Table(ElfDynamicLayout.TagStringTable) is not { } strings
            || _file.ReadUInt32(table + ElfDynamicLayout.HashBucketCount) is not ({ } buckets and not 0)
            || _file.ReadUInt32(table + ElfDynamicLayout.HashFirstSymbol) is not { } first
            || _file.ReadUInt32(table + ElfDynamicLayout.HashFilterWords) is not { } filterWords)
        {
            return null;
        }

        uint wanted = Hash(name);
        long bucketTable = table + ElfDynamicLayout.HashHeaderSize + filterWords * 8L;
        long chains = bucketTable + buckets * 4L;
        if (_file.ReadUInt32(bucketTable + wanted % buckets * 4L) is not { } begin || begin < first)
        {
            return null;
        }

        for (uint i = begin; i - begin < MostSymbolsOfOneBucket && _file.ReadUInt32(chains + (i - first) * 4L) is { } hash; i++)
        {
            long symbol = symbols + i * (long)ElfDynamicLayout.SymbolSize;
            if ((hash | 1) == (wanted | 1) && _file.ReadUInt32(symbol + ElfDynamicLayout.SymbolName) is { } text && IsName(strings + text, name)
                && _file.ReadUInt16(symbol + ElfDynamicLayout.SymbolSection) is not (null or ElfDynamicLayout.SectionUndefined))
            {
                return _file.ReadUInt64(symbol + ElfDynamicLayout.SymbolValue);
            }

            if ((hash & 1) != 0)
            {
                break;
            }
        }

        return null;
    }

    private long? Table(ulong tag) => _dynamic.TryGetValue(tag, out ulong address) ? OffsetOf(address) : null;

    private long? OffsetOf(ulong address)
    {
        foreach (ElfSegment segment in _segments)
        {
            if (address >= segment.Address && address - segment.Address < (ulong)segment.FileSize)
            {
                return segment.FileOffset + (long)(address - segment.Address);
            }
        }

        return null;
    }

    private bool IsName(long at, string name)
    {
        Span<byte> bytes = stackalloc byte[name.Length + 1];
        if (_file.Read(at, bytes) < bytes.Length || bytes[^1] != 0)
        {
            return false;
        }

        for (int i = 0; i < name.Length; i++)
        {
            if (bytes[i] != name[i])
            {
                return false;
            }
        }

        return true;
    }

    private static uint Hash(string name)
    {
        uint hash = ElfDynamicLayout.HashStart;
        foreach (char letter in name)
        {
            hash = unchecked(hash * ElfDynamicLayout.HashFactor + letter);
        }

        return hash;
    }
}
