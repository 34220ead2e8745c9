namespace Dump.Readers.Minidump;

/// <summary>Reads MemoryList, Memory64List and MemoryInfoList.</summary>
internal static class MemoryStreams
{
    public static List<MinidumpMemoryRange> ReadList(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "MemoryList";
        (long offset, int count) = ListStart.Read(reader, Name, stream, MinidumpLayout.MemoryDescriptorSize, reader.Limits.MaxMemoryRanges);
        List<MinidumpMemoryRange> ranges = new(count);
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * MinidumpLayout.MemoryDescriptorSize;
            FileRange bytes = new(
                reader.UInt32(Name, at + MinidumpLayout.MemoryDescriptorRva),
                reader.UInt32(Name, at + MinidumpLayout.MemoryDescriptorBytes));
            Add(reader, Name, ranges, reader.UInt64(Name, at), bytes);
        }

        return ranges;
    }

    public static List<MinidumpMemoryRange> ReadList64(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "Memory64List";
        long start = stream.Range.Offset;
        ulong claimed = reader.UInt64(Name, start);
        ulong data = reader.UInt64(Name, start + MinidumpLayout.Memory64BaseRva);
        long offset = start + MinidumpLayout.Memory64HeaderSize;
        int count = reader.Count(Name, claimed, MinidumpLayout.MemoryDescriptorSize, offset, start + stream.Range.Size, reader.Limits.MaxMemoryRanges);
        List<MinidumpMemoryRange> ranges = new(count);
        byte[] buffer = new byte[MinidumpLayout.MemoryDescriptorSize * Math.Min(count, 4096)];
        for (int i = 0; i < count; i++)
        {
            int slot = i % 4096 * MinidumpLayout.MemoryDescriptorSize;
            if (slot == 0)
            {
                reader.File.Read(offset + (long)i * MinidumpLayout.MemoryDescriptorSize, buffer);
            }

            ulong address = BitConverter.ToUInt64(buffer, slot);
            ulong size = BitConverter.ToUInt64(buffer, slot + sizeof(ulong));
            if (data > long.MaxValue || size > long.MaxValue - data)
            {
                reader.Problem(Name, "claims more memory than any file can hold; the rest is left out", offset);
                break;
            }

            Add(reader, Name, ranges, address, new FileRange((long)data, (long)size));
            data += size;
        }

        return ranges;
    }

    /// <summary>Sorts ranges by address and drops the overlapping part of later ones.</summary>
    public static MinidumpMemoryRange[] Sort(StreamReader reader, List<MinidumpMemoryRange> ranges)
    {
        bool sorted = true;
        for (int i = 1; i < ranges.Count && sorted; i++)
        {
            sorted = ranges[i - 1].Address + (ulong)ranges[i - 1].Bytes.Size <= ranges[i].Address;
        }

        if (sorted)
        {
            return [.. ranges];
        }

        List<MinidumpMemoryRange> result = new(ranges.Count);
        ulong end = 0;
        foreach (MinidumpMemoryRange range in ranges.OrderBy(r => r.Address))
        {
            ulong last = range.Address + (ulong)range.Bytes.Size;
            if (result.Count > 0 && range.Address < end)
            {
                reader.Problem("memory", $"two ranges overlap at 0x{range.Address:x}; the lower one counts");
                if (last > end)
                {
                    long skip = (long)(end - range.Address);
                    result.Add(new MinidumpMemoryRange(end, new FileRange(range.Bytes.Offset + skip, range.Bytes.Size - skip)));
                    end = last;
                }

                continue;
            }

            result.Add(range);
            end = last;
        }

        return [.. result];
    }

    public static List<MinidumpMemoryRegion> ReadRegions(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "MemoryInfoList";
        (long offset, int size, int count) = ListStart.ReadWithHeader(
            reader, Name, stream, MinidumpLayout.MemoryInfoHeaderSize, MinidumpLayout.MemoryInfoSize, isCount64: true, reader.Limits.MaxMemoryRanges);
        List<MinidumpMemoryRegion> regions = new(count);
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * size;
            regions.Add(new MinidumpMemoryRegion(
                reader.UInt64(Name, at), reader.UInt64(Name, at + 8), reader.UInt32(Name, at + 0x10), reader.UInt64(Name, at + 0x18),
                reader.UInt32(Name, at + 0x20), reader.UInt32(Name, at + 0x24), reader.UInt32(Name, at + 0x28)));
        }

        return regions;
    }

    private static void Add(StreamReader reader, string name, List<MinidumpMemoryRange> ranges, ulong address, FileRange bytes)
    {
        long available = Math.Max(0, Math.Min(bytes.Size, reader.File.Length - bytes.Offset));
        if (available < bytes.Size)
        {
            reader.Problem(name, $"memory at 0x{address:x} is cut: {available} of {bytes.Size} bytes are in the file", bytes.Offset);
        }

        if (available > 0 && (ulong)available <= ulong.MaxValue - address)
        {
            ranges.Add(new MinidumpMemoryRange(address, new FileRange(bytes.Offset, available)));
        }
    }
}
