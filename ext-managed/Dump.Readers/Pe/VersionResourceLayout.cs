namespace Dump.Readers.Pe;

/// <summary>
/// Offsets and sizes of resource directories and of the version resource. Sources: Microsoft's "PE Format" specification, section ".rsrc"; Microsoft Learn,
/// "VS_VERSIONINFO", "StringFileInfo", "StringTable" and "String" structures.
/// </summary>
internal static class VersionResourceLayout
{
    public const int ResourceDirectory = 2;

    public const int TableSize = 16;
    public const int NamedEntryCount = 12;
    public const int IdEntryCount = 14;
    public const int EntrySize = 8;
    public const int EntryOffset = 4;
    public const uint IsSubdirectory = 0x8000_0000;
    public const int DataRva = 0;
    public const int DataSize = 4;

    /// <summary>RT_VERSION (winuser.h).</summary>
    public const uint VersionType = 16;

    /// <summary>More resource types than any program has.</summary>
    public const int MaxTypes = 256;

    /// <summary>Longest version resource that is read; they have some hundred bytes.</summary>
    public const int MaxSize = 0x4000;

    /// <summary>
    /// Every structure begins with its own length and that of its value, and a type; then come its key, its
    /// value and its children, each at a multiple of four bytes.
    /// </summary>
    public const int BlockLength = 0;
    public const int BlockKey = 6;
    public const int BlockValueLength = 2;
    public const int Alignment = 4;

    public const string RootKey = "VS_VERSION_INFO";
    public const string StringsKey = "StringFileInfo";
    public const string CompanyKey = "CompanyName";
}
