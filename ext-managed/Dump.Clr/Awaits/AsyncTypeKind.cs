namespace Dump.Clr.Awaits;

/// <summary>What an object is to the chains of awaits.</summary>
internal enum AsyncTypeKind
{
    /// <summary>The task of an async method, which keeps its state machine.</summary>
    Method,

    /// <summary>The same of a method whose builder reuses its objects; no task.</summary>
    PooledMethod,

    /// <summary>Any other task.</summary>
    Task,

    /// <summary>A SemaphoreSlim.</summary>
    Semaphore,

    /// <summary>A TaskCompletionSource: by it a task without code is completed.</summary>
    CompletionSource,

    /// <summary>The queue of a worker of the thread pool.</summary>
    WorkQueue,

    /// <summary>A state machine that is an object of its own, as in builds without optimisation and in iterators.</summary>
    Machine,

    /// <summary>A delegate.</summary>
    Callback,

    /// <summary>A continuation with a delegate, for a synchronization context for example.</summary>
    Continuation,

    /// <summary>A continuation with the task that it begins.</summary>
    TaskContinuation,

    /// <summary>Several continuations.</summary>
    ContinuationList,

    /// <summary>Anything else that can be awaited.</summary>
    Other,
}
