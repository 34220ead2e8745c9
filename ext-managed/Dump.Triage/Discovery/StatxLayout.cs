namespace Dump.Triage.Discovery;

/// <summary>Offsets in <c>struct statx</c>, the same on every architecture. Source: statx(2) and linux/stat.h.</summary>
internal static class StatxLayout
{
    public const int Size = 256;
    public const int Mode = 28;
    public const int Inode = 32;
    public const int FileSize = 40;
    public const int ModifiedSeconds = 112;
    public const int ModifiedNanoseconds = 120;
    public const int DeviceMajor = 136;
    public const int DeviceMinor = 140;

    /// <summary>AT_FDCWD.</summary>
    public const int CurrentDirectory = -100;

    /// <summary>AT_SYMLINK_NOFOLLOW.</summary>
    public const int DoNotFollow = 0x100;

    /// <summary>STATX_BASIC_STATS.</summary>
    public const uint BasicStatus = 0x7FF;

    /// <summary>S_IFMT, and of its values those of a link, a file and a folder.</summary>
    public const int TypeMask = 0xF000;
    public const int Link = 0xA000;
    public const int File = 0x8000;
    public const int Directory = 0x4000;
    public const int Pipe = 0x1000;
    public const int Socket = 0xC000;
}
