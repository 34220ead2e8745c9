using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>
/// Offsets inside the locks of glibc on 64-bit machines, and its threads' descriptors. Sources: glibc sysdeps/x86/nptl/bits and sysdeps/aarch64/nptl/bits,
/// pthreadtypes-arch.h, struct_mutex.h and struct_rwlock.h,
/// sysdeps/nptl/bits/thread-shared-types.h, nptl/pthreadP.h (kinds, flags), nptl/descr.h; libio/libioP.h and sysdeps/nptl/stdio-lock.h (locks of streams). The
/// public structures are part of its binary interface. Checked on cores of 2.36
/// of both machines.
/// </summary>
internal static class PthreadLayout
{
    /// <summary><c>pthread_mutex_t</c>: 40 bytes; on ARM64 8 more, which nothing uses.</summary>
    public const int MutexSize = 40;
    public const int MutexCount = 4;
    public const int MutexOwner = 8;
    public const int MutexUsers = 12;
    public const int MutexKind = 16;
    public const int MutexPrevious = 24;
    public const int MutexNext = 32;

    /// <summary>Held with waiters: what they wait for the word to lose.</summary>
    public const uint MutexContended = 2;

    /// <summary>The type (normal, recursive, error-checking, adaptive) in the two low bits of the kind.</summary>
    public const uint KindTypeMask = 3;
    public const uint KindNormal = 0;
    public const uint KindRecursive = 1;
    public const uint KindAdaptive = 3;
    public const uint KindRobust = 16;
    public const uint KindPriorityInheriting = 32;
    public const uint KindShared = 128;

    /// <summary>All bits that a kind can have: those above, PTHREAD_MUTEX_PRIO_PROTECT_NP, shared between processes, and the two of lock elision.</summary>
    public const uint KindKnownBits = 3 | 16 | 32 | 64 | 128 | 256 | 512;

    /// <summary><c>pthread_rwlock_t</c>, 56 bytes.</summary>
    public const int ReaderWriterLockSize = 56;
    public const int Readers = 0;
    public const int Writers = 4;
    public const int WritePhaseFutex = 8;
    public const int WritersFutex = 12;
    public const int ReaderWriterPadding = 16;
    public const int CurrentWriter = 24;
    public const int ReaderWriterShared = 28;
    public const int ReaderWriterPadding2 = 40;
    public const int ReaderWriterFlags = 48;

    /// <summary>Bits of <see cref="Readers"/>: a writer's turn, held by or promised to a writer, readers wait; above them the number of readers.</summary>
    public const uint IsWritePhase = 1;
    public const uint IsWriteLocked = 2;
    public const int ReaderCountShift = 3;

    /// <summary>Values of both futex words are 0 to 3: a flag, and a flag that somebody waits (PTHREAD_RWLOCK_FUTEX_USED).</summary>
    public const uint MostOfReaderWriterFutex = 3;
    public const uint MostReaderWriterFlags = 2;

    /// <summary>The lock of a stream (<c>_IO_lock_t</c>): word, depth, and the descriptor of the thread that holds it.</summary>
    public const int StreamLockDepth = 4;
    public const int StreamLockOwner = 8;

    /// <summary>
    /// On x64 a thread's descriptor begins with its own address, and has it once more (<c>tcb</c> and <c>self</c> of <c>tcbhead_t</c>,
    /// sysdeps/x86_64/nptl/tls.h); behind that head of 704 bytes and a list entry stands the thread's id. The same since 2.4.
    /// </summary>
    public const int DescriptorSelf = 16;

    /// <summary>Its size, 2,304 bytes; the head of its owner's list of robust mutexes lies in it (nptl/descr.h, <c>robust_head</c>).</summary>
    public const ulong DescriptorSize = 2_304;

    /// <summary>
    /// On ARM64 the thread pointer leads behind the descriptor, whose size depends on the version: 1,856 bytes in 2.36 (sysdeps/aarch64/nptl/tls.h,
    /// TLS_PRE_TCB_SIZE).
    /// </summary>
    public const int LeastDescriptorSize = 1_024;
    public const int MostDescriptorSize = 4_096;
    public const int DescriptorAlignment = 16;

    /// <summary>Distance from the thread's id of what every thread has behind it: the head of its list of robust mutexes, which begins with a link.</summary>
    public const int RobustPrevious = 8;
    public const int RobustHead = 16;

    /// <summary>Of that head: how far a mutex' word is from its link (<c>futex_offset</c>; nptl/allocatestack.c, sysdeps/nptl/dl_tls_init_tp.c).</summary>
    public const int RobustOffset = 24;
    public const long RobustOffsetValue = -MutexNext;

    /// <summary>Longer lists of robust mutexes are not followed.</summary>
    public const int MostRobust = 256;

    /// <summary>Where in a descriptor the thread's id stands: behind the head of 704 bytes on x64, of 192 bytes on ARM64, and a list entry.</summary>
    /// <param name="machine">The machine.</param>
    public static int DescriptorThreadId(LinuxMachine machine) => machine == LinuxMachine.Arm64 ? 208 : 720;
}
