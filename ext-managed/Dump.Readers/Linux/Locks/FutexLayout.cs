namespace Dump.Readers.Linux.Locks;

/// <summary>Arguments of the futex system calls, the same on all machines. Source: Linux include/uapi/linux/futex.h; futex(2).</summary>
internal static class FutexLayout
{
    /// <summary>
    /// <c>futex_waitv</c>, a wait for any of several words: an array of struct futex_waitv (value, address, flags), of which FUTEX2_SIZE_U32 says that the word
    /// has 32 bits (futex_waitv(2); FUTEX_WAITV_MAX).
    /// </summary>
    public const int SeveralSize = 24;
    public const int SeveralAddress = 8;
    public const int SeveralFlags = 16;
    public const uint SeveralSizeMask = 3;
    public const uint SeveralSize32 = 2;
    public const uint MostSeveral = 128;

    /// <summary>The operation without FUTEX_PRIVATE_FLAG (128) and FUTEX_CLOCK_REALTIME (256).</summary>
    public const uint CommandMask = 0x7F;

    /// <summary>The word is used by threads of one process only.</summary>
    public const uint PrivateFlag = 128;

    public const uint Wait = 0;
    public const uint Wake = 1;
    public const uint Requeue = 3;
    public const uint CompareRequeue = 4;
    public const uint WakeOperation = 5;
    public const uint LockPriorityInheriting = 6;
    public const uint UnlockPriorityInheriting = 7;
    public const uint WaitBitset = 9;
    public const uint WakeBitset = 10;
    public const uint WaitRequeuePriorityInheriting = 11;
    public const uint LockPriorityInheriting2 = 13;

    /// <summary>The word of a robust or priority-inheriting lock: the owner's thread id, and two flags.</summary>
    public const uint OwnerMask = 0x3FFF_FFFF;
    public const uint HasWaiters = 0x8000_0000;
    public const uint OwnerDied = 0x4000_0000;
}
