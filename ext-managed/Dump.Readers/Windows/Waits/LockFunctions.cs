using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Waits;

/// <summary>Functions of ntdll that wait for a lock in user mode, and the kind of lock.</summary>
internal static class LockFunctions
{
    // The Rtlp functions are not exported by Windows' ntdll; they are named with symbols, and under Wine, which exports some.
    private static readonly FrozenDictionary<string, ResourceKind> s_kinds = new Dictionary<string, ResourceKind>
    {
        ["RtlEnterCriticalSection"] = ResourceKind.CriticalSection,
        ["RtlpWaitForCriticalSection"] = ResourceKind.CriticalSection,
        ["RtlpWaitOnCriticalSection"] = ResourceKind.CriticalSection,
        ["RtlpEnterCriticalSectionContended"] = ResourceKind.CriticalSection,
        ["RtlAcquireSRWLockExclusive"] = ResourceKind.SlimReaderWriterLock,
        ["RtlAcquireSRWLockShared"] = ResourceKind.SlimReaderWriterLock,

        // The contended path, which waits itself (names of 24H2; seen on 26100 in a published stack). A condition variable takes its lock again through it: the
        // wait is then for the lock.
        ["RtlpAcquireSRWLockExclusiveContended"] = ResourceKind.SlimReaderWriterLock,
        ["RtlpAcquireSRWLockSharedContended"] = ResourceKind.SlimReaderWriterLock,
        ["RtlSleepConditionVariableCS"] = ResourceKind.ConditionVariable,
        ["RtlSleepConditionVariableSRW"] = ResourceKind.ConditionVariable,
        ["RtlRunOnceBeginInitialize"] = ResourceKind.OneTimeInitialization,
        ["RtlRunOnceExecuteOnce"] = ResourceKind.OneTimeInitialization,
        ["RtlWaitOnAddress"] = ResourceKind.Address,

        // WaitForThreadpool*Callbacks and CloseThreadpoolCleanupGroupMembers (threadpoolapiset.h) are forwarded to these exports; the barrier in which they
        // wait has a name only with symbols.
        ["TpWaitForWork"] = ResourceKind.PoolCallbacks,
        ["TpWaitForTimer"] = ResourceKind.PoolCallbacks,
        ["TpWaitForWait"] = ResourceKind.PoolCallbacks,
        ["TpWaitForIoCompletion"] = ResourceKind.PoolCallbacks,
        ["TpWaitForAlpcCompletion"] = ResourceKind.PoolCallbacks,
        ["TpReleaseCleanupGroupMembers"] = ResourceKind.PoolCallbacks,
        ["TppBarrierAdjust"] = ResourceKind.PoolCallbacks,
    }.ToFrozenDictionary();

    // Functions of kernelbase (of kernel32 before Windows 7) that end in a call of ntdll, whose frames may have no names there.
    private static readonly FrozenDictionary<string, ResourceKind> s_outer = new Dictionary<string, ResourceKind>
    {
        ["WaitOnAddress"] = ResourceKind.Address,
        ["SleepConditionVariableCS"] = ResourceKind.ConditionVariable,
        ["SleepConditionVariableSRW"] = ResourceKind.ConditionVariable,
    }.ToFrozenDictionary();

    /// <summary>The lock that a thread waits for by the functions on its stack; null when none of them is known.</summary>
    public static ResourceKind? KindOf(WindowsThread thread) => KindOf(thread.NtdllRun)
        ?? (thread.NtdllRun.Length < thread.Frames.Length
            && thread.Frames[thread.NtdllRun.Length] is { ModuleStem: "kernelbase" or "kernel32", Called: { } name, Trust: > FrameTrust.Scan }
            && s_outer.TryGetValue(name, out ResourceKind kind) ? kind : null);

    /// <summary>
    /// The lock that a run of ntdll frames waits for: that of the innermost lock function, where RtlWaitOnAddress, on
    /// which the others are built, counts only alone, and a condition variable only where no function of the thread pool
    /// waits by it. RtlRunOnceExecuteOnce counts only where it waits itself: further
    /// out it may call an initialiser of ntdll that waits for something else. Null when the run has no such function.
    /// </summary>
    public static ResourceKind? KindOf(IEnumerable<StackFrame> ntdllFrames)
    {
        const int DeepestOneTimeWait = 2;
        ResourceKind? kind = null;
        int index = -1;
        foreach (StackFrame frame in ntdllFrames)
        {
            index++;
            if (KindOf(frame) is { } found
                && (kind is null or ResourceKind.Address || found == ResourceKind.PoolCallbacks)
                && (found != ResourceKind.OneTimeInitialization || index <= DeepestOneTimeWait))
            {
                kind = found;
                if (kind is not (ResourceKind.Address or ResourceKind.ConditionVariable))
                {
                    break;
                }
            }
        }

        return kind;
    }

    /// <summary>By the frame's own function, or by the one that went on with a jump into it.</summary>
    private static ResourceKind? KindOf(StackFrame frame) =>
        frame.Function is { } name && s_kinds.TryGetValue(name, out ResourceKind own) ? own
        : frame.EnteredAs is { } entry && s_kinds.TryGetValue(entry, out ResourceKind called) ? called
        : null;
}
