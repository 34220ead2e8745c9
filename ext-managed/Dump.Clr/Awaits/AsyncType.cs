using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Where the fields of a type are that chains of awaits are made of: bytes from the beginning of the object; -1 for a field that it does not have.
/// </summary>
/// <param name="Kind">What its objects are.</param>
/// <param name="Name">The async method or the operation, as it is printed.</param>
/// <param name="Size">How many bytes of an object hold all of the fields.</param>
internal sealed record AsyncType(AsyncTypeKind Kind, string Name, int Size)
{
    /// <summary>Flags of a task, 4 bytes.</summary>
    public int Flags { get; init; } = -1;

    /// <summary>What goes on when a task completes.</summary>
    public int Continuation { get; init; } = -1;

    /// <summary>The delegate of a task or a continuation, or the target of a delegate.</summary>
    public int Callback { get; init; } = -1;

    /// <summary>Where a task keeps its exception.</summary>
    public int Contingent { get; init; } = -1;

    /// <summary>The scheduler of a task, which runs it.</summary>
    public int Scheduler { get; init; } = -1;

    /// <summary>Number of the await at which a state machine stands, 4 bytes.</summary>
    public int State { get; init; } = -1;

    /// <summary>Reference to a state machine that is an object of its own, and has a type of its own here.</summary>
    public int Machine { get; init; } = -1;

    /// <summary>References of a state machine to what it awaits; at most one of them is not null.</summary>
    public int[] Awaiters { get; init; } = [];

    /// <summary>True for an async iterator, which is awaited by its state machine and not by its task.</summary>
    public bool IsIterator { get; init; }

    /// <summary>True for a task of no derived type: a completion source makes such ones.</summary>
    public bool IsPlain { get; init; }

    /// <summary>True for a task without a state machine that completes once all that it awaits has, and not before.</summary>
    public bool AwaitsAll { get; init; }

    /// <summary>True for a type of <c>System.Threading</c> or of the collections that its queues are made of.</summary>
    public bool IsOfThreading { get; init; }

    /// <summary>What a reference of such an object means to who looks for those that may complete a task.</summary>
    public ReferenceRole Role { get; init; }

    /// <summary>
    /// The task of a completion source or of a continuation, the first waiter of a semaphore, the next one of a waiter, or the items of a list.
    /// </summary>
    public int Link { get; init; } = -1;

    /// <summary>A number of 4 bytes: the count of a semaphore, the size of a list, the time of a timer.</summary>
    public int Count { get; init; } = -1;

    /// <summary>How often an operation that serves many awaits has been used, 2 bytes.</summary>
    public int Use { get; init; } = -1;

    /// <summary>How many threads wait for a semaphore, 4 bytes.</summary>
    public int Blocked { get; init; } = -1;

    /// <summary>The handle of a semaphore, made when somebody asks for it; the timer of a delay, which one without an end does not have.</summary>
    public int Handle { get; init; } = -1;

    /// <summary>The method that a state machine implements; null where it is unknown or nobody asks.</summary>
    public MethodPlace? Code { get; init; }

    /// <summary>Where the task of a method that the runtime suspends keeps its calls.</summary>
    public int Suspended { get; init; } = -1;

    /// <summary>The calls of a task whose method the runtime has suspended, innermost first: each is awaited by the next one.</summary>
    public AwaitStepName[] Calls { get; init; } = [];

    /// <summary>True for objects that a walk over the heap collects.</summary>
    public bool IsCollected => Kind <= AsyncTypeKind.WorkQueue;
}

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
