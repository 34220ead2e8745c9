using System.Buffers.Binary;

namespace Dump.Testing.Synthetic;

/// <summary>
/// Enlarges a minidump as a large process would: by many saved memory ranges, which are holes in the file, and by the memory map that a full dump carries.
/// A dump of any size that takes 64 bytes of disk space for each range.
/// </summary>
public static class SparseMinidump
{
    private const int DirectoryField = 12;
    private const int CountField = 8;
    private const int DirectoryEntrySize = 12;
    private const uint UnusedStream = 0;
    private const uint Memory64List = 9;
    private const uint MemoryInfoList = 16;
    private const int ListHeaderSize = 16;
    private const int RangeEntrySize = 16;
    private const int RegionEntrySize = 48;
    private const ulong FirstFilling = 0x0000_0200_0000_0000;
    private const ulong FillingStride = 0x1_0000;

    /// <summary>
    /// Writes the enlarged dump. Lists and data stand in the order of addresses, as Microsoft's writer has them: memory of the dump above the filling,
    /// such as system images, lies behind it in the file.
    /// </summary>
    /// <param name="dump">A minidump with a Memory64List stream in the order of addresses, whose data end the file, and with one unused directory
    /// entry.</param>
    /// <param name="path">File to write; its file system must know holes.</param>
    /// <param name="ranges">How many ranges to add.</param>
    /// <param name="rangeSize">Bytes of each, at most 65,536.</param>
    public static void Write(byte[] dump, string path, int ranges, int rangeSize)
    {
        int list = BinaryPrimitives.ReadInt32LittleEndian(dump.AsSpan(Entry(dump, Memory64List) + 8));
        int data = checked((int)BinaryPrimitives.ReadUInt64LittleEndian(dump.AsSpan(list + sizeof(ulong))));
        (ulong Address, ulong Size)[] saved = [.. Enumerable.Range(0, (int)BinaryPrimitives.ReadUInt64LittleEndian(dump.AsSpan(list)))
            .Select(i => list + ListHeaderSize + i * RangeEntrySize)
            .Select(at => (BinaryPrimitives.ReadUInt64LittleEndian(dump.AsSpan(at)),
                BinaryPrimitives.ReadUInt64LittleEndian(dump.AsSpan(at + sizeof(ulong)))))];
        int below = (int)saved.Where(s => s.Address < FirstFilling).Sum(s => (long)s.Size);
        (ulong Address, ulong Size)[] all =
        [
            .. saved.Where(s => s.Address < FirstFilling),
            .. Enumerable.Range(0, ranges).Select(i => (FirstFilling + (ulong)i * FillingStride, (ulong)rangeSize)),
            .. saved.Where(s => s.Address >= FirstFilling),
        ];
        using FileStream file = new(path, FileMode.Create, FileAccess.Write, FileShare.None, 1 << 20);
        file.Write(Head(dump, data, all.Length));
        WriteRegions(file, all);
        WriteRanges(file, all);
        file.Write(dump, data, below);
        file.Position += (long)ranges * rangeSize;
        file.Write(dump, data + below, dump.Length - data - below);
    }

    /// <summary>Where the directory has its entry for a stream.</summary>
    private static int Entry(byte[] dump, uint type)
    {
        int directory = BinaryPrimitives.ReadInt32LittleEndian(dump.AsSpan(DirectoryField));
        int streams = BinaryPrimitives.ReadInt32LittleEndian(dump.AsSpan(CountField));
        return Enumerable.Range(0, streams).Select(i => directory + i * DirectoryEntrySize)
            .First(at => BinaryPrimitives.ReadUInt32LittleEndian(dump.AsSpan(at)) == type);
    }

    /// <summary>All that stands before the lists: the old dump without its memory, its directory naming the new lists.</summary>
    private static byte[] Head(byte[] dump, int data, int ranges)
    {
        int regions = (data + 7) & ~7;
        int regionsSize = checked(ListHeaderSize + ranges * RegionEntrySize);
        byte[] head = new byte[regions];
        dump.AsSpan(0, data).CopyTo(head);
        PutStream(head, Entry(dump, Memory64List), Memory64List, checked(ListHeaderSize + ranges * RangeEntrySize), checked(regions + regionsSize));
        PutStream(head, Entry(dump, UnusedStream), MemoryInfoList, regionsSize, regions);
        return head;
    }

    private static void PutStream(byte[] head, int at, uint type, int size, int offset)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(at), type);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(at + 4), size);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(at + 8), offset);
    }

    private static void WriteRegions(FileStream file, (ulong Address, ulong Size)[] all)
    {
        const uint Committed = 0x1000, ReadWrite = 4, Private = 0x20000;
        Put(file, ListHeaderSize | ((ulong)RegionEntrySize << 32), (ulong)all.Length);
        foreach ((ulong address, ulong size) in all)
        {
            Put(file, address, address);
            Put(file, ReadWrite, size);
            Put(file, Committed | ((ulong)ReadWrite << 32), Private);
        }
    }

    private static void WriteRanges(FileStream file, (ulong Address, ulong Size)[] all)
    {
        Put(file, (ulong)all.Length, (ulong)(file.Position + ListHeaderSize + (long)all.Length * RangeEntrySize));
        foreach ((ulong address, ulong size) in all)
        {
            Put(file, address, size);
        }
    }

    private static void Put(FileStream file, ulong first, ulong second)
    {
        Span<byte> pair = stackalloc byte[2 * sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(pair, first);
        BinaryPrimitives.WriteUInt64LittleEndian(pair[sizeof(ulong)..], second);
        file.Write(pair);
    }
}
