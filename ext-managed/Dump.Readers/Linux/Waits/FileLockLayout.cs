namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Offsets and values of <c>struct flock</c> and of <c>flock</c> on 64-bit Linux. Source: Linux include/uapi/asm-generic/fcntl.h, uapi/linux/fs.h (SEEK_SET);
/// flock(2), fcntl(2).
/// </summary>
internal static class FileLockLayout
{
    public const int Type = 0;
    public const int Whence = 2;
    public const int Start = 8;
    public const int Length = 16;
    public const int Size = 24;

    /// <summary>F_RDLCK, F_WRLCK, F_UNLCK.</summary>
    public const ushort Shared = 0;
    public const ushort Exclusive = 1;
    public const ushort Unlock = 2;

    /// <summary>SEEK_SET: the start counts from the beginning of the file; other starts depend on what the file and its position are.</summary>
    public const ushort FromBeginning = 0;

    /// <summary>LOCK_SH, LOCK_NB, LOCK_UN.</summary>
    public const ulong WholeShared = 1;
    public const ulong WholeNoBlock = 4;
    public const ulong WholeUnlock = 8;

    /// <summary>F_SETLKW and F_OFD_SETLKW: the commands that wait for a lock.</summary>
    public const ulong SetLockAndWait = 7;
    public const ulong SetOpenFileLockAndWait = 38;
}
