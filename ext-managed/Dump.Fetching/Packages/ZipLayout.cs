namespace Dump.Fetching.Packages;

/// <summary>Offsets of zip archives (PKWARE, APPNOTE.TXT 6.3: 4.3.7, 4.3.12, 4.3.16).</summary>
internal static class ZipLayout
{
    public const uint LocalHeader = 0x04034B50;
    public const int LocalHeaderSize = 30;
    public const int LocalNameLength = 26;
    public const int LocalExtraLength = 28;

    public const uint DirectoryEntry = 0x02014B50;
    public const int DirectoryEntrySize = 46;
    public const int EntryFlags = 8;
    public const int EntryMethod = 10;
    public const int EntryPackedSize = 20;
    public const int EntrySize = 24;
    public const int EntryNameLength = 28;
    public const int EntryExtraLength = 30;
    public const int EntryCommentLength = 32;
    public const int EntryOffset = 42;

    public const uint EndOfDirectory = 0x06054B50;
    public const int EndSize = 22;
    public const int EndDisk = 4;
    public const int EndDirectoryDisk = 6;
    public const int EndEntriesHere = 8;
    public const int EndEntries = 10;
    public const int EndDirectorySize = 12;
    public const int EndDirectoryOffset = 16;
    public const int EndCommentLength = 20;
}
