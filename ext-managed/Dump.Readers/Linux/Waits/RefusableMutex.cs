using Dump.Readers.Linux.Locks;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>A priority-inheriting mutex that only threads of this process use, for which the kernel may refuse a wait.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Owner">Kernel id of the thread that holds it, in the namespace of the process; null where the mutex itself says that its owner has ended.</param>
internal sealed record RefusableMutex(ulong Address, uint? Owner)
{
    /// <summary>Reads one of glibc; null where there is none at an address, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="address">The address.</param>
    public static RefusableMutex? OfGlibc(IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[PthreadLayout.MutexSize];
        if (!Read(memory, address, bytes))
        {
            return null;
        }

        uint kind = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexKind..]);
        uint word = ReadUInt32LittleEndian(bytes), owner = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexOwner..]);
        bool fits = (kind & ~PthreadLayout.KindKnownBits) == 0
            && (kind & (PthreadLayout.KindPriorityInheriting | PthreadLayout.KindRobust | PthreadLayout.KindShared)) == PthreadLayout.KindPriorityInheriting
            && ReadUInt32LittleEndian(bytes[PthreadLayout.MutexUsers..]) is > 0 and < PthreadSignalLayout.MostThreads;
        return fits && owner != 0 && (word & FutexLayout.OwnerMask) == owner ? new RefusableMutex(address, owner) : null;
    }

    /// <summary>
    /// Reads one of musl; null where there is none at an address, or nobody holds it. The one who finds that its owner has ended lets it go again, and leaves
    /// a number of waiters that no mutex in use has.
    /// </summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="address">The address.</param>
    public static RefusableMutex? OfMusl(IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[MuslLayout.MutexSize];
        if (!Read(memory, address, bytes))
        {
            return null;
        }

        uint type = ReadUInt32LittleEndian(bytes), word = ReadUInt32LittleEndian(bytes[MuslLayout.MutexLock..]);
        uint waiters = ReadUInt32LittleEndian(bytes[MuslLayout.MutexWaiters..]), count = ReadUInt32LittleEndian(bytes[MuslLayout.MutexCount..]);
        bool isRecursive = (type & MuslLayout.TypeMask) == MuslLayout.TypeRecursive;
        if ((type & ~MuslLayout.TypeMask) != MuslLayout.TypePriorityInheriting || (type & MuslLayout.TypeMask) > MuslLayout.TypeMost
            || count >= (isRecursive ? MuslLayout.MostThreads : 1))
        {
            return null;
        }

        return waiters == MuslLayout.WaitersOfEnded && (word & FutexLayout.OwnerMask) == 0 ? new RefusableMutex(address, null)
            : waiters == 0 && MuslMutex.OwnerIn(word, type) is { } owner and not 0 ? new RefusableMutex(address, owner)
            : null;
    }

    private static bool Read(IMemory memory, ulong address, Span<byte> bytes) =>
        address != 0 && address % sizeof(ulong) == 0 && memory.TryRead(address, bytes);
}
