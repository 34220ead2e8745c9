using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux;

/// <summary>What a thread of a core was doing, by its saved registers.</summary>
public static class LinuxThreadActivity
{
    /// <summary>The activity. <c>orig_rax</c> is -1 outside of system calls and the call's number inside.</summary>
    public static ThreadActivity Of(ElfThread thread)
    {
        if (thread.SystemCall is not { } number)
        {
            return ThreadActivity.Unknown;
        }

        bool wakesOthers = number == LinuxSystemCalls.Futex && thread.Argument1 is { } operation
            && ((uint)operation & FutexLayout.CommandMask) is FutexLayout.Wake or FutexLayout.Requeue or FutexLayout.CompareRequeue or FutexLayout.WakeOperation
                or FutexLayout.UnlockPriorityInheriting or FutexLayout.WakeBitset;
        string name = LinuxSystemCalls.NameOf(number);
        return (number < 0, wakesOthers) switch
        {
            (true, _) => Made(ThreadActivityKind.Running, null, "orig_rax = -1: no system call"),
            (_, true) => Made(ThreadActivityKind.Running, name, $"orig_rax = {number} ({name}) with an operation that wakes others and does not wait (rsi)"),
            _ => Made(LinuxSystemCalls.KindOf(number), name, $"orig_rax = {number} ({name})"),
        };

        static ThreadActivity Made(ThreadActivityKind kind, string? call, string evidence) =>
            new(kind, call, [new Evidence(EvidenceSource.Register, evidence)]);
    }

    /// <summary>
    /// The time limit of the thread's wait in the kernel: the fourth argument of <c>futex(FUTEX_WAIT...)</c> is a null pointer for a wait without end
    /// (futex(2)). A thread that was stopped before and is in <c>restart_syscall</c> still has the arguments of the call that goes on; of futex waits only
    /// those with a time limit do so, the others begin anew (Linux kernel/futex/waitwake.c).
    /// </summary>
    /// <returns>The limit with its evidence, or null when the thread is in no such call.</returns>
    public static KernelWait? Limit(ElfThread thread)
    {
        if (thread.SystemCall is not (LinuxSystemCalls.Futex or LinuxSystemCalls.Restart) || thread.Argument1 is not { } operation
            || thread.Argument3 is not { } limit
            || ((uint)operation & FutexLayout.CommandMask) is not (FutexLayout.Wait or FutexLayout.WaitBitset))
        {
            return null;
        }

        if (thread.SystemCall == LinuxSystemCalls.Restart)
        {
            return limit == 0
                ? null
                : new KernelWait(WaitTimeout.Finite, new Evidence(EvidenceSource.Register, "restarted futex wait with a time limit (r10)",
                    thread.Argument0, limit));
        }

        Evidence evidence = limit == 0
            ? new Evidence(EvidenceSource.Register, "futex wait without a time limit (r10 = 0)", thread.Argument0)
            : new Evidence(EvidenceSource.Register, "futex wait with a time limit (r10)", thread.Argument0, limit);
        return new KernelWait(limit == 0 ? WaitTimeout.Infinite : WaitTimeout.Finite, evidence) { Expected = (uint?)thread.Argument2 };
    }
}
