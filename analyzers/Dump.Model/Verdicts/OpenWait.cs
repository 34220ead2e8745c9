using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Model.Verdicts;

/// <summary>A wait, or a stand in a system call, that no verdict judges although it matters: of a window's thread, a lock's owner, the load owner.</summary>
/// <param name="Kind">Why it is told.</param>
/// <param name="ThreadId">
/// The thread; null for async methods, which have none while they wait: then <paramref name="Activity"/> is a sentence of its own.
/// </param>
/// <param name="Role">Why it matters, as a clause, for example <c>handles the user interface</c>; null where only the wait itself is worth a line.</param>
/// <param name="Activity">What the thread does, as a clause, for example <c>waits for event (handle 0x44), without a time limit</c>.</param>
/// <param name="Grade">How well the wait is known.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record OpenWait(OpenWaitKind Kind, uint? ThreadId, string? Role, string Activity, Grade Grade, ImmutableArray<Evidence> Evidence)
{
    /// <summary>The system call that the thread is in, or null when its name is unknown.</summary>
    public string? SystemCall { get; init; }

    /// <summary>What it waits for, or null when only the system call is known.</summary>
    public Resource? Resource { get; init; }

    /// <summary>Further threads that stand in the same function of the program in a wait for the same; empty for none.</summary>
    public ImmutableArray<uint> Others { get; init; } = [];

    /// <summary>What is known of the time limit.</summary>
    public WaitTimeout Timeout { get; init; }

    /// <summary>The finite time limit in milliseconds, or null when unknown.</summary>
    public long? Milliseconds { get; init; }

    /// <summary>Index of the frame that the program's own code called and that led to the wait; null when it is unknown.</summary>
    public int? ThroughIndex { get; init; }

    /// <summary>Index of the innermost frame of the program's own; null when there is none.</summary>
    public int? OwnIndex { get; init; }

    /// <summary>Index of the frame whose code to look at, where it is another one: a package's function that waits was called by the program.</summary>
    public int? ReadIndex { get; init; }

    /// <summary>True where it is known what ends the wait: time, or the next piece of work. Such waits are told last.</summary>
    public bool IsExplained { get; init; }

    /// <summary>True when others depend on the thread, so that the answer cannot be "no hang found".</summary>
    public bool LeavesUndecided { get; init; }
}

/// <summary>Why a wait that no verdict judges is told.</summary>
public enum OpenWaitKind
{
    /// <summary>A record of another version does not say.</summary>
    Unknown,

    /// <summary>A thread with windows is inside a message handler, or below a COM call that has no answer.</summary>
    Window,

    /// <summary>A thread holds a lock for which others wait, or runs a task.</summary>
    LockOwner,

    /// <summary>A thread is the load owner.</summary>
    LoadOwner,

    /// <summary><c>Main</c> has returned, and foreground threads keep the process alive.</summary>
    ReturnedMain,

    /// <summary>The finalizer thread waits in a finalizer.</summary>
    Finalizer,

    /// <summary>A thread keeps a host from starting or stopping.</summary>
    HostThread,

    /// <summary>A host has not finished starting or stopping.</summary>
    Host,

    /// <summary>The thread to look at first.</summary>
    FirstThread,

    /// <summary>A wait that is rare: for the graphics processor, a hook, callbacks of the thread pool, a child process.</summary>
    Rare,

    /// <summary>A thread beside a call that is all that is seen of the program.</summary>
    BesideOneCall,

    /// <summary>A thread waits below code of the program's own.</summary>
    OwnCode,

    /// <summary>Threads of a native Linux process.</summary>
    NativeThreads,

    /// <summary>Async methods wait for a semaphore.</summary>
    Semaphore,

    /// <summary>Async methods wait for one task of a completion source.</summary>
    CompletionSource,

    /// <summary>Async methods wait for tasks of completion sources, each for one of its own.</summary>
    OwnCompletionSources,

    /// <summary>Async methods were not looked at.</summary>
    AsyncMethodsNotRead,

    /// <summary>Pending calls of an async method of the program's own.</summary>
    PendingCalls,

    /// <summary>More kinds of pending calls than are told.</summary>
    FurtherCalls,

    /// <summary>All workers of the thread pool wait while work is queued.</summary>
    StarvedPool,

    /// <summary>A child process that cannot go on by itself.</summary>
    Child,

    /// <summary>A full pipe to which threads wait to write.</summary>
    FullPipe,

    /// <summary>Threads in the middle of their work wait for a step of other threads: at a barrier, for a countdown, for room in a bounded collection.</summary>
    Step,

    /// <summary>A thread ends the process and does not get through.</summary>
    ProcessExit,

    /// <summary>A thread for whose end the thread to look at first waits.</summary>
    AwaitedThread,

    /// <summary>A thread did nothing but compute between two samples.</summary>
    Computing,

    /// <summary>Failed tasks whose exception nobody has looked at: who waits for what they should have done waits for ever.</summary>
    FailedTasks,
}
