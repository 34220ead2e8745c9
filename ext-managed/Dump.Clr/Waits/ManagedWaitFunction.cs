using System.Collections.Frozen;
using Dump.Clr.Frames;
using Dump.Clr.Locks;

namespace Dump.Clr.Waits;

/// <summary>A method of the class library in which threads block.</summary>
/// <param name="Type">Full type name.</param>
/// <param name="Method">Method name.</param>
/// <param name="Kind">What it waits for.</param>
/// <param name="EndsByItself">True when a caller can give the method a time limit, itself or in another overload; false when it waits without end.</param>
internal sealed record ManagedWaitFunction(string Type, string Method, ManagedWaitKind Kind, bool EndsByItself = false)
{
    // As the data-access library spells them: "System.Threading.Monitor.Wait(System.Object, Int32)". A token may be one that cancels after a time.
    private static readonly string[] s_limits = ["Int32", "TimeSpan", "CancellationToken"];

    /// <summary>
    /// True when a call of the method has no time limit, by the method's nature or because the parameters of this overload leave no room for one.
    /// </summary>
    /// <param name="signature">Signature of the overload, or null when it cannot be read: then a limit is possible.</param>
    public bool HasNoTimeLimit(string? signature)
    {
        int parameters = signature?.IndexOf('(', StringComparison.Ordinal) ?? -1;
        return !EndsByItself || (parameters >= 0 && !s_limits.Any(l => signature!.IndexOf(l, parameters, StringComparison.Ordinal) >= 0));
    }
}

/// <summary>
/// The methods of System.Private.CoreLib in which threads block, by what was seen on real stacks of .NET Core 3.1 and .NET 8 to 11 (the sources are
/// dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading, and src/coreclr/System.Private.CoreLib for Monitor and Thread).
/// A wait is classified by the outermost method of the run of such methods at the top of a stack: a slim event inside of a task's wait is the task's wait.
/// </summary>
internal static class ManagedWaitFunctions
{
    private const string Threading = "System.Threading.";
    private const string Initialization = "System.Runtime.CompilerServices.";
    private const string NativeFunction = ">g____PInvoke|";
    private const string BlockingCollection = "System.Collections.Concurrent.BlockingCollection<";

    // Managed code below the waits of .NET 11, up to .NET 10 part of the runtime's native code or of Linux's NativeAOT alone (dotnet/runtime,
    // src/libraries/System.Private.CoreLib/src/System/Threading at the tag v11.0.0): every method of these types is a step of a wait and never one by itself.
    private static readonly FrozenSet<string> s_steps = FrozenSet.Create(
        Threading + "WaitSubsystem",
        Threading + "WaitSubsystem+ThreadWaitInfo",
        Threading + "WaitSubsystem+WaitableObject",
        Threading + "LowLevelMonitor",
        Threading + "LowLevelThreadBlocker",
        Threading + "Condition",
        Threading + "Condition+Waiter");

    private static readonly FrozenDictionary<(string Type, string Method), ManagedWaitFunction> s_exact = new ManagedWaitFunction[]
    {
        new(Threading + "Monitor", "Enter", ManagedWaitKind.MonitorEnter),
        new(Threading + "Monitor", "Enter_Slowpath", ManagedWaitKind.MonitorEnter),
        new(Threading + "Monitor", "ReliableEnter", ManagedWaitKind.MonitorEnter),
        new(Threading + "Monitor", "TryEnter", ManagedWaitKind.MonitorEnter, EndsByItself: true),
        new(Threading + "Monitor", "TryEnter_Slowpath", ManagedWaitKind.MonitorEnter, EndsByItself: true),
        new(Threading + "Monitor", "ReliableEnterTimeout", ManagedWaitKind.MonitorEnter, EndsByItself: true),
        new(Threading + "Monitor", "Wait", ManagedWaitKind.MonitorWait, EndsByItself: true),
        new(Threading + "Monitor", "ObjWait", ManagedWaitKind.MonitorWait, EndsByItself: true),
        new(Threading + "Condition", "Wait", ManagedWaitKind.MonitorWait, EndsByItself: true),
        new(Threading + "Lock", "Enter", ManagedWaitKind.Lock),
        new(Threading + "Lock", "EnterScope", ManagedWaitKind.Lock),
        new(Threading + "Lock", "EnterAndGetCurrentThreadId", ManagedWaitKind.Lock),
        new(Threading + "Lock", "TryEnterSlow", ManagedWaitKind.Lock, EndsByItself: true),
        new(Threading + "Lock", "TryEnter", ManagedWaitKind.Lock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "WaitOnEvent", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "TryEnterWriteLockCore", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "TryEnterReadLockCore", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "TryEnterUpgradeableReadLockCore", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "TryEnterWriteLock", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "TryEnterReadLock", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "TryEnterUpgradeableReadLock", ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        new(Threading + "ReaderWriterLockSlim", "EnterWriteLock", ManagedWaitKind.ReaderWriterLock),
        new(Threading + "ReaderWriterLockSlim", "EnterReadLock", ManagedWaitKind.ReaderWriterLock),
        new(Threading + "ReaderWriterLockSlim", "EnterUpgradeableReadLock", ManagedWaitKind.ReaderWriterLock),
        new(Threading + "Tasks.Task", "SpinThenBlockingWait", ManagedWaitKind.Task, EndsByItself: true),
        new(Threading + "Tasks.Task", "InternalWaitCore", ManagedWaitKind.Task, EndsByItself: true),
        new(Threading + "Tasks.Task", "InternalWait", ManagedWaitKind.Task, EndsByItself: true),
        new(Threading + "Tasks.Task", "Wait", ManagedWaitKind.Task, EndsByItself: true),
        new(Threading + "Tasks.Task", "WaitAllBlockingCore", ManagedWaitKind.AllTasks, EndsByItself: true),
        new(Threading + "Tasks.Task", "WaitAllCore", ManagedWaitKind.AllTasks, EndsByItself: true),
        new(Threading + "Tasks.Task", "WaitAll", ManagedWaitKind.AllTasks, EndsByItself: true),
        new(Threading + "Tasks.Task", "WaitAnyCore", ManagedWaitKind.AnyTask, EndsByItself: true),
        new(Threading + "Tasks.Task", "WaitAny", ManagedWaitKind.AnyTask, EndsByItself: true),
        new("System.Runtime.CompilerServices.TaskAwaiter", "HandleNonSuccessAndDebuggerNotification", ManagedWaitKind.Task),
        new("System.Runtime.CompilerServices.TaskAwaiter", "GetResult", ManagedWaitKind.Task),
        new(Threading + "Thread", "Join", ManagedWaitKind.Join, EndsByItself: true),
        new(Threading + "Thread", "JoinInternal", ManagedWaitKind.Join, EndsByItself: true),
        new(Threading + "Thread", "Sleep", ManagedWaitKind.Sleep),
        new(Threading + "Thread", "SleepInternal", ManagedWaitKind.Sleep),
        new(Threading + "SpinWait", "SpinOnceCore", ManagedWaitKind.Spin),
        new(Threading + "SpinWait", "SpinOnce", ManagedWaitKind.Spin),
        new(Threading + "SpinWait", "SpinUntil", ManagedWaitKind.Spin, EndsByItself: true),
        new(Threading + "SpinLock", "ContinueTryEnterWithThreadTracking", ManagedWaitKind.SpinLock, EndsByItself: true),
        new(Threading + "SpinLock", "ContinueTryEnter", ManagedWaitKind.SpinLock, EndsByItself: true),
        new(Threading + "SpinLock", "TryEnter", ManagedWaitKind.SpinLock, EndsByItself: true),
        new(Threading + "SpinLock", "Enter", ManagedWaitKind.SpinLock),
        new(Threading + "Thread", "Yield", ManagedWaitKind.Sleep),
        new(Threading + "Thread", "YieldInternal", ManagedWaitKind.Sleep),
        new(Threading + "Thread", "SpinWait", ManagedWaitKind.Sleep),
        new(Threading + "Thread", "SpinWaitInternal", ManagedWaitKind.Sleep),

        // Before a worker of the pool goes to sleep in LowLevelLifoSemaphore.Wait it polls for a moment.
        new(Threading + "LowLevelSpinWaiter", "Wait", ManagedWaitKind.Sleep),
        new(Threading + "ManualResetEventSlim", "Wait", ManagedWaitKind.Signal, EndsByItself: true),
        new(Threading + "SemaphoreSlim", "WaitUntilCountOrTimeout", ManagedWaitKind.Signal, EndsByItself: true),
        new(Threading + "SemaphoreSlim", "WaitCore", ManagedWaitKind.Signal, EndsByItself: true),
        new(Threading + "SemaphoreSlim", "Wait", ManagedWaitKind.Signal, EndsByItself: true),
        new(Initialization + "InitHelpers", "InitClassSlow", ManagedWaitKind.TypeInitializer),
        new(Initialization + "InitHelpers", "InitClass", ManagedWaitKind.TypeInitializer),
        new(Initialization + "StaticsHelpers", "GetNonGCStaticBaseSlow", ManagedWaitKind.TypeInitializer),
        new(Initialization + "StaticsHelpers", "GetGCStaticBaseSlow", ManagedWaitKind.TypeInitializer),
        new(Initialization + "StaticsHelpers", "GetNonGCStaticBase", ManagedWaitKind.TypeInitializer),
        new(Initialization + "StaticsHelpers", "GetGCStaticBase", ManagedWaitKind.TypeInitializer),
        new(Threading + "WaitHandle", "WaitOneNoCheck", ManagedWaitKind.Handle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitOneCore", ManagedWaitKind.Handle, EndsByItself: true),
        new(Threading + "WaitHandle", "SignalAndWaitCore", ManagedWaitKind.Handle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitOne", ManagedWaitKind.Handle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitMultiple", ManagedWaitKind.AnyHandle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitMultipleIgnoringSyncContext", ManagedWaitKind.AnyHandle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitAny", ManagedWaitKind.AnyHandle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitAnyMultiple", ManagedWaitKind.AnyHandle, EndsByItself: true),
        new(Threading + "WaitHandle", "WaitAll", ManagedWaitKind.AllHandles, EndsByItself: true),
        new("System.GC", "_WaitForPendingFinalizers", ManagedWaitKind.Finalizers),
        new("System.GC", "WaitForPendingFinalizers", ManagedWaitKind.Finalizers),
        new("System.GC", "_Collect", ManagedWaitKind.Suspension),
        new("System.GC", "Collect", ManagedWaitKind.Suspension),
        new("System.Environment", "_Exit", ManagedWaitKind.ProcessExit),
        new("System.Environment", "Exit", ManagedWaitKind.ProcessExit),
        new(Threading + "CancellationTokenSource+Registrations", "WaitForCallbackToComplete", ManagedWaitKind.Callback),
        new(Threading + "CancellationTokenSource", "WaitForCallbackToComplete", ManagedWaitKind.Callback),
        new(Threading + "CancellationTokenRegistration", "WaitForCallbackIfNecessary", ManagedWaitKind.Callback),
        new(Threading + "CancellationTokenRegistration", "Dispose", ManagedWaitKind.Callback),
        new(Threading + "LowLevelLifoSemaphore", "WaitNative", ManagedWaitKind.Work),
        new(Threading + "LowLevelLifoSemaphore", "WaitForSignal", ManagedWaitKind.Work),
        new(Threading + "LowLevelLifoSemaphore", "Wait", ManagedWaitKind.Work),
        new(Threading + "LowLevelLifoSemaphore", "Block", ManagedWaitKind.Work),
        new(Threading + "LowLevelLifoSemaphore", "WaitAsWaiter", ManagedWaitKind.Work),
        new(Threading + "PortableThreadPool+WorkerThread", "WorkerThreadStart", ManagedWaitKind.Work),
        new(Threading + "PortableThreadPool+GateThread", "GateThreadStart", ManagedWaitKind.Work),
        new(Threading + "TimerQueue", "TimerThread", ManagedWaitKind.Work),
    }.ToFrozenDictionary(f => (f.Type, f.Method));

    /// <summary>The entry for a frame, or null when it is no wait of the class library.</summary>
    public static ManagedWaitFunction? Find(ManagedFrame frame)
    {
        if (frame.TypeName is not { } type || frame.MethodName is not { } method)
        {
            return null;
        }

        if (!frame.IsCoreLibrary)
        {
            return FindInOtherLibrary(frame, type, method);
        }

        // Task<T> is instantiated per result type; its own waits are GetResultCore and the Result property, which end only with the task.
        if (type.StartsWith("System.Threading.Tasks.Task<", StringComparison.Ordinal) && method is "GetResultCore" or "get_Result")
        {
            return new ManagedWaitFunction(type, method, ManagedWaitKind.Task);
        }

        if (type.StartsWith("System.Runtime.CompilerServices.TaskAwaiter<", StringComparison.Ordinal) && method == "GetResult")
        {
            return new ManagedWaitFunction(type, method, ManagedWaitKind.Task);
        }

        return Named(type, Calling(method)) ?? (s_steps.Contains(type) ? new ManagedWaitFunction(type, method, ManagedWaitKind.Inner) : null);
    }

    /// <summary>
    /// The method that calls native code, by the name which the compiler gives the native function as a local one of it: <c>&lt;Join&gt;g____PInvoke|56_0</c>
    /// is what <c>Join</c> calls. In optimised code, where <c>Join</c> itself may have no frame, nothing else names it.
    /// </summary>
    internal static string Calling(string method) =>
        method.StartsWith('<') && method.IndexOf(NativeFunction, StringComparison.Ordinal) is > 1 and int end ? method[1..end] : method;

    /// <summary>How a method of <c>ReaderWriterLockSlim</c> or <c>ReaderWriterLock</c> enters the lock; to write for all others.</summary>
    public static ReaderWriterLockMode ModeOf(string? method) => method switch
    {
        "AcquireReaderLock" or "EnterReadLock" or "TryEnterReadLock" or "TryEnterReadLockCore" => ReaderWriterLockMode.Read,
        "EnterUpgradeableReadLock" or "TryEnterUpgradeableReadLock" or "TryEnterUpgradeableReadLockCore" => ReaderWriterLockMode.UpgradeableRead,
        _ => ReaderWriterLockMode.Write,
    };

    /// <summary>A wait of the core library by exact names, or null.</summary>
    public static ManagedWaitFunction? Named(string type, string method) => s_exact.GetValueOrDefault((type, method));

    /// <summary>Classes of the class library's other modules that wait through the ones above.</summary>
    private static ManagedWaitFunction? FindInOtherLibrary(ManagedFrame frame, string type, string method) => (type, method, frame.ModuleName) switch
    {
        (Threading + "ReaderWriterLock", "AcquireReaderLock" or "AcquireWriterLock" or "UpgradeToWriterLock" or "RestoreLock"
            or "RecoverLock", "System.Threading.dll") =>
            new ManagedWaitFunction(type, method, ManagedWaitKind.ReaderWriterLock, EndsByItself: true),
        (Threading + "Barrier", "DiscontinuousWait" or "SignalAndWait", "System.Threading.dll" or "System.dll") =>
            new ManagedWaitFunction(type, method, ManagedWaitKind.Signal, EndsByItself: true),
        (Threading + "CountdownEvent", "Wait", "System.Threading.dll") =>
            new ManagedWaitFunction(type, method, ManagedWaitKind.Signal, EndsByItself: true),

        // On Linux the thread that reaps child processes sets an event; nobody owns it. Optimised code may keep the outermost frame only.
        ("System.Diagnostics.ProcessWaitState" or "System.Diagnostics.Process", "WaitForExit" or "WaitForExitCore", "System.Diagnostics.Process.dll") =>
            new ManagedWaitFunction(type, method, ManagedWaitKind.Signal, EndsByItself: true),
        (_, "TryTakeWithNoTimeValidation" or "TryTake" or "Take" or "TryAddWithNoTimeValidation" or "TryAdd" or "Add", "System.Collections.Concurrent.dll")
            when type.StartsWith(BlockingCollection, StringComparison.Ordinal) =>
                new ManagedWaitFunction(type, method, ManagedWaitKind.Signal, EndsByItself: true),
        (_, "MoveNext", "System.Collections.Concurrent.dll") when type.StartsWith(BlockingCollection, StringComparison.Ordinal) =>
            new ManagedWaitFunction(type, method, ManagedWaitKind.Signal, EndsByItself: true),
        _ => null,
    };
}
