using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Clr.Runtimes;

/// <summary>Whose a directory is on Linux: the system call <c>statx</c>, of which the class library shows no owner.</summary>
[SupportedOSPlatform("linux")]
internal static partial class DirectoryOwner
{
    // linux/fcntl.h, linux/stat.h.
    private const int CurrentDirectory = -100;
    private const int DoNotFollow = 0x100;
    private const uint ModeAndOwner = 0x1 | 0x2 | 0x8;
    private const int TypeMask = 0xF000;
    private const int DirectoryType = 0x4000;
    private const int WritableByOthers = 0x12;

    // struct statx.
    private const int Size = 256;
    private const int OwnerOffset = 20;
    private const int ModeOffset = 28;

    /// <summary>True for a directory, not a link to one, that belongs to this user and that nobody else may write to.</summary>
    public static unsafe bool IsThisUserAlone(string directory)
    {
        byte* status = stackalloc byte[Size];
        if (Status(CurrentDirectory, directory, DoNotFollow, ModeAndOwner, status) != 0)
        {
            return false;
        }

        int mode = *(ushort*)(status + ModeOffset);
        return (mode & TypeMask) == DirectoryType && (mode & WritableByOthers) == 0 && *(uint*)(status + OwnerOffset) == User();
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Status(int directory, string path, int flags, uint mask, byte* status);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint User();
}
