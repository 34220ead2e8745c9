using System.Buffers.Binary;

namespace Dump.Triage.Archives;

/// <summary>Where the table of members of a zip archive lies, found before it is read, because reading takes memory for all of it.</summary>
/// <param name="Bytes">Bytes from the beginning of the table to the end of the file, which are an upper bound of its size.</param>
/// <param name="Start">Where the archive begins: the bytes before it that its offsets do not count; 0 when they count from the beginning of the file.</param>
internal sealed record ZipDirectory(long Bytes, long Start)
{
    private const int ShortestTail = ZipDirectoryLayout.EndSize;

    /// <summary>Finds the table of an archive by the record at its end, which a comment may follow.</summary>
    /// <param name="archive">The file, which begins like an archive.</param>
    /// <returns>Null when there is no such table: the archive is cut or damaged.</returns>
    public static ZipDirectory? Find(FileStream archive) =>
        Search(archive, withComment: true, isProven: true) ?? Search(archive, withComment: true, isProven: false);

    /// <summary>
    /// Finds that of an archive with other bytes before it, where a member's signature proves it: programs
    /// that handle archives hold the signature of the end of one.
    /// </summary>
    /// <param name="file">The file, which does not begin like an archive.</param>
    /// <param name="withComment">False to find only archives that end without a comment, which takes a look at their last bytes alone.</param>
    /// <returns>Null when there is none.</returns>
    public static ZipDirectory? FindBehind(FileStream file, bool withComment) => Search(file, withComment, isProven: true);

    private static ZipDirectory? Search(FileStream archive, bool withComment, bool isProven)
    {
        byte[] tail = new byte[(int)Math.Min(archive.Length, withComment ? ZipDirectoryLayout.LongestComment + ZipDirectoryLayout.EndSize : ShortestTail)];
        archive.Position = archive.Length - tail.Length;
        archive.ReadExactly(tail);
        for (int at = tail.Length - ZipDirectoryLayout.EndSize; at >= 0; at--)
        {
            if (BinaryPrimitives.ReadUInt32LittleEndian(tail.AsSpan(at)) == ZipDirectoryLayout.EndSignature
                && Of(archive, tail.AsSpan(at, ZipDirectoryLayout.EndSize), archive.Length - tail.Length + at) is { } found
                && (!isProven || IsTable(archive, archive.Length - found.Bytes)))
            {
                return found;
            }
        }

        return null;
    }

    private static ZipDirectory? Of(FileStream archive, ReadOnlySpan<byte> record, long end)
    {
        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(record[ZipDirectoryLayout.EndDirectoryOffset..]);
        bool isLong = offset == ZipDirectoryLayout.InZip64;

        // The reader of .NET asks the zip64 record for the table too when one of these says so. Of exactly 65,535 members without such a record it does not.
        bool mayBeLong = isLong || BinaryPrimitives.ReadUInt16LittleEndian(record[ZipDirectoryLayout.EndMembers..]) == ZipDirectoryLayout.InZip64Short
            || BinaryPrimitives.ReadUInt16LittleEndian(record[ZipDirectoryLayout.EndDiskNumber..]) == ZipDirectoryLayout.InZip64Short;
        if (mayBeLong && Locator(archive, end) is { } recordOffset)
        {
            return Long(archive, end, recordOffset);
        }

        if (isLong)
        {
            return null;
        }

        // The table ends where this record begins; what its offset says less than that stands before the archive.
        long start = end - BinaryPrimitives.ReadUInt32LittleEndian(record[ZipDirectoryLayout.EndDirectorySize..]) - offset;
        start = start > 0 && IsTable(archive, start + offset) ? start : 0;
        return start + offset <= archive.Length ? new ZipDirectory(archive.Length - start - offset, start) : null;
    }

    private static bool IsTable(FileStream archive, long at)
    {
        Span<byte> signature = stackalloc byte[sizeof(uint)];
        archive.Position = Math.Max(0, at);
        return at >= 0 && archive.ReadAtLeast(signature, signature.Length, throwOnEndOfStream: false) == signature.Length
            && BinaryPrimitives.ReadUInt32LittleEndian(signature) == ZipDirectoryLayout.MemberSignature;
    }

    /// <summary>Where the zip64 record lies, counted from the beginning of the archive; null when no locator stands before the end record.</summary>
    private static long? Locator(FileStream archive, long end)
    {
        if (end < ZipDirectoryLayout.LocatorSize)
        {
            return null;
        }

        Span<byte> locator = stackalloc byte[ZipDirectoryLayout.LocatorSize];
        archive.Position = end - locator.Length;
        archive.ReadExactly(locator);
        return BinaryPrimitives.ReadUInt32LittleEndian(locator) == ZipDirectoryLayout.LocatorSignature
            ? BinaryPrimitives.ReadInt64LittleEndian(locator[ZipDirectoryLayout.LocatorRecordOffset..])
            : null;
    }

    private static ZipDirectory? Long(FileStream archive, long end, long recordOffset)
    {
        // With bytes before the archive that its offsets do not count, the record stands right before the locator all the same.
        long start = 0;
        if (TableOffset(archive, recordOffset) is not { } offset)
        {
            start = end - ZipDirectoryLayout.LocatorSize - ZipDirectoryLayout.Zip64Size - recordOffset;
            if (recordOffset < 0 || start <= 0 || TableOffset(archive, start + recordOffset) is not { } behind)
            {
                return null;
            }

            offset = behind;
        }

        return offset >= 0 && offset <= archive.Length - start ? new ZipDirectory(archive.Length - start - offset, start) : null;
    }

    /// <summary>What the zip64 record at a place says of the table's; null when there is no such record.</summary>
    private static long? TableOffset(FileStream archive, long at)
    {
        if (at < 0 || at > archive.Length - ZipDirectoryLayout.Zip64Size)
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

/// <summary>Offsets in the records behind the members of a zip archive. Source: APPNOTE.TXT 4.3.12 and 4.3.14 to 4.3.16.</summary>
internal static class ZipDirectoryLayout
{
    public const uint EndSignature = 0x06054B50;
    public const int EndSize = 22;
    public const int EndDiskNumber = 4;
    public const int EndMembers = 10;
    public const int EndDirectorySize = 12;
    public const int EndDirectoryOffset = 16;
    public const uint MemberSignature = 0x02014B50;
    public const int LongestComment = 0xFFFF;

    /// <summary>A value of this says that the zip64 record has it.</summary>
    public const uint InZip64 = 0xFFFFFFFF;

    /// <summary>The same in fields of two bytes.</summary>
    public const ushort InZip64Short = 0xFFFF;
    public const uint LocatorSignature = 0x07064B50;
    public const int LocatorSize = 20;
    public const int LocatorRecordOffset = 8;
    public const uint Zip64Signature = 0x06064B50;
    public const int Zip64Size = 56;
    public const int Zip64DirectoryOffset = 48;
}
