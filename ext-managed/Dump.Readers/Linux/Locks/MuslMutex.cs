using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Locks;

/// <summary>A <c>pthread_mutex_t</c> of musl that a thread waits for.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Owner">Kernel id of the thread that holds it, in the namespace of the process; null for a normal one, which stores none, and 0 where the owner
/// has ended, which musl notes in place of the id.</param>
/// <param name="Depth">How many times a recursive one was entered; null for other types, which store nothing.</param>
/// <param name="Type">Type and flags.</param>
internal sealed record MuslMutex(ulong Address, uint? Owner, uint? Depth, uint Type)
{
    /// <summary>True when other processes may use it too.</summary>
    public bool IsShared => (Type & MuslLayout.TypeShared) != 0;

    /// <summary>What it is called, by its flags.</summary>
    public string Words => (Type & MuslLayout.TypePriorityInheriting) != 0 ? "priority-inheriting mutex"
        : (Type & MuslLayout.TypeRobust) != 0 ? "robust mutex"
        : (Type & MuslLayout.TypeMask) == MuslLayout.TypeRecursive ? "recursive mutex"
        : "mutex";

    /// <summary>Reads the mutex whose word a thread waits for; null when what is there is none, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static MuslMutex? Of(IMemory memory, FutexWait wait)
    {
        ulong address = unchecked(wait.Word - MuslLayout.MutexLock);
        Span<byte> bytes = stackalloc byte[MuslLayout.MutexSize];
        if (address % sizeof(ulong) != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        uint type = ReadUInt32LittleEndian(bytes), word = ReadUInt32LittleEndian(bytes[MuslLayout.MutexLock..]);
        uint count = ReadUInt32LittleEndian(bytes[MuslLayout.MutexCount..]);
        bool isNormal = (type & ~MuslLayout.TypeShared) == 0, isRecursive = (type & MuslLayout.TypeMask) == MuslLayout.TypeRecursive;
        bool inherits = (type & MuslLayout.TypePriorityInheriting) != 0;
        bool fits = (type & ~MuslLayout.TypeKnownBits) == 0 && (type & MuslLayout.TypeMask) <= MuslLayout.TypeMost
            && ReadUInt32LittleEndian(bytes[MuslLayout.MutexWaiters..]) is { } waiters and < MuslLayout.MostThreads && (waiters > 0 || inherits)
            && count < (isRecursive ? MuslLayout.MostThreads : 1)
            && (!isNormal || bytes[MuslLayout.MutexPrevious..].IndexOfAnyExcept((byte)0) < 0)
            && wait.LocksInKernel == inherits && (inherits || word == wait.Expected) && (word & FutexLayout.HasWaiters) != 0;
        return !fits ? null
            : isNormal ? (word == (MuslLayout.HeldNormal | FutexLayout.HasWaiters) ? new MuslMutex(address, null, null, type) : null)
            : OwnerIn(word, type) is { } owner ? new MuslMutex(address, owner, isRecursive ? count + 1 : null, type)
            : null;
    }

    /// <summary>The next thread takes a robust mutex whose owner has ended; any other kind stays as it is for ever.</summary>
    /// <param name="word">The lock's word.</param>
    /// <param name="type">Type and flags.</param>
    /// <returns>Kernel id of the owner; 0 where it has ended; null where nobody holds the mutex.</returns>
    internal static uint? OwnerIn(uint word, uint type)
    {
        uint owner = word & FutexLayout.OwnerMask;
        return (word & FutexLayout.OwnerDied) != 0 ? (owner == 0 && (type & MuslLayout.TypeRobust) == 0 ? 0 : null)
            : owner is 0 or MuslLayout.NotRecoverable ? null
            : owner;
    }
}
