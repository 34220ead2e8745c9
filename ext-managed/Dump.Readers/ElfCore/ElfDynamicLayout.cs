namespace Dump.Readers.ElfCore;

/// <summary>
/// Offsets and constants of the dynamic section of 64-bit ELF files. Sources: System V ABI, chapter 5 (dynamic section, symbol table); the table of tag
/// DT_GNU_HASH as glibc reads it (elf/dl-lookup.c, do_lookup_x): four words (buckets, first symbol in the table, words of the Bloom filter, its shift),
/// the filter, the buckets, a word for each symbol whose lowest bit marks the last one of a bucket.
/// </summary>
internal static class ElfDynamicLayout
{
    public const uint SegmentDynamic = 2;
    public const int EntrySize = 16;
    public const ulong TagEnd = 0;
    public const ulong TagStringTable = 5;
    public const ulong TagSymbolTable = 6;
    public const ulong TagGnuHash = 0x6FFFFEF5;

    public const int HashBucketCount = 0;
    public const int HashFirstSymbol = 4;
    public const int HashFilterWords = 8;
    public const int HashHeaderSize = 16;
    public const uint HashStart = 5381;
    public const uint HashFactor = 33;

    public const int SymbolSize = 24;
    public const int SymbolName = 0;
    public const int SymbolSection = 6;
    public const int SymbolValue = 8;
    public const ushort SectionUndefined = 0;
}
