using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json.Serialization;

namespace Dump.Model.Waits;

/// <summary>The identity of something threads wait for. Two facts speak of the same resource when kind and identity are equal.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Identity">The address of a lock, the handle value of a kernel object, the operating system id
/// of a thread; 0 when the resource exists once per process (load ownership).</param>
/// <param name="Owner">Distinguishes anonymous resources: the waiting thread's id where <paramref name="Identity"/> could not be read, else 0.</param>
public sealed record Resource(
    ResourceKind Kind, ulong Identity, [property: JsonPropertyName("ofThread"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] uint Owner = 0)
{
    /// <summary>What is true of every resource of this kind.</summary>
    [JsonIgnore]
    public ResourceKindFacts Facts => ResourceKinds.Of(Kind);

    /// <summary>True when it has one owner that is stored nowhere: a suspected one is then a mere candidate.</summary>
    [JsonIgnore]
    public bool HasOnlyCandidates => Facts.Owner == OwnerRecord.StoredNowhere;
}

/// <summary>What a resource is in the words of those who use it, where its kind alone does not say that.</summary>
/// <param name="Name">What it is, without article and address, for example <c>SemaphoreSlim</c> (sanitised).</param>
/// <param name="State">Its state by its own fields, for example <c>0 free, 3 waiting</c>, or null when it has none or it could not be read.</param>
public sealed record ResourceDescription(string Name, string? State);

/// <summary>What a thread can wait for or hold.</summary>
public enum ResourceKind
{
    /// <summary>The kind could not be determined.</summary>
    Unknown,

    /// <summary>An <c>RTL_CRITICAL_SECTION</c> other than the loader lock. Recursive.</summary>
    CriticalSection,

    /// <summary>The critical section that <c>PEB.LoaderLock</c> points to. Recursive.</summary>
    LoaderLock,

    /// <summary>Windows 10 and later: the right to run the loader's work queue, marked by <c>TEB.SameTebFlags.LoadOwner</c>. Recursive.</summary>
    LoadOwnership,

    /// <summary>The wait of a load owner for loader worker threads to finish. Has no single owner.</summary>
    LoaderWorkers,

    /// <summary>A kernel mutex ("mutant"). Recursive.</summary>
    Mutex,

    /// <summary>A thread object: signalled when that thread ends, so the thread itself is the owner.</summary>
    Thread,

    /// <summary>A process object.</summary>
    Process,

    /// <summary>An event object. Has no owner.</summary>
    Event,

    /// <summary>A semaphore object. Has no owner.</summary>
    Semaphore,

    /// <summary>A timer object. Has no owner.</summary>
    Timer,

    /// <summary>Any other kernel object that was waited for.</summary>
    KernelObject,

    /// <summary>A slim reader/writer lock, whose owner is not stored anywhere.</summary>
    SlimReaderWriterLock,

    /// <summary>An <c>RTL_RESOURCE</c>, ntdll's older reader/writer lock. It stores the thread that holds it for writing. Recursive.</summary>
    ReaderWriterResource,

    /// <summary>
    /// A mutex of winpthreads, which <c>std::mutex</c> of libstdc++ is on Windows. Its waiters wait for an event; a plain one stores no owner.
    /// </summary>
    PosixMutex,

    /// <summary>A condition variable. Has no owner.</summary>
    ConditionVariable,

    /// <summary>A one-time initialisation (<c>INIT_ONCE</c>); the thread that runs its initialiser holds it, and stores that nowhere. Not recursive.</summary>
    OneTimeInitialization,

    /// <summary>An address given to <c>WaitOnAddress</c>. Has no owner.</summary>
    Address,

    /// <summary>A keyed event. Has no owner.</summary>
    KeyedEvent,

    /// <summary>A spin lock of some library: a word that a spinning thread tests. Not recursive.</summary>
    SpinLock,

    /// <summary>The monitor of a managed object (<c>lock</c>, <c>Monitor.Enter</c>). Recursive.</summary>
    Monitor,

    /// <summary>A <c>System.Threading.Lock</c>. Recursive.</summary>
    ManagedLock,

    /// <summary>A <c>System.Threading.ReaderWriterLockSlim</c>; several threads may hold it for reading.</summary>
    ManagedReaderWriterLock,

    /// <summary>A managed task; whoever runs it holds it.</summary>
    ManagedTask,

    /// <summary>A managed object that is waited for and has no owner: <c>Monitor.Wait</c>, an event, a semaphore, a barrier.</summary>
    ManagedSignal,

    /// <summary>The class constructor (type initialiser) of a managed type; the thread that runs it holds it. Recursive.</summary>
    TypeInitializer,

    /// <summary>Input or output that another process or device completes.</summary>
    InputOutput,

    /// <summary>A call to another process: ALPC or RPC.</summary>
    RemoteCall,

    /// <summary>
    /// The answer to a COM call that the thread has made to another thread of the process, which executes it.
    /// The waiting thread's id stands in <see cref="Resource.Owner"/>.
    /// </summary>
    ComCall,

    /// <summary>A window message sent to another thread.</summary>
    WindowMessage,

    /// <summary>New work: an idle thread-pool worker, completion port or message queue. Not a blockage.</summary>
    Work,

    /// <summary>Time: a sleep.</summary>
    Time,

    /// <summary>
    /// The end of callbacks of the Windows thread pool: <c>WaitForThreadpoolWorkCallbacks</c> and its like for timers, waits and input or output. Whoever runs
    /// them must act; the pool's object stores nobody.
    /// </summary>
    PoolCallbacks,

    /// <summary>Finalizers of .NET objects (<c>GC.WaitForPendingFinalizers</c>), which one thread of the runtime runs one after the other.</summary>
    Finalizers,

    /// <summary>The end of a .NET process (<c>Environment.Exit</c>), whose handlers a thread of the runtime runs while the caller waits.</summary>
    ProcessExit,

    /// <summary>
    /// The stop of all managed threads for a garbage collection. Threads that run managed code, or native code that was called without telling the runtime,
    /// keep it from beginning.
    /// </summary>
    Suspension,

    /// <summary>The end of a .NET callback that runs: of a cancellation token, of a timer. The thread that runs it must act.</summary>
    ManagedCallback,

    /// <summary>The graphics processor or its driver. Has no owner.</summary>
    GraphicsProcessor,

    /// <summary>The next hook procedure of a chain (<c>CallNextHookEx</c>), which another thread or process executes.</summary>
    WindowHook,

    /// <summary>
    /// A mutex of the C library on Linux (<c>pthread_mutex_t</c>, which <c>std::mutex</c> is there). A thread that waits for its own is stuck: those that may
    /// be taken again never wait for themselves.
    /// </summary>
    PthreadMutex,

    /// <summary>A reader-writer lock of the C library on Linux (<c>pthread_rwlock_t</c>); it stores the writer, and only the number of readers.</summary>
    PthreadReaderWriterLock,

    /// <summary>The lock of a stream of the C library on Linux (<c>FILE</c>). Recursive.</summary>
    StreamLock,

    /// <summary>A lock of the dynamic loader on Linux, which <c>dlopen</c> holds while constructors run. Recursive.</summary>
    DynamicLoaderLock,

    /// <summary>A barrier of the C library on Linux (<c>pthread_barrier_t</c>). Has no owner.</summary>
    PthreadBarrier,

    /// <summary>A semaphore of the C library on Linux (<c>sem_t</c>). Has no owner.</summary>
    PthreadSemaphore,

    /// <summary>
    /// A one-time initialisation of the C library on Linux (<c>pthread_once</c>, which <c>std::call_once</c> uses there): one thread runs it, which is stored
    /// nowhere.
    /// </summary>
    PthreadOnce,

    /// <summary>The first use of a local static variable of C++ (its guard): one thread runs the initialiser, which libstdc++ stores nowhere.</summary>
    StaticInitialization,

    /// <summary>A spin lock of the C library on Linux (<c>pthread_spin_lock</c>): one word, which stores no owner. Who waits executes code meanwhile.</summary>
    PthreadSpinLock,

    /// <summary>An arena of glibc's <c>malloc</c>: one word locks it, which stores no owner.</summary>
    MallocArena,

    /// <summary>A lock that glibc takes inside of its own functions (of syslog, the time zone, ...): one word, which stores no owner.</summary>
    LibraryLock,

    /// <summary>A <c>Mutex</c> of Rust's standard library on Linux: one word, which stores no owner.</summary>
    RustMutex,

    /// <summary>An <c>RwLock</c> of Rust's standard library on Linux: it stores that a writer holds it, or the number of readers, and nobody's name.</summary>
    RustReaderWriterLock,

    /// <summary>Input or output on Linux; the identity is the file descriptor.</summary>
    FileDescriptor,

    /// <summary>A lock of a file on Linux (<c>flock</c>, <c>fcntl</c>), which another process may hold; the identity is the file descriptor.</summary>
    FileLock,

    /// <summary>The end of a child process on Linux; the identity is its process id, or 0 for any child.</summary>
    ChildProcess,
}

/// <summary>What is true of every resource of a kind: one row of <see cref="ResourceKinds"/>.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Article">The indefinite article of the noun, <c>a</c> or <c>an</c>.</param>
/// <param name="Noun">What one is called, without article, for example <c>critical section</c>.</param>
/// <param name="Class">What a wait for it means to the code that waits.</param>
/// <param name="Owner">Whether it has an owner and says which.</param>
public sealed record ResourceKindFacts(ResourceKind Kind, string Article, string Noun, WaitClass Class, OwnerRecord Owner)
{
    /// <summary>True when its identity is the value of a handle.</summary>
    public bool IsHandle { get; init; }

    /// <summary>True when its identity is a number that people write in decimal, such as a file descriptor; 0 is one unless plain words exist.</summary>
    public bool IsNumber { get; init; }

    /// <summary>True for an object of the kernel that wait functions take a handle of.</summary>
    public bool IsDispatcherObject { get; init; }

    /// <summary>True when its identity is the address of a managed object, which the garbage collector may move.</summary>
    public bool IsManagedObject { get; init; }

    /// <summary>True for an <c>RTL_CRITICAL_SECTION</c>, whatever the system uses it for.</summary>
    public bool IsCriticalSection { get; init; }

    /// <summary>True when the same thread may take it again without blocking.</summary>
    public bool IsRecursive { get; init; }

    /// <summary>True when threads queue for it: not for the end of a thread, nor for a call that it executes.</summary>
    public bool HasQueue { get; init; } = true;

    /// <summary>True when it belongs to the loader, so that a cycle through it is a loader-lock deadlock.</summary>
    public bool IsLoader { get; init; }

    /// <summary>True when a process has only one of it, which needs no identity.</summary>
    public bool ExistsOnce { get; init; }

    /// <summary>True when a wait for it goes by an address, so that only threads of the same process can end it.</summary>
    public bool IsWaitByAddress { get; init; }

    /// <summary>True when something outside of the process's threads may end a wait for it at any moment.</summary>
    public bool EndsFromOutside { get; init; }

    /// <summary>True when its words name the thread that must act (the end of a thread), which need not be named again.</summary>
    public bool NamesItsOwner { get; init; }

    /// <summary>What leads from it to its owner, for example <c>held by</c>.</summary>
    public string HeldBy { get; init; } = "held by";

    /// <summary>What is said where no owner is known; null where a wait for it says enough.</summary>
    public string? WithoutOwner { get; init; }

    /// <summary>What it is called in signatures: what differs by version of Windows alone has one name.</summary>
    public string SignatureName { get; init; } = Kind.ToString();

    /// <summary>Words for one whose identity is known, with <c>{0}</c> for the identity; null to name it by its noun.</summary>
    public string? Pattern { get; init; }

    /// <summary>Words for one whose identity is unknown or of no use; null to name it by its noun.</summary>
    public string? PlainWords { get; init; }

    /// <summary>A resource of this kind in words, for example <c>mutex (handle 0x44)</c> or <c>an SRW lock that could not be identified</c>.</summary>
    /// <param name="identity">Its address, handle or id; 0 when that is unknown.</param>
    public string Words(ulong identity) =>
        IsNumber && Pattern is { } number && (identity != 0 || PlainWords is null) ? string.Format(CultureInfo.InvariantCulture, number, identity)
        : identity == 0 || (Pattern is null && PlainWords is not null) ? PlainWords ?? $"{Article} {Noun} that could not be identified"
        : Pattern is { } pattern ? string.Format(CultureInfo.InvariantCulture, pattern, $"0x{identity:x}")
        : IsHandle ? $"{Noun} (handle 0x{identity:x})"
        : $"{Noun} 0x{identity:x}";
}

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
        Lock(ResourceKind.ReaderWriterResource, "a", "reader-writer lock") with { IsRecursive = true, Pattern = "RTL_RESOURCE {0}" },
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
