using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>
/// Recognises waits for mutexes of winpthreads, the thread library of mingw-w64, on which std::mutex of libstdc++ is built. A waiter waits for an event that
/// belongs to the mutex. Only a recursive or error-checking mutex stores its owner, a plain one does not (seen in the code of libwinpthread-1.dll 10.0.0, x64).
/// </summary>
internal static class PosixMutexes
{
    private const string Library = "libwinpthread-1";

    /// <summary>The function that waits for an object inside of winpthreads; nothing else is known to have one of this name.</summary>
    private const string InnerWait = "_pthread_wait_for_single_object";

    /// <summary>Makes waits for the event of a mutex waits for the mutex.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    public static List<WaitFindings> Recognise(WindowsProcess process, List<WaitFindings> findings) =>
    [
        .. findings.Select((f, i) => f.Waits is [{ Resource.Kind: ResourceKind.Event or ResourceKind.KernelObject } wait] && IsLocking(process.Threads[i])
            ? f with { Waits = [Of(wait)] }
            : f),
    ];

    private static WaitFact Of(WaitFact wait) => wait with
    {
        Resource = new Resource(ResourceKind.PosixMutex, wait.Resource.Identity, wait.Resource.Identity == 0 ? wait.ThreadId : 0),
        Evidence = wait.Evidence.Add(
            new Evidence(EvidenceSource.Stack, "the wait is made by pthread_mutex_lock of winpthreads; a plain mutex stores no owner")),
    };

    /// <summary>
    /// True when the frames directly outside of the wait lead to a function that locks a mutex: in the library, which exports it, or in a module that contains
    /// the library, where symbols name the function, which waits itself or in another one of the library's. POSIX reserves its name.
    /// </summary>
    private static bool IsLocking(WindowsThread thread)
    {
        StackFrame[] outside = [.. thread.Frames.Skip(HandleWaits.CallerIndex(thread)).TakeWhile(f => f.Trust > FrameTrust.Scan).Take(3)];
        return outside is [{ ModuleStem: Library }, ..]
            ? outside.TakeWhile(f => f.ModuleStem == Library).Any(f => IsLock(f.Called))
            : outside is [{ Function: InnerWait } inner, var next, ..] ? next.Module == inner.Module && IsLock(next.Function)
            : outside is [{ Module: not null } lockFrame, ..] && IsLock(lockFrame.Function);
    }

    private static bool IsLock(string? function) => function is "pthread_mutex_lock" or "pthread_mutex_timedlock";
}
