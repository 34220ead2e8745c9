namespace Dump.Readers.Minidump;

/// <summary>Reads FunctionTable: a header, padding, then for each table a descriptor, the system's own descriptor, the entries and padding.</summary>
internal static class FunctionTableStream
{
    private const string Name = "FunctionTable";
    private const uint MaximumPartSize = 0x1000;

    public static List<MinidumpFunctionTable> Read(StreamReader reader, MinidumpStream stream)
    {
        List<MinidumpFunctionTable> tables = [];
        if (!reader.HasRoom(Name, stream, MinidumpLayout.FunctionTableHeaderSize))
        {
            return tables;
        }

        long start = stream.Range.Offset;
        long end = start + stream.Range.Size;
        uint header = reader.UInt32(Name, start);
        uint descriptor = reader.UInt32(Name, start + MinidumpLayout.FunctionTableDescriptor);
        uint native = reader.UInt32(Name, start + MinidumpLayout.FunctionTableNative);
        uint entry = reader.UInt32(Name, start + MinidumpLayout.FunctionTableEntry);
        uint claimed = reader.UInt32(Name, start + MinidumpLayout.FunctionTableCount);
        uint padding = reader.UInt32(Name, start + MinidumpLayout.FunctionTablePadding);
        if (claimed == 0)
        {
            return tables;
        }

        if (header < MinidumpLayout.FunctionTableHeaderSize || descriptor < MinidumpLayout.FunctionTableDescriptorSize || entry == 0
            || Math.Max(Math.Max(descriptor, native), Math.Max(entry, padding)) > MaximumPartSize)
        {
            reader.Problem(Name, "declares sizes that cannot be", start);
            return tables;
        }

        long at = start + header + padding;
        int count = reader.Count(Name, claimed, (int)(descriptor + native), at, end, reader.Limits.MaxModules);
        for (int i = 0; i < count; i++)
        {
            if (at > end - descriptor - native)
            {
                reader.Problem(Name, $"ends after {i} of {count} tables", at);
                break;
            }

            (MinidumpFunctionTable table, at) = ReadTable(reader, at, end, descriptor + native, (int)entry);
            tables.Add(table);
        }

        return tables;
    }

    private static (MinidumpFunctionTable Table, long Next) ReadTable(StreamReader reader, long at, long end, long headSize, int entrySize)
    {
        long entries = at + headSize;
        int count = reader.Count(Name, reader.UInt32(Name, at + MinidumpLayout.FunctionTableEntryCount), entrySize, entries, end, int.MaxValue);
        long size = (long)count * entrySize;
        MinidumpFunctionTable table = new(
            reader.UInt64(Name, at),
            reader.UInt64(Name, at + MinidumpLayout.FunctionTableMaximum),
            reader.UInt64(Name, at + MinidumpLayout.FunctionTableBase),
            (uint)count,
            new FileRange(entries, size));
        return (table, entries + size + reader.UInt32(Name, at + MinidumpLayout.FunctionTableEntryPadding));
    }
}

/// <summary>A dynamic function table of the FunctionTable stream.</summary>
/// <param name="MinimumAddress">Lowest address it covers.</param>
/// <param name="MaximumAddress">Address just above the highest.</param>
/// <param name="BaseAddress">Address that its entries are relative to.</param>
/// <param name="EntryCount">Number of entries.</param>
/// <param name="Entries">Where the RUNTIME_FUNCTION entries are in the file.</param>
public sealed record MinidumpFunctionTable(
    ulong MinimumAddress,
    ulong MaximumAddress,
    ulong BaseAddress,
    uint EntryCount,
    FileRange Entries);
