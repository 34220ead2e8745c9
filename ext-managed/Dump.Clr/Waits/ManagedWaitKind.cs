namespace Dump.Clr.Waits;

/// <summary>What a frame of the class library waits for.</summary>
internal enum ManagedWaitKind
{
    /// <summary>No wait: a step of another one.</summary>
    Inner,

    /// <summary><c>Monitor.Enter</c>.</summary>
    MonitorEnter,

    /// <summary><c>Monitor.Wait</c>: a condition, without an owner.</summary>
    MonitorWait,

    /// <summary><c>System.Threading.Lock</c>.</summary>
    Lock,

    /// <summary><c>ReaderWriterLockSlim</c>.</summary>
    ReaderWriterLock,

    /// <summary>A task.</summary>
    Task,

    /// <summary>All of several tasks.</summary>
    AllTasks,

    /// <summary>Any one of several tasks: nobody in particular must act.</summary>
    AnyTask,

    /// <summary><c>Thread.Join</c>.</summary>
    Join,

    /// <summary><c>Thread.Sleep</c>.</summary>
    Sleep,

    /// <summary>An object without an owner: slim event, semaphore, countdown, barrier.</summary>
    Signal,

    /// <summary>A wait handle of the operating system.</summary>
    Handle,

    /// <summary>All of several wait handles.</summary>
    AllHandles,

    /// <summary>Any one of several wait handles.</summary>
    AnyHandle,

    /// <summary>The class constructor of a type, which another thread runs.</summary>
    TypeInitializer,

    /// <summary><c>GC.WaitForPendingFinalizers</c>: the runtime's thread that runs them.</summary>
    Finalizers,

    /// <summary><c>Environment.Exit</c>: the runtime's thread that runs the handlers of ProcessExit.</summary>
    ProcessExit,

    /// <summary><c>GC.Collect</c>: a wait only while a thread that does not stop keeps the collection from beginning.</summary>
    Suspension,

    /// <summary>A callback of a cancellation token that runs, polled.</summary>
    Callback,

    /// <summary>A <c>SpinLock</c>, polled.</summary>
    SpinLock,

    /// <summary>A condition of the program's own, polled with <c>SpinWait</c>.</summary>
    Spin,

    /// <summary>Work for a pool thread, a timer or the runtime itself: idle.</summary>
    Work,
}
