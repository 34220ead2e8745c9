namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Offsets inside what threads wait for in glibc on x86-64 and nobody owns. Sources: glibc sysdeps/nptl/bits/thread-shared-types.h (pthread_cond_t of 2.25 to
/// 2.40), nptl/pthread_cond_wait.c (its record on the waiter's stack), sysdeps/nptl/internaltypes.h (barriers, semaphores), sysdeps/nptl/pthreadP.h and
/// nptl/pthread_once.c; GCC libstdc++-v3/config/cpu/generic/cxxabi_tweaks.h and libsupc++/guard.cc (guards). Checked on 2.36 and GCC 12.
/// </summary>
internal static class PthreadSignalLayout
{
    /// <summary>A field that says whether several processes use a semaphore or barrier: 0 for one, this for several.</summary>
    public const uint Shared = 128;

    /// <summary><c>pthread_cond_t</c>: 48 bytes. Positions and group starts are counted above their lowest bit.</summary>
    public const int ConditionSize = 48;
    public const int WaiterSequence = 0;
    public const int FirstGroupStart = 8;
    public const int GroupReferences = 16;
    public const int FirstGroupSizeAndLock = 32;
    public const int WaiterReferences = 36;
    public const int GroupSignals = 40;
    public const int GroupReferenceShift = 1;
    public const int WaiterReferenceShift = 3;
    public const uint ConditionShared = 1;
    public const uint LockMask = 3;
    public const uint MostOfLock = 2;

    /// <summary>What <c>pthread_cond_wait</c> keeps on its stack for the case that it is cancelled: position with group, condition, mutex, sharing.</summary>
    public const int RecordSize = 32;
    public const int RecordCondition = 8;
    public const int RecordMutex = 16;
    public const int RecordSharing = 24;

    /// <summary><c>sem_t</c>: value, number of waiters, sharing.</summary>
    public const int SemaphoreSize = 16;
    public const int SemaphoreWaiters = 4;
    public const int SemaphoreSharing = 8;

    /// <summary><c>pthread_barrier_t</c>: how many came, where this round began, how many must come, sharing, how many left.</summary>
    public const int BarrierSize = 20;
    public const int BarrierRound = 4;
    public const int BarrierCount = 8;
    public const int BarrierSharing = 12;
    public const int BarrierLeft = 16;

    /// <summary>The two low bits of <c>pthread_once_t</c>: it runs. Above them stands how often the process was forked.</summary>
    public const uint OnceStateMask = 3;
    public const uint OnceRuns = 1;

    /// <summary>The first word of a C++ guard: the initialiser runs, and others wait for it.</summary>
    public const uint GuardRunsWithWaiters = 0x0001_0100;

    /// <summary>More threads use nothing.</summary>
    public const uint MostThreads = 1 << 22;
}
