namespace Dump.Triage.Archives;

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
