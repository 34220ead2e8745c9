using System.Buffers.Binary;

namespace Dump.Triage.Archives;

/// <summary>Measures the table of members of a zip archive before it is read, because reading takes memory for all of it.</summary>
internal static class ZipDirectory
{
    /// <summary>Bytes from the beginning of the table to the end of the archive, which are an upper bound of its size.</summary>
    /// <param name="archive">The archive.</param>
    /// <returns>Null when there is no such table: the archive is cut or damaged.</returns>
    public static long? Measure(FileStream archive)
    {
        byte[] tail = new byte[(int)Math.Min(archive.Length, ZipDirectoryLayout.LongestComment + ZipDirectoryLayout.EndSize)];
        archive.Position = archive.Length - tail.Length;
        archive.ReadExactly(tail);
        for (int at = tail.Length - ZipDirectoryLayout.EndSize; at >= 0; at--)
        {
            if (BinaryPrimitives.ReadUInt32LittleEndian(tail.AsSpan(at)) == ZipDirectoryLayout.EndSignature)
            {
                uint offset = BinaryPrimitives.ReadUInt32LittleEndian(tail.AsSpan(at + ZipDirectoryLayout.EndDirectoryOffset));
                long? start = offset == ZipDirectoryLayout.InZip64 ? LongOffset(archive, archive.Length - tail.Length + at) : offset;
                return start is { } first && first >= 0 && first <= archive.Length ? archive.Length - first : null;
            }
        }

        return null;
    }

    private static long? LongOffset(FileStream archive, long end)
    {
        if (end < ZipDirectoryLayout.LocatorSize)
        {
            return null;
        }

        Span<byte> locator = stackalloc byte[ZipDirectoryLayout.LocatorSize];
        archive.Position = end - locator.Length;
        archive.ReadExactly(locator);
        long at = BinaryPrimitives.ReadInt64LittleEndian(locator[ZipDirectoryLayout.LocatorRecordOffset..]);
        if (BinaryPrimitives.ReadUInt32LittleEndian(locator) != ZipDirectoryLayout.LocatorSignature || at < 0 || at > archive.Length - ZipDirectoryLayout.Zip64Size)
        {
            return null;
        }

        Span<byte> record = stackalloc byte[ZipDirectoryLayout.Zip64Size];
        archive.Position = at;
        archive.ReadExactly(record);
        return BinaryPrimitives.ReadUInt32LittleEndian(record) == ZipDirectoryLayout.Zip64Signature
            ? BinaryPrimitives.ReadInt64LittleEndian(record[ZipDirectoryLayout.Zip64DirectoryOffset..])
            : null;
    }
}
