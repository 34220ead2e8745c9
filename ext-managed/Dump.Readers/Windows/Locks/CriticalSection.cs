namespace Dump.Readers.Windows.Locks;

/// <summary>A critical section whose fields agree with each other.</summary>
/// <param name="Address">Its address.</param>
/// <param name="DebugInfo">Address of its debug block; 0 or all ones when it has none.</param>
/// <param name="LockCount">LockCount as stored.</param>
/// <param name="RecursionCount">How many times the owner has entered; 0 when free.</param>
/// <param name="OwnerThreadId">The owner; 0 when free.</param>
/// <param name="LockSemaphore">LockSemaphore as stored: an event handle, or 0 or all ones when waiters wait on the address instead.</param>
internal sealed record CriticalSection(
    ulong Address,
    ulong DebugInfo,
    int LockCount,
    int RecursionCount,
    uint OwnerThreadId,
    ulong LockSemaphore)
{
    /// <summary>LockCount of a free section in both schemes.</summary>
    public const int Free = -1;

    /// <summary>True while a thread holds it.</summary>
    public bool IsLocked => IsLockedCount(LockCount);

    /// <summary>Number of threads that wait for it.</summary>
    public int WaiterCount => CountWaiters(LockCount, RecursionCount);

    /// <summary>True when it has a debug block.</summary>
    public bool HasDebugInfo => DebugInfo is not (0 or ulong.MaxValue);

    /// <summary>How many waits for it its debug block has counted; null without a readable block.</summary>
    public uint? Contentions { get; init; }

    /// <summary>True when its LockSemaphore can be a handle.</summary>
    public bool HasSemaphoreHandle => LockSemaphore is > 0 and <= uint.MaxValue and not uint.MaxValue && LockSemaphore % 4 == 0;

    /// <summary>
    /// Whether a LockCount means "locked". Up to Windows 2003 and in Wine it counts entries from -1, so 0 and above are locked. Since Windows 2003 SP1 it is a
    /// bit field whose bit 0 is clear when locked; its values are all negative, so the sign tells the schemes apart.
    /// </summary>
    /// <param name="lockCount">The stored count.</param>
    public static bool IsLockedCount(int lockCount) => lockCount >= 0 || (lockCount & 1) == 0;

    /// <summary>
    /// Number of waiters. In the old scheme LockCount + 1 is the number of entries and attempts to enter, the owner's repeated entries included; in the new one
    /// the waiters stand, negated, above the two flag bits. Negative when the fields contradict each other.
    /// </summary>
    /// <param name="lockCount">The stored count.</param>
    /// <param name="recursionCount">The stored recursion count.</param>
    public static int CountWaiters(int lockCount, int recursionCount) =>
        lockCount >= 0 ? lockCount - recursionCount + 1 : (Free - lockCount) >> 2;
}
