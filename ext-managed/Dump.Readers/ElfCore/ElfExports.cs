using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>Finds what an ELF program or library on the disk exports, by the hash table that its loader uses.</summary>
internal static class ElfExports
{
    /// <summary>Where the bytes of an exported object stand in the file.</summary>
    /// <param name="file">A 64-bit little-endian ELF file.</param>
    /// <param name="name">Its name, without a version.</param>
    /// <returns>An offset inside the file, or null when the file does not export it or is damaged.</returns>
    public static long? Find(FileBytes file, string name)
    {
        (uint Type, ElfSegment Segment)[] segments = [.. ElfHeader.ReadSegments(file, ReadLimits.Default, [])];
        ElfFileMemory memory = new(file, [.. segments.Where(s => s.Type == ElfCoreLayout.SegmentLoad).Select(s => s.Segment)]);
        foreach ((uint _, ElfSegment section) in segments.Where(s => s.Type == ElfDynamicLayout.SegmentDynamic).Take(1))
        {
            return ElfDynamicTables.Read(memory, section.Address, (ulong)section.FileSize, bias: 0)?.AddressOf(name) is { } address
                ? memory.OffsetOf(address) : null;
        }

        return null;
    }
}
