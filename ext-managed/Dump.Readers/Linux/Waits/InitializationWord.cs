using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux.Waits;

/// <summary>Words of one-time initialisations that a thread waits for. Neither stores who runs the initialiser.</summary>
internal static class InitializationWord
{
    /// <summary>True when the word is a <c>pthread_once_t</c> whose function runs.</summary>
    public static bool IsOnce(IMemory memory, FutexWait wait) =>
        wait is { LocksInKernel: false, IsPrivate: true } && (wait.Expected & PthreadSignalLayout.OnceStateMask) == PthreadSignalLayout.OnceRuns
            && memory.ReadUInt32(wait.Word) == wait.Expected;

    /// <summary>True when the word is the guard of a static variable of C++ whose initialiser runs, which is aligned to 8 bytes.</summary>
    public static bool IsGuard(IMemory memory, FutexWait wait) =>
        wait is { LocksInKernel: false, IsPrivate: false, Expected: PthreadSignalLayout.GuardRunsWithWaiters } && wait.Word % sizeof(ulong) == 0
            && memory.ReadUInt32(wait.Word) == wait.Expected;
}
