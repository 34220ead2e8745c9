using System.Buffers.Binary;

namespace Dump.Testing.Synthetic;

/// <summary>Enlarges a minidump by memory ranges that are holes in the file: a dump of any size that takes little disk space.</summary>
public static class SparseMinidump
{
    private const int HeaderSize = 32;
    private const int DirectoryEntrySize = 12;
    private const uint Memory64List = 9;
    private const int ListHeaderSize = 16;
    private const int RangeEntrySize = 16;
    private const ulong FirstFilling = 0x0000_0200_0000_0000;
    private const ulong FillingStride = 0x1_0000;

    /// <summary>Writes the enlarged dump. The new memory list stands behind the old dump, its data behind the list.</summary>
    /// <param name="dump">A small minidump with a Memory64List stream whose data end the file.</param>
    /// <param name="path">File to write.</param>
    /// <param name="ranges">How many ranges to add.</param>
    /// <param name="rangeSize">Bytes of each, at most 65,536.</param>
    public static void Write(byte[] dump, string path, int ranges, int rangeSize)
    {
        int entry = MemoryEntry(dump);
        int list = BinaryPrimitives.ReadInt32LittleEndian(dump.AsSpan(entry + 8));
        ulong count = BinaryPrimitives.ReadUInt64LittleEndian(dump.AsSpan(list));
        int data = checked((int)BinaryPrimitives.ReadUInt64LittleEndian(dump.AsSpan(list + 8)));
        int newList = dump.Length + 7 & ~7;
        long listSize = ListHeaderSize + ((long)count + ranges) * RangeEntrySize;
        byte[] head = [.. dump];
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(entry + 4), checked((int)listSize));
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(entry + 8), newList);

        using FileStream file = new(path, FileMode.Create, FileAccess.Write, FileShare.None, 1 << 20);
        file.Write(head);
        file.Position = newList;
        Span<byte> pair = stackalloc byte[RangeEntrySize];
        Put(file, pair, count + (ulong)ranges, (ulong)(newList + listSize));
        file.Write(dump, list + ListHeaderSize, (int)count * RangeEntrySize);
        for (int i = 0; i < ranges; i++)
        {
            Put(file, pair, FirstFilling + (ulong)i * FillingStride, (ulong)rangeSize);
        }

        file.Write(dump, data, dump.Length - data);
        file.SetLength(file.Position + (long)ranges * rangeSize);
    }

    private static int MemoryEntry(byte[] dump)
    {
        int streams = BinaryPrimitives.ReadInt32LittleEndian(dump.AsSpan(8));
        return Enumerable.Range(0, streams).Select(i => HeaderSize + i * DirectoryEntrySize)
            .Single(at => BinaryPrimitives.ReadUInt32LittleEndian(dump.AsSpan(at)) == Memory64List);
    }

    private static void Put(FileStream file, Span<byte> pair, ulong first, ulong second)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(pair, first);
        BinaryPrimitives.WriteUInt64LittleEndian(pair[8..], second);
        file.Write(pair);
    }
}
