namespace Dump.Model.Facts;

/// <summary>What can be missing. <see cref="MissingKinds"/> says what is true of each kind.</summary>
public enum MissingKind
{
    /// <summary>What a record of another version lacks: its words alone say what.</summary>
    Unknown,

    /// <summary>Stacks and locks of a process that was not to be stopped.</summary>
    StoppedMoment,

    /// <summary>Thread stacks that can be walked.</summary>
    ThreadStacks,

    /// <summary>The same, where only the collections that threads use are asked for.</summary>
    StacksOfCollections,

    /// <summary>System calls of threads that only who may trace the process sees.</summary>
    SystemCalls,

    /// <summary>The innermost functions of threads.</summary>
    InnermostFunctions,

    /// <summary>The outer frames of stacks with more frames than are walked.</summary>
    OuterFrames,

    /// <summary>A way to walk stacks of this processor.</summary>
    Unwinder,

    /// <summary>32-bit stacks of a 32-bit process.</summary>
    EmulatedStacks,

    /// <summary>Whole stacks of native Linux code.</summary>
    NativeStacks,

    /// <summary>Stacks and locks of a living process without .NET that cannot be stopped.</summary>
    LivingNativeStacks,

    /// <summary>The complete list of threads.</summary>
    ThreadList,

    /// <summary>All memory of the process.</summary>
    ProcessMemory,

    /// <summary>Parts of the file that are damaged.</summary>
    DamagedParts,

    /// <summary>The list of mapped files.</summary>
    MappedFileList,

    /// <summary>The notes of a core that was cut before them: its threads and mapped files.</summary>
    NotesOfCore,

    /// <summary>The memory of mapped files.</summary>
    MappedFileMemory,

    /// <summary>Whether the program has a .NET runtime inside.</summary>
    RuntimeInProgram,

    /// <summary>CPU times of threads.</summary>
    ThreadTimes,

    /// <summary>The memory of locks.</summary>
    LockMemory,

    /// <summary>The memory of the loader lock.</summary>
    LoaderLock,

    /// <summary>Thread environment blocks.</summary>
    ThreadBlocks,

    /// <summary>Handles and what is known of their objects.</summary>
    HandleData,

    /// <summary>The handle or address that threads gave to the system.</summary>
    WaitArguments,

    /// <summary>Owners of SRW locks.</summary>
    SlimLockOwners,

    /// <summary>Threads that run one-time initialisations.</summary>
    Initialisers,

    /// <summary>Owners of mutexes of winpthreads.</summary>
    PosixMutexOwners,

    /// <summary>Owners of .NET's spin locks.</summary>
    SpinLockOwners,

    /// <summary>The owner of the C runtime's startup lock of a module.</summary>
    StartupLockOwner,

    /// <summary>Owners of mutexes.</summary>
    MutexOwners,

    /// <summary>The process that holds a mutex.</summary>
    MutexHolderProcess,

    /// <summary>The thread that holds a mutex, which the list of threads does not have.</summary>
    MutexHolderThread,

    /// <summary>What COM keeps of its threads.</summary>
    ComThreadData,

    /// <summary>Who ends the waits of native Linux code that no lock explains.</summary>
    EndersOfNativeWaits,

    /// <summary>Where the program's own functions stand that a runtime other than .NET interprets or compiles.</summary>
    CodeOfOtherRuntime,

    /// <summary>What a thread did whose window had hung when the dump was asked for.</summary>
    HungWindowHandler,

    /// <summary>What a thread did whose window did not answer while it was looked at.</summary>
    UnansweredWindowHandler,

    /// <summary>A later moment of threads whose waits no rule judges.</summary>
    LaterMomentOfThreads,

    /// <summary>A later moment of pending calls of async methods.</summary>
    LaterMomentOfCalls,

    /// <summary>A later moment of a thread pool whose workers all wait.</summary>
    LaterMomentOfPool,

    /// <summary>A later moment of a host that is still starting.</summary>
    LaterMomentOfStart,

    /// <summary>A later moment of a host that is still stopping.</summary>
    LaterMomentOfStop,

    /// <summary>Who releases semaphores that async methods wait for.</summary>
    ReleasersOfSemaphores,

    /// <summary>Whether a running thread releases a semaphore that only its waiters have.</summary>
    RunningReleaser,

    /// <summary>Who completes tasks that many async methods wait for.</summary>
    CompletersOfTasks,

    /// <summary>Who completes the tasks that async methods wait for, each for one of its own.</summary>
    CompletersOfOwnTasks,

    /// <summary>Whether child processes that stand still go on.</summary>
    StandingChildren,

    /// <summary>Whether anybody reads from full pipes.</summary>
    ReadersOfPipes,

    /// <summary>The queue of the thread pool.</summary>
    PoolQueue,

    /// <summary>The managed heap, where collections are asked for.</summary>
    HeapOfCollections,

    /// <summary>The managed heap, where async methods are asked for.</summary>
    HeapOfTasks,

    /// <summary>Memory of collections.</summary>
    CollectionMemory,

    /// <summary>Memory of tasks.</summary>
    TaskMemory,

    /// <summary>Heap segments with collections.</summary>
    SegmentsOfCollections,

    /// <summary>Heap segments with tasks.</summary>
    SegmentsOfTasks,

    /// <summary>Async methods on a heap whose walk broke off.</summary>
    AsyncMethodsOfHeap,

    /// <summary>Which collections threads are inside of.</summary>
    CollectionsInUse,

    /// <summary>Objects of the managed heap.</summary>
    HeapObjects,

    /// <summary>Objects on one thread's stack.</summary>
    StackObjects,

    /// <summary>Objects on the stacks of threads that handle an exception.</summary>
    ObjectsDuringException,

    /// <summary>Managed stacks whose walk breaks off.</summary>
    ManagedStacks,

    /// <summary>Threads that the runtime's list lost.</summary>
    ManagedThreads,

    /// <summary>Objects that managed threads wait for.</summary>
    AwaitedObjects,

    /// <summary>Owners of managed locks.</summary>
    ManagedLockOwners,

    /// <summary>Agreement between frames, locks and the runtime's own records.</summary>
    Agreement,

    /// <summary>A .NET runtime.</summary>
    Runtime,

    /// <summary>The managed half, whose reading failed.</summary>
    ManagedHalf,

    /// <summary>The managed half, whose reading took too long for a stopped process.</summary>
    ManagedHalfInTime,

    /// <summary>The managed half of a runtime that only DbgShim knows.</summary>
    ManagedHalfOfShim,

    /// <summary>The managed half, which another operating system reads.</summary>
    ManagedHalfElsewhere,

    /// <summary>The managed half of a Windows process, which is not read here.</summary>
    WindowsManagedHalf,

    /// <summary>The managed half of a Windows process, whose reading under Wine failed.</summary>
    ManagedHalfUnderWine,

    /// <summary>The managed half of one more runtime in the process.</summary>
    SecondRuntime,

    /// <summary>What tells which data-access library belongs to the runtime.</summary>
    RuntimeIdentity,

    /// <summary>The data-access library of a runtime on Linux.</summary>
    DataAccessLibrary,

    /// <summary>The data-access library of a runtime on Windows.</summary>
    WindowsDataAccessLibrary,

    /// <summary>The data-access library of a .NET Framework of another build than this machine's.</summary>
    FrameworkDataAccessLibrary,

    /// <summary>The answer of a detector that failed.</summary>
    DetectorAnswer,
}
