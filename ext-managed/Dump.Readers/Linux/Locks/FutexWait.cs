using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>A thread that waits in the futex system call, by the call's arguments.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Word">Address of the 32-bit word that it waits for.</param>
/// <param name="Command">What it asked for: one of the waiting operations of <see cref="FutexLayout"/>.</param>
/// <param name="Expected">The value that the word had when the wait began; of no meaning for the operations that lock.</param>
/// <param name="Timeout">Whether the wait has a time limit.</param>
internal sealed record FutexWait(ElfThread Thread, ulong Word, uint Command, uint Expected, WaitTimeout Timeout)
{
    /// <summary>
    /// True where the kernel itself gives the lock to the waiter, which takes the lock's word as the owner's thread id (futex(2), FUTEX_LOCK_PI).
    /// </summary>
    public bool LocksInKernel => Command is FutexLayout.LockPriorityInheriting or FutexLayout.LockPriorityInheriting2;

    /// <summary>True where the word is used by one process only (FUTEX_PRIVATE_FLAG).</summary>
    public bool IsPrivate => Thread.Argument1 is { } operation && ((uint)operation & FutexLayout.PrivateFlag) != 0;

    /// <summary>The call's arguments.</summary>
    public Evidence Call => new(EvidenceSource.Register, Timeout == WaitTimeout.Finite ? "futex wait with a time limit (rdi, rsi, r10)"
        : "futex wait without a time limit (rdi, rsi, r10 = 0)", Word);

    /// <summary>The wait that a thread is in, or null when it is in none or that cannot be told.</summary>
    public static FutexWait? Of(ElfThread thread)
    {
        bool isRestarted = thread.SystemCall == FutexLayout.RestartedCall;
        if (!(isRestarted || thread.SystemCall == FutexLayout.SystemCall)
            || thread is not { Argument0: { } word and not 0, Argument1: { } operation, Argument2: { } expected, Argument3: { } limit })
        {
            return null;
        }

        // Of the calls that go on after a stop only futex waits with a limit have these arguments (kernel/futex/waitwake.c), others have any in their places.
        uint command = (uint)operation & FutexLayout.CommandMask;
        bool waits = command is FutexLayout.Wait or FutexLayout.WaitBitset;
        bool locks = command is FutexLayout.LockPriorityInheriting or FutexLayout.LockPriorityInheriting2;
        return !(waits || (locks && !isRestarted)) || (isRestarted && limit == 0) || word % sizeof(uint) != 0
            ? null
            : new FutexWait(thread, word, command, (uint)expected, limit == 0 ? WaitTimeout.Infinite : WaitTimeout.Finite);
    }
}
