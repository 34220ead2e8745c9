using System.Runtime.InteropServices;

namespace Dump.Readers.Files;

/// <summary>
/// Numbers of <c>openat</c>, <c>statx</c> and <c>unlinkat</c> on Linux. Sources: open(2), statx(2), errno(3); asm-generic/fcntl.h, linux/fcntl.h and
/// asm-generic/errno-base.h, and for two of them the fcntl.h of each architecture.
/// </summary>
public static class OpenLayout
{
    /// <summary>O_CLOEXEC.</summary>
    public const int CloseOnExec = 0x80000;

    /// <summary>O_RDONLY, O_NOCTTY, O_NONBLOCK and O_CLOEXEC.</summary>
    public const int ReadWithoutWaiting = 0x100 | 0x800 | CloseOnExec;

    /// <summary>O_PATH and O_CLOEXEC: a descriptor that only says which file it is; no driver and no other end of a pipe hears of it.</summary>
    public const int NameOnly = 0x200000 | CloseOnExec;

    /// <summary>O_WRONLY, O_CREAT, O_EXCL and O_CLOEXEC.</summary>
    internal const int MakeNew = 0x1 | 0x40 | 0x80 | CloseOnExec;

    /// <summary>AT_FDCWD: paths begin where this program works.</summary>
    public const int CurrentDirectory = -100;

    /// <summary>AT_SYMLINK_NOFOLLOW: of a link, the link itself.</summary>
    public const int OfTheLink = 0x100;

    /// <summary>AT_EMPTY_PATH.</summary>
    public const int OfTheDescriptor = 0x1000;

    /// <summary>O_NOFOLLOW: a link at the end of the path is not followed; with <see cref="NameOnly"/> the link itself is meant.</summary>
    public static int NotThroughLink { get; } = NotThroughLinkOn(RuntimeInformation.ProcessArchitecture);

    /// <summary>O_DIRECTORY: nothing but directories.</summary>
    public static int DirectoryOnly { get; } = DirectoryOnlyOn(RuntimeInformation.ProcessArchitecture);

    /// <summary>EPERM, ENOENT, EACCES and ENOTDIR.</summary>
    internal const int NotPermitted = 1;
    internal const int NoSuchEntry = 2;
    internal const int AccessDenied = 13;
    internal const int NoDirectory = 20;

    /// <summary>O_NOFOLLOW of an architecture. The one number means O_LARGEFILE where the other is right, and is taken without an error.</summary>
    internal static int NotThroughLinkOn(Architecture architecture) => HasOwnNumbers(architecture) ? 0x8000 : 0x20000;

    /// <summary>O_DIRECTORY of an architecture; the one number means O_DIRECT where the other is right.</summary>
    internal static int DirectoryOnlyOn(Architecture architecture) => HasOwnNumbers(architecture) ? 0x4000 : 0x10000;

    private static bool HasOwnNumbers(Architecture architecture) =>
        architecture is Architecture.Arm or Architecture.Armv6 or Architecture.Arm64 or Architecture.Ppc64le;
}
