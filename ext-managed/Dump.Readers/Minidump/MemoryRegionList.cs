using System.Buffers.Binary;
using System.Collections;

namespace Dump.Readers.Minidump;

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
