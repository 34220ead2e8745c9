using System.Buffers.Binary;
using System.Collections;

namespace Dump.Readers.Minidump;

/// <summary>Reads MemoryList, Memory64List and MemoryInfoList.</summary>
internal static class MemoryStreams
{
    private const int BufferedDescriptors = 4096;

    public static List<MinidumpMemoryRange> ReadList(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "MemoryList";
        if (ListStart.Read(reader, Name, stream, MinidumpLayout.MemoryDescriptorSize, reader.Limits.MaxMemoryRanges) is not var (offset, count))
        {
            return [];
        }

        List<MinidumpMemoryRange> ranges = new(count);
        int cut = 0;
        ulong firstCut = 0;
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * MinidumpLayout.MemoryDescriptorSize;
            FileRange bytes = new(
                reader.UInt32(Name, at + MinidumpLayout.MemoryDescriptorRva),
                reader.UInt32(Name, at + MinidumpLayout.MemoryDescriptorBytes));
            ulong address = reader.UInt64(Name, at);
            if (!Add(reader, ranges, address, bytes) && cut++ == 0)
            {
                firstCut = address;
            }
        }

        ReportCut(reader, Name, cut, firstCut);
        return ranges;
    }

    public static List<MinidumpMemoryRange> ReadList64(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "Memory64List";
        if (!reader.HasRoom(Name, stream, MinidumpLayout.Memory64HeaderSize))
        {
            return [];
        }

        long start = stream.Range.Offset;
        ulong claimed = reader.UInt64(Name, start);
        ulong data = reader.UInt64(Name, start + MinidumpLayout.Memory64BaseRva);
        long offset = start + MinidumpLayout.Memory64HeaderSize;
        int count = reader.Count(Name, claimed, MinidumpLayout.MemoryDescriptorSize, offset, start + stream.Range.Size, reader.Limits.MaxMemoryRanges);
        List<MinidumpMemoryRange> ranges = new(count);
        int cut = 0;
        ulong firstCut = 0;
        byte[] buffer = new byte[MinidumpLayout.MemoryDescriptorSize * Math.Min(count, BufferedDescriptors)];
        for (int i = 0; i < count; i++)
        {
            int slot = i % BufferedDescriptors * MinidumpLayout.MemoryDescriptorSize;
            if (slot == 0)
            {
                reader.File.Read(offset + (long)i * MinidumpLayout.MemoryDescriptorSize, buffer);
            }

            ulong address = BinaryPrimitives.ReadUInt64LittleEndian(buffer.AsSpan(slot));
            ulong size = BinaryPrimitives.ReadUInt64LittleEndian(buffer.AsSpan(slot + sizeof(ulong)));
            if (data > long.MaxValue || size > long.MaxValue - data)
            {
                reader.Problem(Name, "claims more memory than any file can hold; the rest is left out", offset);
                break;
            }

            if (!Add(reader, ranges, address, new FileRange((long)data, (long)size)) && cut++ == 0)
            {
                firstCut = address;
            }

            data += size;
        }

        ReportCut(reader, Name, cut, firstCut);
        return ranges;
    }

    public static MemoryRegionList? ReadRegions(StreamReader reader, MinidumpStream stream) =>
        ListStart.ReadWithHeader(
            reader,
            "MemoryInfoList",
            stream,
            MinidumpLayout.MemoryInfoHeaderSize,
            MinidumpLayout.MemoryInfoSize,
            isCount64: true,
            reader.Limits.MaxMemoryRanges) is var (offset, size, count)
            ? new MemoryRegionList(reader.File, offset, size, count)
            : null;

    /// <summary>Adds what the file has of a range; false when bytes of it are missing.</summary>
    private static bool Add(StreamReader reader, List<MinidumpMemoryRange> ranges, ulong address, FileRange bytes)
    {
        long available = Math.Max(0, Math.Min(bytes.Size, reader.File.Length - bytes.Offset));
        available = (long)Math.Min((ulong)available, ulong.MaxValue - address);
        if (available > 0)
        {
            ranges.Add(new MinidumpMemoryRange(address, new FileRange(bytes.Offset, available)));
        }

        return available == bytes.Size;
    }

    private static void ReportCut(StreamReader reader, string name, int cut, ulong first)
    {
        if (cut > 0)
        {
            reader.Problem(name, $"ranges that are not wholly in the file: {cut}, the first at 0x{first:x} (was the dump cut off?)");
        }
    }
}

/// <summary>
/// The entries of a MemoryInfoList stream, read from the file when they are asked for: a large process has millions, and a verdict needs none.
/// </summary>
/// <param name="file">The file; must outlive this list's use.</param>
/// <param name="offset">Where the entries begin.</param>
/// <param name="entrySize">Bytes of one.</param>
/// <param name="count">How many there are, all within the file.</param>
internal sealed class MemoryRegionList(FileBytes file, long offset, int entrySize, int count) : IReadOnlyList<MinidumpMemoryRegion>
{
    public int Count => count;

    public MinidumpMemoryRegion this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, count);
            Span<byte> entry = stackalloc byte[MinidumpLayout.MemoryInfoSize];
            file.Read(offset + (long)index * entrySize, entry);
            return new MinidumpMemoryRegion(
                BinaryPrimitives.ReadUInt64LittleEndian(entry),
                BinaryPrimitives.ReadUInt64LittleEndian(entry[MinidumpLayout.MemoryInfoAllocationBase..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[MinidumpLayout.MemoryInfoAllocationProtect..]),
                BinaryPrimitives.ReadUInt64LittleEndian(entry[MinidumpLayout.MemoryInfoRegionSize..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[MinidumpLayout.MemoryInfoState..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[MinidumpLayout.MemoryInfoProtect..]),
                BinaryPrimitives.ReadUInt32LittleEndian(entry[MinidumpLayout.MemoryInfoType..]));
        }
    }

    public IEnumerator<MinidumpMemoryRegion> GetEnumerator()
    {
        for (int i = 0; i < count; i++)
        {
            yield return this[i];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>A range of bytes in the file.</summary>
/// <param name="Offset">File offset in bytes.</param>
/// <param name="Size">Length in bytes.</param>
public readonly record struct FileRange(long Offset, long Size);
