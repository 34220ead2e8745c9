using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Locks;

/// <summary>A <c>pthread_mutex_t</c> of glibc that a thread waits for.</summary>
/// <param name="Owner">Kernel id of the thread that holds it, in the namespace of the process.</param>
/// <param name="Depth">How many times a recursive one was entered; null for other types, which store nothing.</param>
/// <param name="Kind">Type and flags.</param>
internal sealed record PthreadMutex(uint Owner, uint? Depth, uint Kind)
{
    // More threads use no mutex.
    private const uint MostUsers = 1 << 22;

    /// <summary>True when other processes may use it too; robust ones say so all (glibc nptl/pthread_mutex_init.c).</summary>
    public bool IsShared => (Kind & PthreadLayout.KindShared) != 0;

    /// <summary>True for one that the owner keeps in a list of its own, which its descriptor holds.</summary>
    public bool IsRobust => (Kind & PthreadLayout.KindRobust) != 0;

    /// <summary>
    /// True for the kinds whose release asks nobody who took them (glibc nptl/pthread_mutex_unlock.c): normal and adaptive ones, neither robust nor
    /// priority-inheriting.
    /// </summary>
    public bool OthersMayRelease => (Kind & PthreadLayout.KindTypeMask) is PthreadLayout.KindNormal or PthreadLayout.KindAdaptive
        && (Kind & (PthreadLayout.KindRobust | PthreadLayout.KindPriorityInheriting)) == 0;

    /// <summary>What it is called, by its flags.</summary>
    public string Words => (Kind & PthreadLayout.KindPriorityInheriting) != 0 ? "priority-inheriting mutex"
        : (Kind & PthreadLayout.KindRobust) != 0 ? "robust mutex"
        : (Kind & PthreadLayout.KindTypeMask) == PthreadLayout.KindRecursive ? "recursive mutex"
        : "mutex";

    /// <summary>Reads the mutex whose word a thread waits for; null when what is there is none, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static PthreadMutex? Of(IMemory memory, FutexWait wait)
    {
        Span<byte> bytes = stackalloc byte[PthreadLayout.MutexSize];
        if (!memory.TryRead(wait.Word, bytes))
        {
            return null;
        }

        uint word = ReadUInt32LittleEndian(bytes), kind = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexKind..]);
        uint owner = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexOwner..]), count = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexCount..]);
        bool isRecursive = (kind & PthreadLayout.KindTypeMask) == PthreadLayout.KindRecursive;
        bool isInList = (kind & (PthreadLayout.KindRobust | PthreadLayout.KindPriorityInheriting)) != 0;
        bool fits = (kind & ~PthreadLayout.KindKnownBits) == 0
            && ReadUInt32LittleEndian(bytes[PthreadLayout.MutexUsers..]) is > 0 and < MostUsers
            && (isRecursive ? count > 0 : count <= (isInList ? 1u : 0))
            && (isInList || IsZero(bytes[PthreadLayout.MutexPrevious..]));
        return fits && OwnerIn(word, owner, kind, wait) is { } holder and not 0 ? new PthreadMutex(holder, isRecursive ? count : null, kind) : null;
    }

    /// <summary>
    /// The owner where word, field and wait agree. The word of robust and priority-inheriting ones is the owner's id with flags; that of the others says only
    /// that somebody waits. The kernel hands over a priority-inheriting one before the new owner has written its id into the field.
    /// </summary>
    private static uint? OwnerIn(uint word, uint owner, uint kind, FutexWait wait)
    {
        uint inWord = word & FutexLayout.OwnerMask;
        if ((kind & PthreadLayout.KindPriorityInheriting) != 0)
        {
            return wait.LocksInKernel && (word & FutexLayout.HasWaiters) != 0 ? inWord : null;
        }

        return wait.LocksInKernel || word != wait.Expected ? null
            : (kind & PthreadLayout.KindRobust) != 0 ? ((word & FutexLayout.HasWaiters) != 0 && inWord == owner ? owner : null)
            : word == PthreadLayout.MutexContended ? owner
            : null;
    }

    private static bool IsZero(ReadOnlySpan<byte> bytes) => bytes.IndexOfAnyExcept((byte)0) < 0;
}
