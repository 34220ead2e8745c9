using System.Collections.Frozen;
using System.Collections.Immutable;

namespace Dump.Model.Waits;

/// <summary>The one table of what is true of each kind of resource. Whatever asks what a kind is, asks here.</summary>
public static class ResourceKinds
{
    private const string OwnerUnknown = "owner unknown";
    private const string OwnerNotStored = "owner unknown (Windows stores none)";
    private const string HasNoOwner = "has no owner";
    private const string NoAnswer = "who must answer is unknown";

    private static readonly FrozenDictionary<ResourceKind, ResourceKindFacts> s_rows = Rows().ToFrozenDictionary(r => r.Kind);

    /// <summary>All rows, in the order of the kinds.</summary>
    public static ImmutableArray<ResourceKindFacts> All { get; } = [.. s_rows.Values.OrderBy(r => r.Kind)];

    /// <summary>What is true of every resource of a kind.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The kind has no row.</exception>
    public static ResourceKindFacts Of(ResourceKind kind) =>
        s_rows.TryGetValue(kind, out ResourceKindFacts? row)
            ? row
            : throw new ArgumentOutOfRangeException(nameof(kind), kind, "a kind of resource without a row");

    private static IEnumerable<ResourceKindFacts> Rows() =>
        [.. Locks(), .. NativeLocksOnLinux(), .. NativeWaitsOnLinux(), .. KernelObjects(), .. AddressWaits(), .. Managed(), .. Answers()];

    private static IEnumerable<ResourceKindFacts> Locks() =>
    [
        Lock(ResourceKind.CriticalSection, "a", "critical section") with { IsRecursive = true, IsCriticalSection = true },
        Lock(ResourceKind.LoaderLock, "a", "loader lock") with
        {
            IsRecursive = true, IsCriticalSection = true, IsLoader = true, SignatureName = "Loader",
            PlainWords = "the loader lock", Pattern = "the loader lock (critical section {0})",
        },
        Lock(ResourceKind.LoadOwnership, "a", "load ownership") with
        {
            IsRecursive = true, IsLoader = true, ExistsOnce = true, SignatureName = "Loader", PlainWords = "load ownership (the loader's work queue)",
        },
        new(ResourceKind.LoaderWorkers, "a", "loader worker", WaitClass.Lock,
            OwnerRecord.NoOwner) { ExistsOnce = true, PlainWords = "the loader's worker threads" },
        Lock(ResourceKind.SpinLock, "a", "spin lock") with { PlainWords = "a spin lock at an unknown address", Pattern = "the spin lock at {0}" },
    ];

    private static IEnumerable<ResourceKindFacts> NativeLocksOnLinux() =>
    [
        Lock(ResourceKind.PthreadMutex, "a", "mutex"),
        Lock(ResourceKind.PthreadReaderWriterLock, "a", "reader-writer lock") with { WithoutOwner = "a writer is stored, readers are only counted" },
        Lock(ResourceKind.StreamLock, "a", "stream lock") with { IsRecursive = true, Pattern = "the lock of the stream (FILE) at {0}" },
        Lock(ResourceKind.DynamicLoaderLock, "a", "dynamic loader lock") with
        {
            IsRecursive = true, IsLoader = true, SignatureName = "Loader",
            PlainWords = "the dynamic loader's lock", Pattern = "the dynamic loader's lock ({0})",
        },
    ];

    private static IEnumerable<ResourceKindFacts> NativeWaitsOnLinux() =>
    [
        Signal(ResourceKind.PthreadBarrier, "a", "barrier") with { IsWaitByAddress = true },
        Signal(ResourceKind.PthreadSemaphore, "a", "semaphore") with { IsWaitByAddress = true },
        new(ResourceKind.PthreadOnce, "a", "one-time initialisation", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, HeldBy = "run by", WithoutOwner = "who runs it is unknown (glibc does not store it)",
        },
        new(ResourceKind.StaticInitialization, "an", "initialisation of a static variable", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, HeldBy = "run by", WithoutOwner = "who runs it is unknown (libstdc++ does not store it)",
            Pattern = "the initialisation of a static variable (guard {0})",
        },
        new(ResourceKind.PthreadSpinLock, "a", "spin lock", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, WithoutOwner = "who holds it is unknown (glibc does not store it)", Pattern = "the spin lock of the C library at {0}",
        },
        new(ResourceKind.MallocArena, "a", "malloc arena", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, WithoutOwner = "who holds it is unknown (glibc does not store it)", Pattern = "the lock of the malloc arena at {0}",
        },
        new(ResourceKind.LibraryLock, "a", "lock of the C library", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, WithoutOwner = "who holds it is unknown (glibc does not store it)", Pattern = "the C library's lock at {0}",
        },
        new(ResourceKind.RustMutex, "a", "mutex", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, WithoutOwner = "who holds it is unknown (Rust does not store it)", Pattern = "the Rust mutex at {0}",
        },
        new(ResourceKind.RustReaderWriterLock, "a", "reader-writer lock", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, WithoutOwner = "who holds it is unknown (Rust does not store it)", Pattern = "the Rust reader-writer lock at {0}",
        },
        new(ResourceKind.FileDescriptor, "a", "file descriptor", WaitClass.Call, OwnerRecord.NoOwner)
        {
            IsNumber = true, EndsFromOutside = true, Pattern = "input or output on file descriptor {0}",
        },
        new(ResourceKind.FileLock, "a", "file lock", WaitClass.Lock, OwnerRecord.Unknown)
        {
            IsNumber = true, EndsFromOutside = true, Pattern = "the file lock of descriptor {0}",
        },
        new(ResourceKind.ChildProcess, "a", "child process", WaitClass.Call, OwnerRecord.NoOwner)
        {
            IsNumber = true, EndsFromOutside = true, PlainWords = "the end of a child process", Pattern = "the end of the child process {0}",
        },
    ];

    private static IEnumerable<ResourceKindFacts> KernelObjects() =>
    [
        Lock(ResourceKind.Mutex, "a", "mutex") with { IsHandle = true, IsDispatcherObject = true, IsRecursive = true },
        new(ResourceKind.Thread, "a", "thread", WaitClass.Call, OwnerRecord.Stored)
        {
            IsDispatcherObject = true, HasQueue = false, NamesItsOwner = true, HeldBy = "comes when it ends", PlainWords = "the end of a thread",
            Pattern = "the end of thread {0}",
        },
        new(ResourceKind.Process, "a", "process", WaitClass.Call, OwnerRecord.NoOwner) { IsHandle = true, IsDispatcherObject = true, EndsFromOutside = true },
        Signal(ResourceKind.Event, "an", "event") with { IsHandle = true, IsDispatcherObject = true },
        Signal(ResourceKind.Semaphore, "a", "semaphore") with { IsHandle = true, IsDispatcherObject = true },
        Signal(ResourceKind.Timer, "a", "timer") with { IsHandle = true, IsDispatcherObject = true },
        new(ResourceKind.KernelObject, "a", "kernel object", WaitClass.Call, OwnerRecord.Unknown) { IsHandle = true, IsDispatcherObject = true,
            WithoutOwner = "owner unknown, if it can have one" },
        Signal(ResourceKind.KeyedEvent, "a", "keyed event"),
    ];

    private static IEnumerable<ResourceKindFacts> AddressWaits() =>
    [
        new(ResourceKind.SlimReaderWriterLock, "an", "SRW lock", WaitClass.Lock,
            OwnerRecord.StoredNowhere) { IsWaitByAddress = true, WithoutOwner = OwnerNotStored },
        new(ResourceKind.OneTimeInitialization, "a", "one-time initialisation", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsWaitByAddress = true, HeldBy = "run by", WithoutOwner = OwnerNotStored,
        },
        new(ResourceKind.PosixMutex, "a", "winpthreads mutex", WaitClass.Lock, OwnerRecord.StoredNowhere)
        {
            IsHandle = true, WithoutOwner = "owner unknown (a plain one stores none)",
        },
        Signal(ResourceKind.ConditionVariable, "a", "condition variable") with { IsWaitByAddress = true },
        Signal(ResourceKind.Address, "an", "address wait") with { IsWaitByAddress = true },
    ];

    private static IEnumerable<ResourceKindFacts> Managed() =>
    [
        Lock(ResourceKind.Monitor, "a", "monitor of object") with { IsRecursive = true, IsManagedObject = true },
        Lock(ResourceKind.ManagedLock, "a", "Lock object") with { IsRecursive = true, IsManagedObject = true },
        Lock(ResourceKind.ManagedReaderWriterLock, "a", "ReaderWriterLockSlim") with { IsRecursive = true, IsManagedObject = true },
        new(ResourceKind.ManagedTask, "a", "task", WaitClass.Task, OwnerRecord.Stored)
        {
            IsManagedObject = true, EndsFromOutside = true, HeldBy = "run by", WithoutOwner = "no thread is known to run it",
        },
        Signal(ResourceKind.ManagedSignal, "a", "signal object") with { IsManagedObject = true },
        new(ResourceKind.Finalizers, "a", "finalizer", WaitClass.Call, OwnerRecord.Stored)
        {
            ExistsOnce = true, HeldBy = "run by", WithoutOwner = "who runs them is unknown", PlainWords = "the finalizers",
        },
        new(ResourceKind.ProcessExit, "a", "handler of ProcessExit", WaitClass.Call, OwnerRecord.Stored)
        {
            ExistsOnce = true, HeldBy = "run by", WithoutOwner = "who runs them is unknown", PlainWords = "the handlers of ProcessExit",
        },
        new(ResourceKind.Suspension, "a", "suspension for a garbage collection", WaitClass.Call, OwnerRecord.Stored)
        {
            ExistsOnce = true, HeldBy = "held up by", WithoutOwner = "who holds it up is unknown", PlainWords = "the start of a garbage collection",
        },
        new(ResourceKind.ManagedCallback, "a", "callback", WaitClass.Call, OwnerRecord.Stored)
        {
            IsManagedObject = true, HeldBy = "run by", WithoutOwner = "no thread is known to run it",
        },
        Lock(ResourceKind.TypeInitializer, "a", "class constructor") with { IsRecursive = true, HeldBy = "run by" },
    ];

    private static IEnumerable<ResourceKindFacts> Answers() =>
    [
        new(ResourceKind.Unknown, "a", "resource", WaitClass.Call, OwnerRecord.Unknown) 
        {
            WithoutOwner = "owner unknown, if it can have one", PlainWords = "something that could not be identified", Pattern = "resource {0}",
        },
        new(ResourceKind.InputOutput, "an", "input or output", WaitClass.Call, OwnerRecord.NoOwner) { IsHandle = true, EndsFromOutside = true },
        new(ResourceKind.RemoteCall, "a", "remote call", WaitClass.Call,
            OwnerRecord.Unknown) { IsHandle = true, EndsFromOutside = true, WithoutOwner = NoAnswer },
        new(ResourceKind.ComCall, "a", "COM call", WaitClass.Call, OwnerRecord.Stored) { HasQueue = false, HeldBy = "executed by",
            PlainWords = "the answer to its COM call" },
        new(ResourceKind.WindowMessage, "a", "window message", WaitClass.Call, OwnerRecord.Stored)
        {
            EndsFromOutside = true, HeldBy = "window of", WithoutOwner = NoAnswer, Pattern = "a message to window {0}",
        },
        new(ResourceKind.Work, "a", "piece of work", WaitClass.Call, OwnerRecord.NoOwner) { EndsFromOutside = true, PlainWords = "new work" },
        new(ResourceKind.Time, "a", "sleep", WaitClass.Call, OwnerRecord.NoOwner) { PlainWords = "time to pass (sleep)" },
        new(ResourceKind.PoolCallbacks, "a", "callback of the thread pool", WaitClass.Call, OwnerRecord.Unknown)
        {
            HasQueue = false, HeldBy = "run by", WithoutOwner = "who runs them is unknown", PlainWords = "callbacks of the thread pool to end",
            Pattern = "the callbacks of the thread-pool object {0} to end",
        },
        new(ResourceKind.GraphicsProcessor, "a", "graphics processor", WaitClass.Call, OwnerRecord.NoOwner)
        {
            EndsFromOutside = true, PlainWords = "the GPU",
        },
        new(ResourceKind.WindowHook, "a", "hook procedure", WaitClass.Call, OwnerRecord.Unknown)
        {
            EndsFromOutside = true, WithoutOwner = NoAnswer, PlainWords = "the next hook procedure",
        },
    ];

    private static ResourceKindFacts Lock(ResourceKind kind, string article, string noun) =>
        new(kind, article, noun, WaitClass.Lock, OwnerRecord.Stored) { WithoutOwner = OwnerUnknown };

    private static ResourceKindFacts Signal(ResourceKind kind, string article, string noun) =>
        new(kind, article, noun, WaitClass.Call, OwnerRecord.NoOwner) { WithoutOwner = HasNoOwner };
}
