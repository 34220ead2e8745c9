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
    public static WantedFileLock? Of(IMemory memory, ElfThread thread) => thread switch
    {
        { SystemCall: SystemCallNumbers.LockFile, Argument0: { } descriptor, Argument1: { } operation }
            when (operation & (FileLockLayout.WholeNoBlock | FileLockLayout.WholeUnlock)) == 0 =>
            new WantedFileLock(thread.Id, (uint)descriptor, FileLockKind.Whole, (operation & FileLockLayout.WholeShared) != 0, (0, long.MaxValue)),
        { SystemCall: SystemCallNumbers.FileControl, Argument0: { } descriptor, Argument1: FileLockLayout.SetLockAndWait, Argument2: { } wanted } =>
            OfBytes(memory, thread.Id, (uint)descriptor, FileLockKind.Process, wanted),
        { SystemCall: SystemCallNumbers.FileControl, Argument0: { } descriptor, Argument1: FileLockLayout.SetOpenFileLockAndWait, Argument2: { } wanted } =>
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
