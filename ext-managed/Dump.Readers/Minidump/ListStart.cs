namespace Dump.Readers.Minidump;

/// <summary>Finds where a list stream's entries begin and how many there are.</summary>
internal static class ListStart
{
    private const uint MaximumEntrySize = 0x10000;

    /// <summary>
    /// A list that begins with a 32-bit count, or null when the stream is too short for one. Some writers pad
    /// the count to eight bytes, which shows in the stream's size.
    /// </summary>
    public static (long Offset, int Count)? Read(StreamReader reader, string name, MinidumpStream stream, int entrySize, int limit)
    {
        const int Padding = sizeof(uint);
        if (!reader.HasRoom(name, stream, sizeof(uint)))
        {
            return null;
        }

        uint claimed = reader.UInt32(name, stream.Range.Offset);
        long offset = stream.Range.Offset + sizeof(uint);
        if (stream.Range.Size == sizeof(uint) + Padding + (long)claimed * entrySize)
        {
            offset += Padding;
        }

        return (offset, reader.Count(name, claimed, entrySize, offset, stream.Range.Offset + stream.Range.Size, limit));
    }

    /// <summary>
    /// A list with a header that declares its own size, the entries' size and their count, or null when the header is cut off or declares sizes that cannot be.
    /// </summary>
    public static (long Offset, int EntrySize, int Count)? ReadWithHeader(
        StreamReader reader, string name, MinidumpStream stream, int minimumHeader, int minimumEntry, bool isCount64, int limit)
    {
        if (!reader.HasRoom(name, stream, minimumHeader))
        {
            return null;
        }

        uint header = reader.UInt32(name, stream.Range.Offset);
        uint entry = reader.UInt32(name, stream.Range.Offset + MinidumpLayout.ListHeaderEntrySize);
        ulong claimed = isCount64
            ? reader.UInt64(name, stream.Range.Offset + MinidumpLayout.ListHeaderCount)
            : reader.UInt32(name, stream.Range.Offset + MinidumpLayout.ListHeaderCount);
        if (claimed == 0)
        {
            return (0, minimumEntry, 0);
        }

        if (header < minimumHeader || entry < minimumEntry || entry > MaximumEntrySize)
        {
            reader.Problem(name, $"declares a header of {header} and entries of {entry} bytes, which cannot be", stream.Range.Offset);
            return null;
        }

        long offset = stream.Range.Offset + header;
        int count = reader.Count(name, claimed, (int)entry, offset, stream.Range.Offset + stream.Range.Size, limit);
        return (offset, (int)entry, count);
    }
}
