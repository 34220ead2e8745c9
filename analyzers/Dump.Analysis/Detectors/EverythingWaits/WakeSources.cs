using Dump.Analysis.Detection;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors.EverythingWaits;

/// <summary>
/// What can wake a .NET process on Linux all of whose threads wait: a timer, input, a connection, a signal, a child process. By what the threads of idle
/// programs were seen to do on .NET 8, 9 and 10: each source has a thread that stands in the system call which waits for it.
/// </summary>
internal static class WakeSources
{
    private const string TimerThread = "System.Threading.TimerQueue.TimerThread";
    private const string ProcessModule = "system.diagnostics.process";

    /// <summary>Threads of the runtime that poll its own pipes for requests of the system and of debuggers.</summary>
    private const int MostRuntimePolls = 2;

    /// <summary>
    /// What threads of the runtime's native code wait in without being of use to the program: each other, a debugger that connects, the process that writes a
    /// core of this one.
    /// </summary>
    private static readonly string[] s_ownCalls = ["futex", "poll", "restart_syscall", "openat", "wait4", "waitid"];

    /// <summary>True when something in the process may end a wait from outside of it, or after a time.</summary>
    /// <param name="context">What is known.</param>
    /// <param name="program">The threads that execute the program's code, all of which wait.</param>
    public static bool Exist(AnalysisContext context, IReadOnlySet<uint> program)
    {
        if (context.Snapshot.PendingTimers > 0)
        {
            return true;
        }

        ThreadSnapshot[] alive = [.. context.Snapshot.Threads.Where(t => !t.HasExited)];

        // Whoever has used the console has a thread that reads signals from a pipe; it is of no use to a program that handles none.
        ThreadSnapshot? signals = context.Snapshot.SignalHandlers == 0
            ? alive.FirstOrDefault(t => t is { ManagedId: null, Activity: { Kind: ThreadActivityKind.SystemCall, SystemCall: "read" } })
            : null;
        return alive.Any(t => WaitsForProcess(t) || (!program.Contains(t.Id) && t != signals && MayWake(t)))
            || alive.Count(t => t.ManagedId is null && t.Activity.SystemCall is "poll" or "restart_syscall") > MostRuntimePolls;
    }

    private static bool MayWake(ThreadSnapshot thread)
    {
        bool isManaged = thread.ManagedId is not null && thread.Stack.Frames.Any(f => f.Symbol == SymbolSource.Metadata);
        return (thread.Activity.Kind, isManaged) switch
        {
            // The thread of the timers waits for as long as the next one has to go; without an end when there is none.
            (ThreadActivityKind.Idle, true) => thread.Stack.Frames.Any(f => f.Function == TimerThread) && thread.KernelWait?.Timeout != WaitTimeout.Infinite,

            // Sockets, file watchers, whatever the class library waits for on a thread of its own.
            (_, true) => true,
            (ThreadActivityKind.Idle, false) => false,

            // The finalizer and the compiler of optimised code are the runtime's too, with and without a time limit.
            (ThreadActivityKind.Waiting or ThreadActivityKind.SystemCall or ThreadActivityKind.Sleeping, false) =>
                !s_ownCalls.Contains(thread.Activity.SystemCall)
                || (thread.ManagedId is null && thread.Activity.SystemCall == "futex" && thread.KernelWait?.Timeout != WaitTimeout.Infinite),
            _ => true,
        };
    }

    /// <summary>A child process ends some time, and its end wakes who waits for it.</summary>
    private static bool WaitsForProcess(ThreadSnapshot thread) => thread.Stack.Frames.Any(f => f.ModuleStem == ProcessModule);
}
