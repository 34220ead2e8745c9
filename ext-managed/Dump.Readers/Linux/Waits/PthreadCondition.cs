using Dump.Readers.Linux.Locks;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>A condition variable of glibc (<c>pthread_cond_t</c>) that a thread waits for.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Waiters">How many threads use it, those that are about to go on among them.</param>
/// <param name="Mutex">The mutex that the thread takes again before it goes on; null when its stack does not tell.</param>
internal sealed record PthreadCondition(ulong Address, uint Waiters, ulong? Mutex)
{
    // The frame of pthread_cond_timedwait has 200 bytes.
    private const int MostFrameBytes = 1_024;

    /// <summary>Reads the one one of whose two words a thread waits for; null when what is there is none, or has been signalled.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="frame">The stack of the frame that waits: its first address and the one behind it.</param>
    public static PthreadCondition? Of(IMemory memory, FutexWait wait, (ulong Start, ulong End) frame)
    {
        // The structure is aligned to 8 bytes, so that the word itself tells its group.
        uint group = wait.Word % sizeof(ulong) == 0 ? 0u : 1;
        ulong address = unchecked(wait.Word - PthreadSignalLayout.GroupSignals - group * sizeof(uint));
        Span<byte> bytes = stackalloc byte[PthreadSignalLayout.ConditionSize];
        if (wait.LocksInKernel || wait.Expected != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        ulong sequence = ReadUInt64LittleEndian(bytes), start = ReadUInt64LittleEndian(bytes[PthreadSignalLayout.FirstGroupStart..]);
        uint references = Word(bytes, PthreadSignalLayout.WaiterReferences), waiters = references >> PthreadSignalLayout.WaiterReferenceShift;
        uint mine = InGroup(bytes, group), others = InGroup(bytes, 1 - group);
        bool fits = waiters is > 0 and < PthreadSignalLayout.MostThreads && mine > 0 && (ulong)mine + others <= waiters
            && Word(bytes, PthreadSignalLayout.GroupSignals + (int)group * sizeof(uint)) == 0
            && sequence >> 1 > start >> 1
            && (Word(bytes, PthreadSignalLayout.FirstGroupSizeAndLock) & PthreadSignalLayout.LockMask) <= PthreadSignalLayout.MostOfLock
            && (references & PthreadSignalLayout.ConditionShared) == (wait.IsPrivate ? 0 : PthreadSignalLayout.ConditionShared);
        return fits ? new PthreadCondition(address, waiters, MutexOf(memory, address, group, sequence, frame)) : null;
    }

    private static uint InGroup(ReadOnlySpan<byte> bytes, uint group) =>
        Word(bytes, PthreadSignalLayout.GroupReferences + (int)group * sizeof(uint)) >> PthreadSignalLayout.GroupReferenceShift;

    /// <summary>By the record that the waiting function keeps; more than one that fits is none.</summary>
    private static ulong? MutexOf(IMemory memory, ulong condition, uint group, ulong sequence, (ulong Start, ulong End) frame)
    {
        byte[] stack = new byte[frame.End > frame.Start ? (int)Math.Min(frame.End - frame.Start, MostFrameBytes) : 0];
        if (stack.Length < PthreadSignalLayout.RecordSize || !memory.TryRead(frame.Start, stack))
        {
            return null;
        }

        ulong? found = null;
        for (int at = 0; at + PthreadSignalLayout.RecordSize <= stack.Length; at += sizeof(ulong))
        {
            ReadOnlySpan<byte> record = stack.AsSpan(at);
            ulong position = ReadUInt64LittleEndian(record), mutex = ReadUInt64LittleEndian(record[PthreadSignalLayout.RecordMutex..]);
            if (ReadUInt64LittleEndian(record[PthreadSignalLayout.RecordCondition..]) == condition && (position & 1) == group
                && position >> 1 < sequence >> 1 && Word(record, PthreadSignalLayout.RecordSharing) is 0 or PthreadSignalLayout.Shared
                && IsMutex(memory, mutex))
            {
                if (found is not null && found != mutex)
                {
                    return null;
                }

                found = mutex;
            }
        }

        return found;
    }

    private static bool IsMutex(IMemory memory, ulong address) => address % sizeof(ulong) == 0
        && memory.ReadUInt32(unchecked(address + PthreadLayout.MutexKind)) is { } kind && (kind & ~PthreadLayout.KindKnownBits) == 0
        && memory.ReadUInt32(unchecked(address + PthreadLayout.MutexUsers)) < PthreadSignalLayout.MostThreads;

    private static uint Word(ReadOnlySpan<byte> bytes, int offset) => ReadUInt32LittleEndian(bytes[offset..]);
}
