namespace Dump.Testing.Synthetic;

/// <summary>
/// A process of Windows 10 with threads in the loader: load owners, threads that wait for load ownership, callbacks that wait under the loader.
/// </summary>
public sealed class LoaderScene
{
    /// <summary>The event for which threads wait that want to be load owner.</summary>
    public const ulong LoadCompleteEvent = 0x44;

    private const int LoaderLockOffset = 0x200;
    private const int EventOffset = 0x300;
    private readonly FakeImage _kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
    private readonly FakeImage _kernel32 = new(@"C:\Windows\System32\KERNEL32.DLL", 0x7FF920000000);
    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
    private readonly FakeImage _app = new(@"C:\app\app.exe", 0x140000000);
    private readonly FakeImage _plugin = new(@"C:\app\plugin.dll", 0x180000000);
    private readonly FakeFunction _wait;
    private readonly FakeFunction _waitForObject;
    private readonly FakeFunction _drain;
    private readonly FakeFunction _start;
    private readonly FakeFunction _baseThread;

    /// <summary>A process without threads.</summary>
    /// <param name="loaderLockOwner">Owner of the loader lock; 0 for nobody.</param>
    /// <param name="loaderLockWaiters">How many threads wait for that lock itself.</param>
    /// <param name="shutdownThread">The thread that ends the process, or null.</param>
    /// <param name="loadedEvent">What stands in the word of ntdll from which the drain loads the event; null where its code does not show that.</param>
    public LoaderScene(uint loaderLockOwner, int loaderLockWaiters = 0, uint? shutdownThread = null, ulong? loadedEvent = null)
    {
        Process = new FakeProcess
        {
            Images = { _app, _plugin, _kernelBase, _kernel32, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, LoaderLockOffset, loaderLockOwner, loaderLockWaiters),
            Handles = [FakeHandle.Event(LoadCompleteEvent, manualReset: false, signaled: false)],
            ShutdownThread = shutdownThread,
        };
        _wait = _ntdll.Stub("NtWaitForSingleObject");
        _drain = loadedEvent is null ? _ntdll.Function("LdrpDrainWorkQueue", exported: false) : _ntdll.CallLoading("LdrpDrainWorkQueue", EventOffset);
        BitConverter.GetBytes(loadedEvent ?? 0).CopyTo(_ntdll.DataBytes, EventOffset);
        _start = _ntdll.Function("RtlUserThreadStart");
        _waitForObject = _kernelBase.Function("WaitForSingleObjectEx");
        _baseThread = _kernel32.Function("BaseThreadInitThunk");
    }

    /// <summary>The process.</summary>
    public FakeProcess Process { get; }

    /// <summary>The DLL whose callbacks wait.</summary>
    public FakeImage Plugin => _plugin;

    /// <summary>A thread that ends and waits to become load owner.</summary>
    public void Ending(uint id) => Draining(id, [_ntdll.Function("LdrShutdownThread"), _ntdll.Function("RtlExitUserThread"), _baseThread, _start]);

    /// <summary>A new thread that waits to become load owner before it has run anything.</summary>
    public void Beginning(uint id) => Draining(id, [_ntdll.Function("LdrpInitializeThread", exported: false), _ntdll.Function("LdrInitializeThunk")]);

    /// <summary>A thread that waits in GetProcAddress to become load owner.</summary>
    public void Resolving(uint id) => Draining(id, [_ntdll.Function("LdrGetProcedureAddressForCaller"), _kernelBase.Function("GetProcAddress"),
        _app.Function("work", exported: false), _start]);

    /// <summary>A load owner in the plugin's DllMain, which waits for a handle.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="handle">The handle.</param>
    /// <param name="milliseconds">The time limit, or null where the code does not show it.</param>
    /// <param name="loader">The exported loader function that runs DllMain.</param>
    /// <param name="isLoadOwner">Whether it is load owner.</param>
    public void WaitingInDllMain(uint id, uint handle, uint? milliseconds, string loader = "LdrUnloadDll", bool isLoadOwner = true)
    {
        FakeFunction dllMain = milliseconds is { } limit ? _plugin.CallWith("DllMain", handle, limit) : _plugin.Function("DllMain", exported: false);
        _plugin.EntryPoint = dllMain;
        Process.Threads.Add(new FakeThread(id, [_wait, _waitForObject, dllMain, .. Initialising(loader)], handle, isLoadOwner));
    }

    /// <summary>A thread in the plugin's DllMain, or in the loader itself, which waits for a critical section.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="section">The section.</param>
    /// <param name="loader">The exported loader function that the thread is in.</param>
    /// <param name="isInDllMain">False when the loader itself waits.</param>
    public void Entering(uint id, ulong section, string loader, bool isInDllMain)
    {
        string[] inner = ["RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        FakeFunction[] enter = [_ntdll.Stub("NtWaitForAlertByThreadId"), .. inner.Select(n => _ntdll.Function(n, exported: false)),
            _ntdll.Function("RtlEnterCriticalSection")];
        FakeFunction[] dllMain = isInDllMain ? [_plugin.EntryPoint = _plugin.Function("DllMain", exported: false)] : [];
        Process.Threads.Add(new FakeThread(id, [.. enter, .. dllMain, .. Initialising(loader)], section + 8, IsLoadOwner: true)
        {
            WaitsOnLoaderLock = section == Process.LoaderLock,
        });
    }

    /// <summary>A thread that spins in the plugin's DllMain.</summary>
    public void Spinning(uint id, int lockWordOffset, string loader, double processorSeconds)
    {
        FakeFunction[] spin = [_ntdll.Stub("NtYieldExecution"), _kernelBase.Function("SwitchToThread"), _plugin.SpinLoop("DllMain", lockWordOffset)];
        Process.Threads.Add(new FakeThread(id, [.. spin, .. Initialising(loader)], 0, IsLoadOwner: true, processorSeconds));
    }

    /// <summary>A thread that sleeps.</summary>
    public void Sleeping(uint id) => Process.Threads.Add(new FakeThread(id,
        [_ntdll.Stub("NtDelayExecution"), _app.Function("sleep", exported: false), _start]));

    private FakeFunction[] Initialising(string loader) =>
        [_ntdll.Function("LdrpCallInitRoutine", exported: false), _ntdll.Function(loader), _app.Function("caller", exported: false), _start];

    private void Draining(uint id, IReadOnlyList<FakeFunction> outer) =>
        Process.Threads.Add(new FakeThread(id, [_wait, _drain, .. outer], LoadCompleteEvent));
}
