namespace Dump.Model.Waits;

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
