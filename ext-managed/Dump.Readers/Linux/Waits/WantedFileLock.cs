using System.Globalization;
using Dump.Readers.ElfCore;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>The lock of a file that a thread waits for, by the arguments of its system call.</summary>
/// <param name="Thread">Id of the thread.</param>
/// <param name="Descriptor">The file descriptor.</param>
/// <param name="Kind">Which locks it conflicts with.</param>
/// <param name="IsShared">True for one that others may share; null when that is not readable.</param>
/// <param name="Bytes">First and last byte, <see cref="long.MaxValue"/> for the end of the file whatever that is; null when they cannot be told.</param>
internal sealed record WantedFileLock(uint Thread, uint Descriptor, FileLockKind Kind, bool? IsShared, (long First, long Last)? Bytes)
{
    /// <summary>What is wanted, in words.</summary>
    public string Words => $"{(IsShared switch { true => "a shared lock", false => "an exclusive lock", null => "a lock" })} of "
        + (Kind == FileLockKind.Whole ? "the whole file"
            : Bytes is not { } bytes ? "bytes that are unknown"
            : bytes is (0, long.MaxValue) ? "all bytes"
            : string.Create(CultureInfo.InvariantCulture, $"bytes {bytes.First} to {(bytes.Last == long.MaxValue ? "the end" : $"{bytes.Last}")}"))
        + (Kind == FileLockKind.OpenFile ? " for the open file (F_OFD_SETLKW)" : "");

    /// <summary>The lock, or null when the thread waits for none.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="thread">The thread.</param>
    public static WantedFileLock? Of(IMemory memory, ElfThread thread) => (LinuxSystemCalls.Of(thread), thread) switch
    {
        (LinuxCall.LockFile, { Argument0: { } descriptor, Argument1: { } operation })
            when (operation & (FileLockLayout.WholeNoBlock | FileLockLayout.WholeUnlock)) == 0 =>
            new WantedFileLock(thread.Id, (uint)descriptor, FileLockKind.Whole, (operation & FileLockLayout.WholeShared) != 0, (0, long.MaxValue)),
        (LinuxCall.FileControl, { Argument0: { } descriptor, Argument1: FileLockLayout.SetLockAndWait, Argument2: { } wanted }) =>
            OfBytes(memory, thread.Id, (uint)descriptor, FileLockKind.Process, wanted),
        (LinuxCall.FileControl, { Argument0: { } descriptor, Argument1: FileLockLayout.SetOpenFileLockAndWait, Argument2: { } wanted }) =>
            OfBytes(memory, thread.Id, (uint)descriptor, FileLockKind.OpenFile, wanted),
        _ => null,
    };

    private static WantedFileLock? OfBytes(IMemory memory, uint thread, uint descriptor, FileLockKind kind, ulong address)
    {
        Span<byte> bytes = stackalloc byte[FileLockLayout.Size];
        if (!memory.TryRead(address, bytes))
        {
            return new WantedFileLock(thread, descriptor, kind, null, null);
        }

        ushort type = ReadUInt16LittleEndian(bytes[FileLockLayout.Type..]);
        return type switch
        {
            FileLockLayout.Unlock => null,
            FileLockLayout.Shared or FileLockLayout.Exclusive => new WantedFileLock(thread, descriptor, kind, type == FileLockLayout.Shared, Range(bytes)),
            _ => new WantedFileLock(thread, descriptor, kind, null, null),
        };
    }

    /// <summary>A length of 0 leads to the end of the file, a negative one stands for the bytes before the start (fcntl(2)).</summary>
    private static (long First, long Last)? Range(ReadOnlySpan<byte> bytes)
    {
        long start = ReadInt64LittleEndian(bytes[FileLockLayout.Start..]), length = ReadInt64LittleEndian(bytes[FileLockLayout.Length..]);
        return ReadUInt16LittleEndian(bytes[FileLockLayout.Whence..]) != FileLockLayout.FromBeginning || start < 0 ? null
            : length == 0 ? (start, long.MaxValue)
            : length > 0 ? (length - 1 <= long.MaxValue - start ? (start, start + length - 1) : null)
            : start + length >= 0 ? (start + length, start - 1)
            : null;
    }
}

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

/// <summary>The families of file locks on Linux (flock(2), fcntl(2)).</summary>
internal enum FileLockKind
{
    /// <summary>Of <c>flock</c>: of the whole file, held by an open file description. It conflicts with its own kind only.</summary>
    Whole,

    /// <summary>Of <c>fcntl</c>: of bytes, held by a process.</summary>
    Process,

    /// <summary>Of <c>fcntl</c>: of bytes, held by an open file description.</summary>
    OpenFile,
}
