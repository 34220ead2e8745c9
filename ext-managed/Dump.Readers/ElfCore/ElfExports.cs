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

/// <summary>The bytes of an ELF file by the addresses that it names for them.</summary>
/// <param name="file">The file.</param>
/// <param name="loads">Its segments that are loaded.</param>
internal sealed class ElfFileMemory(FileBytes file, ElfSegment[] loads) : IMemory
{
    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int done = 0;
        while (done < destination.Length && Find(unchecked(address + (ulong)done)) is { } segment)
        {
            ulong within = unchecked(address + (ulong)done) - segment.Address;
            int wanted = (int)Math.Min((ulong)(destination.Length - done), (ulong)segment.FileSize - within);
            int read = file.Read(segment.FileOffset + (long)within, destination.Slice(done, wanted));
            if (read == 0)
            {
                break;
            }

            done += read;
        }

        return done;
    }

    /// <summary>Where the byte of an address stands in the file, or null when it is in none of its segments.</summary>
    public long? OffsetOf(ulong address) => Find(address) is { } segment ? segment.FileOffset + (long)(address - segment.Address) : null;

    private ElfSegment? Find(ulong address)
    {
        foreach (ElfSegment segment in loads)
        {
            if (address >= segment.Address && address - segment.Address < (ulong)segment.FileSize)
            {
                return segment;
            }
        }

        return null;
    }
}
