namespace Dump.Readers.Linux.Locks;

/// <summary>
/// Offsets inside the locks and threads of musl on x86-64. Sources: musl include/alltypes.h.in (pthread_mutex_t, pthread_rwlock_t),
/// src/internal/pthread_impl.h (struct pthread, the words of the types), src/thread/pthread_mutex_timedlock.c, pthread_mutex_trylock.c,
/// pthread_rwlock_timedrdlock.c, pthread_join.c. Checked on living programs of 1.2.3, linked dynamically and statically.
/// </summary>
internal static class MuslLayout
{
    /// <summary><c>struct pthread</c>: its own address, the neighbours in the ring of all threads, the thread's id, how it ends.</summary>
    public const int DescriptorPrevious = 16;
    public const int DescriptorNext = 24;
    public const int DescriptorThreadId = 48;
    public const int DescriptorDetachState = 56;
    public const int DescriptorSize = 64;

    /// <summary>DT_EXITED 0, DT_EXITING 1, DT_JOINABLE 2, DT_DETACHED 3.</summary>
    public const uint Joinable = 2;
    public const uint MostDetachState = 3;

    /// <summary><c>pthread_mutex_t</c>, 40 bytes; waiters wait on the lock's word.</summary>
    public const int MutexSize = 40;
    public const int MutexType = 0;
    public const int MutexLock = 4;

    /// <summary>How many wait; not counted where the kernel hands the lock over (priority inheritance).</summary>
    public const int MutexWaiters = 8;
    public const int MutexCount = 20;
    public const int MutexPrevious = 24;

    /// <summary>Type in the low two bits (normal, recursive, error-checking), and flags.</summary>
    public const uint TypeMask = 3;
    public const uint TypeRecursive = 1;
    public const uint TypeMost = 2;
    public const uint TypeRobust = 4;
    public const uint TypePriorityInheriting = 8;
    public const uint TypeShared = 128;
    public const uint TypeKnownBits = 3 | 4 | 8 | 128;

    /// <summary>The word of a normal mutex that is held, which names nobody: EBUSY. Those of the other types hold the owner's id.</summary>
    public const uint HeldNormal = 16;

    /// <summary>An owner that no thread has: the mutex cannot be recovered.</summary>
    public const uint NotRecoverable = 0x3FFF_FFFF;

    /// <summary>Number of waiters of a priority-inheriting mutex whose owner has ended, which nobody gets any more (pthread_mutex_timedlock_pi).</summary>
    public const uint WaitersOfEnded = uint.MaxValue;

    /// <summary>
    /// The frame of <c>pthread_mutex_timedlock</c> above the word that a refused thread waits for: the canary, five kept registers, the return address.
    /// </summary>
    public const int MostBytesAboveWord = 64;

    /// <summary><c>pthread_rwlock_t</c>, 56 bytes: the word that waiters wait on, their number, whether it is shared between processes.</summary>
    public const int ReaderWriterLockSize = 56;
    public const int ReaderWriterWaiters = 4;
    public const int ReaderWriterShared = 8;
    public const int ReaderWriterRest = 12;

    /// <summary>The word without its highest bit: this while a writer holds it, else the number of readers.</summary>
    public const uint HeldByWriter = 0x7FFF_FFFF;

    /// <summary>More threads use no lock.</summary>
    public const uint MostThreads = 1 << 22;
}
