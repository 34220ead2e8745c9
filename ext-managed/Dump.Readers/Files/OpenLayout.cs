namespace Dump.Readers.Files;

/// <summary>
/// Numbers of <c>open</c> and <c>statx</c> on Linux, the same on x64 and Arm64. Sources: open(2), statx(2), errno(3); asm-generic/fcntl.h, linux/stat.h and
/// asm-generic/errno-base.h.
/// </summary>
internal static class OpenLayout
{
    /// <summary>O_RDONLY, O_NOCTTY, O_NONBLOCK and O_CLOEXEC.</summary>
    public const int ReadWithoutWaiting = 0x100 | 0x800 | 0x80000;

    /// <summary>O_PATH and O_CLOEXEC: a descriptor that only says which file it is; no driver and no other end of a pipe hears of it.</summary>
    public const int NameOnly = 0x200000 | 0x80000;

    /// <summary>O_NOFOLLOW: of a link, with <see cref="NameOnly"/>, the link itself.</summary>
    public const int NotThroughLink = 0x20000;

    /// <summary>AT_EMPTY_PATH.</summary>
    public const int OfTheDescriptor = 0x1000;

    /// <summary>STATX_TYPE and STATX_UID.</summary>
    public const uint TypeAndOwner = 0x1 | 0x8;

    /// <summary>Size of <c>struct statx</c>, and the places of <c>stx_uid</c> and <c>stx_mode</c> in it.</summary>
    public const int StatusSize = 256;
    public const int Owner = 20;
    public const int Mode = 28;

    /// <summary>S_IFMT and S_IFREG.</summary>
    public const int TypeMask = 0xF000;
    public const int RegularFile = 0x8000;

    /// <summary>EPERM, ENOENT, EACCES and ENOTDIR.</summary>
    public const int NotPermitted = 1;
    public const int NoSuchEntry = 2;
    public const int AccessDenied = 13;
    public const int NoDirectory = 20;
}
