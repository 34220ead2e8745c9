using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Text;

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

    /// <summary>The managed half, which a computer of another processor reads.</summary>
    ManagedHalfOfOtherProcessor,

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

/// <summary>What is true of all that is missing of one kind: one row of <see cref="MissingKinds"/>.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Capture">What supplies it where whoever misses it names nothing else.</param>
/// <param name="What">What is missing, as a noun phrase.</param>
/// <param name="Consequence">What cannot be decided without it, as a clause.</param>
public sealed record MissingKindFacts(MissingKind Kind, CaptureKind Capture, Func<MissingParts, string> What, Func<MissingParts, string> Consequence)
{
    /// <summary>
    /// True where nothing but what threads wait for, hold and execute stands there, so that it leaves nothing open where every thread waits for new work.
    /// </summary>
    public bool IsOfBusyThreads { get; init; }

    /// <summary>True where only who ends waits of native Linux code is missing, so that it leaves nothing open where no thread is in such a wait.</summary>
    public bool IsOfNativeWaits { get; init; }
}

/// <summary>The one table of what can be missing: its words, what supplies it, and what it leaves open.</summary>
public static class MissingKinds
{
    private const string LastsUnknown = "it goes on is unknown";
    private const string CycleThroughIt = "a cycle through it can be neither shown nor excluded";
    private const string ManagedUnknown = "managed stacks and locks are unknown";
    private const string WindowsManagedUnknown = "managed locks, tasks and collections are unknown; what is reported of native code remains valid";
    private const string WaitsUnknown = "what its threads wait for is unknown";
    private const string SeeWaits = "(What it waits for)";

    private static readonly FrozenDictionary<MissingKind, MissingKindFacts> s_rows = Rows().ToFrozenDictionary(r => r.Kind);

    private static readonly FrozenSet<MissingKind> s_laterMoments = LaterMoments().Select(r => r.Kind).ToFrozenSet();

    /// <summary>All rows, in the order of the kinds.</summary>
    public static ImmutableArray<MissingKindFacts> All { get; } = [.. s_rows.Values.OrderBy(r => r.Kind)];

    /// <summary>True for what only a second look tells.</summary>
    public static bool IsLaterMoment(MissingKind kind) => s_laterMoments.Contains(kind);

    /// <summary>What is true of all that is missing of a kind.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The kind has no row.</exception>
    public static MissingKindFacts Of(MissingKind kind) =>
        s_rows.TryGetValue(kind, out MissingKindFacts? row)
            ? row
            : throw new ArgumentOutOfRangeException(nameof(kind), kind, "a kind of missing data without a row");

    private static IEnumerable<MissingKindFacts> Rows() =>
        [.. Stacks(), .. Files(), .. LocksAndOwners(), .. LaterMoments(), .. Heaps(), .. ManagedThreads(), .. Runtimes()];

    private static IEnumerable<MissingKindFacts> Stacks() =>
    [
        Row(MissingKind.Unknown, CaptureKind.AsGiven, "something", "what follows is unknown"),
        Row(MissingKind.StoppedMoment, CaptureKind.StoppedLook,
            "stacks and locks (the process was not stopped, as --no-stop says: samples of CPU times and /proc tell the rest)",
            "what its threads wait for is unknown beyond their system calls"),
        Row(MissingKind.ThreadStacks, CaptureKind.FullDump, "thread stacks that can be walked", "what the threads do and wait for is unknown"),
        Row(MissingKind.StacksOfCollections, CaptureKind.FullDump, "thread stacks that can be walked", "which collections threads use is unknown"),
        Row(MissingKind.SystemCalls, CaptureKind.Rights,
            p => $"the system call of {CountText.Of(p.Count, "thread")} (/proc/PID/task/TID/syscall, for those alone who may trace the process)", WhetherTheyWait),
        Row(MissingKind.InnermostFunctions, CaptureKind.FullDump, p => $"the innermost function of {CountText.Of(p.Count, "thread")} ({p.Detail})", WhetherTheyWait),
        Row(MissingKind.OuterFrames, CaptureKind.RepeatedCalls, p => $"the outer frames of {CountText.Of(p.Count, "stack")} (more frames than are walked)",
            p => $"whether {(p.Count == 1 ? "that thread has" : "those threads have")} a message loop is unknown"),
        Row(MissingKind.Unwinder, CaptureKind.OtherBuild, p => $"an unwinder for {p.Subject} code",
            _ => "stacks of this architecture are not walked by this version, so no wait is known"),
        Row(MissingKind.EmulatedStacks, CaptureKind.ThirtyTwoBitDump, "the 32-bit stacks of a 32-bit process (WoW64)",
            "of some threads only the 64-bit side could be read, on which they are in the emulation layer: what the program waits for is unknown"),
        Row(MissingKind.NativeStacks, CaptureKind.SameMachine,
            "the whole stacks of native Linux code (there is no .NET runtime in this process, and the unwind information of its programs and libraries is not "
                + "all readable here)",
            "what its threads wait for is unknown, but for mutexes, reader-writer locks, joins, streams and the dynamic loader"),
        Row(MissingKind.LivingNativeStacks, CaptureKind.NativeStacks,
            "stacks and locks (there is no libcoreclr.so in this process, and no such runtime inside its program: it runs no .NET, or only code compiled "
                + "ahead of time)",
            "what its threads wait for is unknown beyond their system calls"),
    ];

    private static IEnumerable<MissingKindFacts> Files() =>
    [
        Row(MissingKind.ThreadList, CaptureKind.FullDump, "the complete thread list (damaged, or cut off)",
            "what the missing threads do is unknown, and so is whether a lock's owner that is not listed still exists"),
        Row(MissingKind.ProcessMemory, CaptureKind.FullDump, "process memory", "stacks and locks cannot be read"),
        Row(MissingKind.DamagedParts, CaptureKind.WrittenAgain, "the damaged parts of the file (the problems are listed below)",
            "what stood there may hide a hang"),
        Row(MissingKind.MappedFileList, CaptureKind.CoreWithFiles,
            "which files were mapped where, the program and its libraries among them (the core has no note NT_FILE)",
            "functions have no names, stacks are not walked, and whether the process runs .NET is unknown"),
        Row(MissingKind.NotesOfCore, CaptureKind.CoreWrittenAgain,
            "the threads and mapped files of the process (the core ends before its notes: its writer was interrupted, or the disk was full)",
            "what the process does is unknown"),
        Row(MissingKind.MappedFileMemory, CaptureKind.CoreWithFileMemory,
            p => $"the memory of mapped files, the .NET runtime's own among it ({p.Detail} leaves it out unless bits 2 and 3 of coredump_filter are set)",
            _ => "most managed frames are unknown, so further waits and deadlocks may be there; what is found remains valid"),
        Row(MissingKind.RuntimeInProgram, CaptureKind.CoreWithProgramMemory,
            "whether this process runs .NET (it has no libcoreclr.so; a program in a single file has the runtime inside, but the memory of the program's own "
                + "file is not in this core)", WaitsUnknown),
        Row(MissingKind.ThreadTimes, CaptureKind.Times, p => $"thread CPU times ({p.Detail})",
            _ => "which threads have used CPU time, and for how long, is unknown"),
        Row(MissingKind.HandleData, CaptureKind.FullDump, "handle data (HandleData stream with object information)",
            "the owners of mutexes and the ids behind thread handles are unknown"),
        Row(MissingKind.ThreadBlocks, CaptureKind.FullDump, "thread environment blocks (TEB memory)", "which thread is the load owner is unknown"),
    ];

    private static IEnumerable<MissingKindFacts> LocksAndOwners() =>
    [
        Row(MissingKind.LockMemory, CaptureKind.FullDump, "the memory of locks that threads wait for",
            "their owners are unknown, so a lock cycle can be neither shown nor excluded"),
        Row(MissingKind.LoaderLock, CaptureKind.FullDump, "the loader lock's memory (PEB and ntdll data)", "whether a thread holds the loader lock is unknown"),
        Row(MissingKind.SlimLockOwners, CaptureKind.ThreadsInLockedCode,
            p => $"the owner of SRW locks, for {CountText.Of(p.Count, "waiting thread")} (Windows stores none)",
            _ => "a cycle through an SRW lock can be neither shown nor excluded"),
        Row(MissingKind.Initialisers, CaptureKind.ThreadsInInitialiser,
            p => $"the thread that runs a one-time initialisation, for {CountText.Of(p.Count, "waiting thread")} (INIT_ONCE stores none)", _ => CycleThroughIt),
        Row(MissingKind.PosixMutexOwners, CaptureKind.ThreadsInMutexCode,
            p => $"the owner of winpthreads mutexes (std::mutex of libstdc++), for {CountText.Of(p.Count, "waiting thread")} (a plain one stores none)",
            _ => "a cycle through such a mutex can be neither shown nor excluded"),
        Row(MissingKind.SpinLockOwners, CaptureKind.OwnerTracking,
            p => $"the owner of a SpinLock that {CountText.Of(p.Count, "thread")} {(p.Count == 1 ? "spins" : "spin")} for (the lock stores it only when it is "
                + "made with enableThreadOwnerTracking)", _ => CycleThroughIt),
        Row(MissingKind.StartupLockOwner, CaptureKind.FullDumpAndPdb,
            p => $"the owner of the C runtime's startup lock of {p.Subject}, for which a thread spins ({p.Detail})",
            _ => "a cycle through that lock can be neither shown nor excluded"),
        Row(MissingKind.WaitArguments, CaptureKind.CallersOfWaits,
            p => $"the handle or address that {CountText.Of(p.Count, "waiting thread")} gave to the system (not readable from the stack)", _ => CycleThroughIt),
        Row(MissingKind.MutexOwners, CaptureKind.FullDumpOfWindows, p => $"the owner of a {p.Detail}",
            _ => "a cycle through that mutex can be neither shown nor excluded"),
        Row(MissingKind.MutexHolderProcess, CaptureKind.OtherProcess,
            p => $"the process that holds a mutex for which {CountText.Of(p.Count, "thread")} {(p.Count == 1 ? "waits" : "wait")} ({p.Detail})",
            _ => "why it does not release the mutex is unknown; a cycle through both processes can be neither shown nor excluded"),
        Row(MissingKind.MutexHolderThread, CaptureKind.SecondDump,
            p => $"the thread that holds a mutex for which {CountText.Of(p.Count, "thread")} {(p.Count == 1 ? "waits" : "wait")} ({p.Detail}, which the thread "
                + "list does not have)",
            _ => "why it does not release the mutex is unknown"),
        Row(MissingKind.ComThreadData, CaptureKind.FullDump, "what COM keeps of its threads (SOleTlsData, on the heap)",
            "which thread executes the COM call that another one waits for is unknown"),
        Row(MissingKind.EndersOfNativeWaits, CaptureKind.MovingThreads,
            "who ends the waits of native Linux code that no lock explains (condition variables, semaphores, pipes, files)",
            "whether such a wait is a hang is unknown; mutexes, reader-writer locks, joins, streams and the dynamic loader were looked at") with
            {
                IsOfNativeWaits = true,
            },
        Row(MissingKind.CodeOfOtherRuntime, CaptureKind.StacksOfOtherRuntime,
            p => $"the functions that {p.Subject} runs, which stand on no native stack",
            _ => "where each of them is, and what it waits for, is unknown") with
            {
                IsOfNativeWaits = true,
            },
    ];

    private static IEnumerable<MissingKindFacts> LaterMoments() =>
    [
        Row(MissingKind.HungWindowHandler, CaptureKind.DumpOfHungWindow,
            p => $"what window {p.Detail} did when procdump found it hung (no thread with a message loop is known to stand in a handler)",
            _ => "why it did not answer for 5 s is unknown"),
        Row(MissingKind.UnansweredWindowHandler, CaptureKind.LookAtHungWindow,
            p => $"what {p.Detail} did not answer (Windows says that it had taken no message for 5 s; its stack shows no message handler)",
            _ => "why the window did not answer is unknown"),
        Row(MissingKind.LaterMomentOfThreads, CaptureKind.TwoDumps,
            p => $"a later moment of {CountText.Of(p.Count, "thread")} whose waits no rule judges {SeeWaits}",
            p => p.Count == 1 ? $"whether {LastsUnknown}" : "whether they continue is unknown"),
        Row(MissingKind.LaterMomentOfCalls, CaptureKind.TwoDumps,
            p => $"a later moment of {CountText.Of(p.Count, "kind")} of pending calls {SeeWaits}", _ => "whether they continue is unknown"),
        Row(MissingKind.LaterMomentOfPool, CaptureKind.TwoDumps, $"a later moment of the thread pool, whose workers all wait {SeeWaits}",
            "whether queued work gets a worker is unknown"),
        Row(MissingKind.LaterMomentOfStart, CaptureKind.LaterTasks, $"a later moment of a host that has not finished starting {SeeWaits}",
            $"whether {LastsUnknown}"),
        Row(MissingKind.LaterMomentOfStop, CaptureKind.LaterTasks, $"a later moment of a host that has not finished stopping {SeeWaits}",
            $"whether {LastsUnknown}"),
        Row(MissingKind.ReleasersOfSemaphores, CaptureKind.LaterTasks,
            p => $"who releases the {(p.Count == 1 ? "semaphore" : CountText.Of(p.Count, "semaphore"))} that many async methods wait for {SeeWaits}",
            _ => "a semaphore has no owner: whether these methods go on is unknown"),
        Row(MissingKind.RunningReleaser, CaptureKind.SecondDump,
            "whether a thread that executes code releases a semaphore which otherwise only its waiters have",
            "whether anybody is left to release it is unknown"),
        Row(MissingKind.CompletersOfTasks, CaptureKind.LaterTasks,
            p => $"who completes the {(p.Count == 1 ? "task of a completion source" : $"tasks of {CountText.Of(p.Count, "completion source")}")} that many async "
                + $"methods wait for {SeeWaits}",
            _ => "a completion source has no owner: whether these methods go on is unknown"),
        Row(MissingKind.CompletersOfOwnTasks, CaptureKind.LaterTasks,
            $"who completes the tasks that many async methods wait for, each for one of its own {SeeWaits}",
            "a completion source has no owner: whether these methods go on is unknown"),
        Row(MissingKind.StandingChildren, CaptureKind.LookAtChild,
            p => (p.Count == 1 ? "whether a child process that cannot continue by itself is" : "whether child processes that cannot continue by themselves are")
                + $" continued or read from {SeeWaits}",
            _ => "whether this process waits for more than that is unknown"),
        Row(MissingKind.ReadersOfPipes, CaptureKind.LookAtReader,
            p => $"whether anybody reads from {(p.Count == 1 ? "a full pipe" : "full pipes")} to which this process writes {SeeWaits}",
            _ => "whether the threads that write continue is unknown"),
    ];

    private static IEnumerable<MissingKindFacts> Heaps()
    {
        const string Absent = "the managed heap, or parts of it (the dump was written without its memory)";
        const string Tasks = "async methods among them are not listed";
        const string Collections = "a broken collection among them can be neither shown nor excluded";
        static string Segments(MissingParts p) =>
            $"{p.Detail} heap segments from some place on (memory that is not in the dump, or objects that are damaged)";

        return
        [
            Row(MissingKind.HeapOfCollections, CaptureKind.FullDump, Absent, "collections can be neither found nor checked there"),
            Row(MissingKind.HeapOfTasks, CaptureKind.FullDump, Absent, "async methods cannot be searched for there"),
            Row(MissingKind.CollectionMemory, CaptureKind.FullDump, p => $"the memory of {CountText.Of(p.Count, "collection")}", _ => Collections),
            Row(MissingKind.TaskMemory, CaptureKind.FullDump, p => $"the memory of {CountText.Of(p.Count, "task")}", _ => Tasks),
            Row(MissingKind.SegmentsOfCollections, CaptureKind.FullDump, Segments, _ => Collections),
            Row(MissingKind.SegmentsOfTasks, CaptureKind.FullDump, Segments, _ => Tasks),
            Row(MissingKind.CollectionsInUse, CaptureKind.HeapScan,
                p => $"which collection {CountText.Of(p.Count, "thread")} {(p.Count == 1 ? "is" : "are")} inside of (their frames keep no reference to it)",
                _ => Collections),
            Row(MissingKind.AsyncMethodsOfHeap, CaptureKind.FullDump,
                "the async methods on the managed heap (the walk over it broke off at memory that cannot be read, or at a damaged object)",
                "whether methods await each other, or a semaphore that is never released, is unknown"),
            Row(MissingKind.PoolQueue, CaptureKind.FullDump, "the queue of the thread pool, whose workers all block",
                "whether work waits for a worker, and so whether the pool is starved, is unknown"),
            Row(MissingKind.HeapObjects, CaptureKind.FullDump, p => $"the managed heap ({p.Detail})", _ => "its objects cannot be read"),
        ];
    }

    private static IEnumerable<MissingKindFacts> ManagedThreads() =>
    [
        Row(MissingKind.StackObjects, CaptureKind.SecondDump,
            "the objects on this thread's stack (an exception is, or may be, in flight there, and the runtime's data-access library cannot be asked for them)",
            "which objects it refers to is unknown"),
        Row(MissingKind.ObjectsDuringException, CaptureKind.SecondDump,
            p => $"the objects on the stack of {CountText.Of(p.Count, "thread")} (an exception is, or may be, handled there; asked for them the runtime's "
                + "data-access library has crashed, a defect of .NET 10: dotnet/runtime #124401)",
            p => p.Count == 1 ? "what it uses, and perhaps what it waits for, is unknown" : "what they use, and perhaps what they wait for, is unknown"),
        Row(MissingKind.ManagedStacks, CaptureKind.SecondDumpOrHeap,
            p => $"the managed stack of {CountText.Of(p.Count, "thread")} (the runtime's walk breaks off{p.Detail})",
            p => p.Count == 1 ? "what it holds and uses is unknown" : "what they hold and use is unknown"),
        Row(MissingKind.ManagedThreads, CaptureKind.SecondDump,
            p => $"{CountText.Of(p.Count, "managed thread")} (the runtime's list of threads breaks off)",
            _ => "what they wait for and hold is unknown"),
        Row(MissingKind.AwaitedObjects, CaptureKind.SecondDump,
            p => $"the object that {CountText.Of(p.Count, "managed thread")} {(p.Count == 1 ? "waits" : "wait")} for ({p.Detail})", _ => CycleThroughIt),
        Row(MissingKind.ManagedLockOwners, CaptureKind.FullDump,
            p => $"the owner of {CountText.Of(p.Count, "managed lock")}: the lock names a thread that the runtime's list of threads does not have, and the list "
                + "is not known to be whole",
            _ => "whether the owner still lives, and so whether the lock is orphaned or part of a cycle, is unknown"),
        Row(MissingKind.Agreement, CaptureKind.SecondStoppedDump,
            p => $"agreement of the thread's frames, the lock and the runtime's own records in {CountText.Of(p.Count, "case")}: they name different locks or "
                + "owners",
            _ => "what is built on them is only suspected"),
    ];

    private static IEnumerable<MissingKindFacts> Runtimes() =>
    [
        Row(MissingKind.Runtime, CaptureKind.ThreadsOrFullDump, "a .NET runtime in this process", "no managed object is known"),
        Row(MissingKind.ManagedHalf, CaptureKind.FullDump, p => $"the managed half ({p.Subject})", _ => ManagedUnknown),
        Row(MissingKind.ManagedHalfInTime, CaptureKind.WrittenCore, p => $"the managed half: reading it took longer than {p.Detail} was let go",
            _ => "what its managed threads do, wait for and hold is unknown"),
        Row(MissingKind.ManagedHalfOfShim, CaptureKind.FullDump,
            p => $"the managed half of a .NET runtime that DbgShim lists and this program did not find ({p.Subject})", _ => ManagedUnknown),
        Row(MissingKind.ManagedHalfElsewhere, CaptureKind.AsGiven,
            "the managed half of the dump (a data-access library runs only on the operating system of its runtime)", ManagedUnknown),
        Row(MissingKind.ManagedHalfOfOtherProcessor, CaptureKind.AsGiven,
            p => $"the managed half: the .NET half of an {p.Subject} core is not read on {p.Detail} "
                + "(a data-access library runs only on the processor of its runtime)",
            _ => ManagedUnknown),
        Busy(MissingKind.WindowsManagedHalf, CaptureKind.AsGiven, p => $"the managed half of the process (it runs {p.Subject}{p.Detail})"),
        Row(MissingKind.ManagedHalfUnderWine, CaptureKind.AsGiven,
            p => $"the managed half of the process (it runs {p.Subject}; reading it under Wine failed: {p.Detail})", _ => WindowsManagedUnknown),
        Busy(MissingKind.SecondRuntime, CaptureKind.AsGiven, p => $"the managed half of a second runtime in the process ({p.Subject}): only one is read"),
        Row(MissingKind.RuntimeIdentity, CaptureKind.FullDump, "the build id of the .NET runtime in the dump",
            "the matching data-access library cannot be told from others"),
        Row(MissingKind.DataAccessLibrary, CaptureKind.AsGiven, p => $"the data-access library (libmscordaccore.so) of the {p.Subject}{p.Detail}",
            _ => ManagedUnknown),
        Busy(MissingKind.WindowsDataAccessLibrary, CaptureKind.AsGiven, p => $"the data-access library ({p.Detail}) of {p.Subject}"),
        Busy(MissingKind.FrameworkDataAccessLibrary, CaptureKind.AsGiven,
            p => $"the data-access library ({p.Detail}) of {p.Subject}; the .NET Framework of this machine is another build"),
        Row(MissingKind.DetectorAnswer, CaptureKind.Nothing, p => $"the answer of {p.Subject}, which failed", p => p.Detail),
    ];

    private static MissingKindFacts Busy(MissingKind kind, CaptureKind capture, Func<MissingParts, string> what) =>
        Row(kind, capture, what, _ => WindowsManagedUnknown) with { IsOfBusyThreads = true };

    private static MissingKindFacts Row(MissingKind kind, CaptureKind capture, string what, string consequence) => new(kind, capture, _ => what, _ => consequence);

    private static MissingKindFacts Row(
        MissingKind kind, CaptureKind capture, Func<MissingParts, string> what, Func<MissingParts, string> consequence) => new(kind, capture, what, consequence);

    private static string WhetherTheyWait(MissingParts parts) =>
        parts.Count == 1 ? "whether it waits, and for what, is unknown" : "whether these threads wait, and for what, is unknown";
}
