namespace Dump.Model.Verdicts;

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

    /// <summary>A thread did nothing but compute between two samples.</summary>
    Computing,
}
