namespace Dump.Testing.Synthetic.X86;

/// <summary>32-bit threads of Windows 10 in waits, with the frames that published stacks have.</summary>
public sealed class X86Scene
{
    /// <summary>The event for which threads wait that want to be load owner.</summary>
    public const uint LoadCompleteEvent = 0x44;

    private readonly FakeX86Image _app = new(@"C:\app\app.exe", 0x0040_0000);
    private readonly FakeX86Image _kernelBase = new(@"C:\Windows\SysWOW64\KERNELBASE.dll", 0x7600_0000);
    private readonly FakeX86Image _kernel32 = new(@"C:\Windows\SysWOW64\kernel32.dll", 0x7700_0000);
    private readonly FakeX86Image _library;
    private readonly FakeX86Function[] _outermost;
    private readonly FakeX86Function[] _entering;
    private readonly FakeX86Function _waitForObject;

    /// <summary>A process without threads.</summary>
    /// <param name="loaderLockOwner">Owner of the loader lock; 0 for nobody.</param>
    /// <param name="library">File name of the library whose code spins and loads.</param>
    public X86Scene(uint loaderLockOwner = 0, string library = "mkl_core.dll")
    {
        _library = new FakeX86Image($@"C:\app\{library}", 0x6000_0000);
        Process.Images.AddRange([_app, _library, _kernelBase, _kernel32, Ntdll]);
        Process.LoaderLock = Ntdll.Section(0x200, loaderLockOwner, 0);
        _outermost = [_kernel32.Function("BaseThreadInitThunk", arguments: 1), Ntdll.Function("RtlUserThreadStart", arguments: 2)];
        string[] inner = ["RtlpWaitOnAddressWithTimeout", "RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        _entering = [Ntdll.Stub("NtWaitForAlertByThreadId", 2), .. inner.Select(n => Ntdll.Function(n, exported: false, arguments: 2)),
            Ntdll.Function("RtlEnterCriticalSection", arguments: 1)];
        _waitForObject = Ntdll.Stub("NtWaitForSingleObject", 3);
    }

    /// <summary>ntdll.</summary>
    public FakeX86Image Ntdll { get; } = new(@"C:\Windows\SysWOW64\ntdll.dll", 0x7780_0000);

    /// <summary>The process.</summary>
    public FakeX86Process Process { get; } = new();

    /// <summary>A critical section of the program.</summary>
    public uint Section(int number, uint owner, int waiters) => _app.Section(number * 0x18, owner, waiters);

    /// <summary>Adds a thread that waits for a critical section by the address of its LockCount.</summary>
    public void Entering(uint id, uint section) =>
        Process.Threads.Add(new FakeX86Thread(id, [.. _entering, _app.Function("work", exported: false), .. _outermost], [section + 4, 0]));

    /// <summary>Adds a thread that waits for a handle.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="handle">The handle.</param>
    /// <param name="limit">Address of the time limit; 0 for none.</param>
    public void Waiting(uint id, uint handle, uint limit = 0) => Process.Threads.Add(new FakeX86Thread(
        id, [_waitForObject, _kernelBase.Function("WaitForSingleObjectEx", arguments: 3), _app.Function("wait", exported: false), .. _outermost],
            [handle, 0, limit]));

    /// <summary>Adds a thread that sleeps.</summary>
    public void Sleeping(uint id) => Process.Threads.Add(new FakeX86Thread(id,
        [Ntdll.Stub("NtDelayExecution", 2), _app.Function("sleep", exported: false), .. _outermost], [0, 0]));

    /// <summary>
    /// Adds a load owner that spins in the library while its thread ends, and a thread that holds the library's spin lock and waits to become load owner.
    /// </summary>
    public void Loading(uint spinner, uint loader, uint lockWord = 1)
    {
        BitConverter.GetBytes(lockWord).CopyTo(_library.DataBytes, 0x100);
        Process.Handles.Add(FakeHandle.Event(LoadCompleteEvent, manualReset: false, signaled: false));
        FakeX86Function[] spin = [Ntdll.Stub("NtYieldExecution", 0), _kernelBase.Function("SwitchToThread"), _library.SpinLoop("lock", 0x100)];
        FakeX86Function[] ending = [Ntdll.Function("LdrpCallInitRoutine", exported: false, arguments: 4), Ntdll.Function("LdrShutdownThread"),
            Ntdll.Function("RtlExitUserThread", arguments: 1)];
        Process.Threads.Add(new FakeX86Thread(spinner, [.. spin, .. ending, .. _outermost], [], true, 90));
        FakeX86Function[] loading =
        [
            _waitForObject, Ntdll.Function("LdrpDrainWorkQueue", exported: false, arguments: 1),
                Ntdll.Function("LdrpLoadDllInternal", exported: false, arguments: 8),
            Ntdll.Function("LdrLoadDll", arguments: 4), _kernelBase.Function("LoadLibraryExW", arguments: 3), _library.Function("allocate", exported: false),
        ];
        Process.Threads.Add(new FakeX86Thread(loader, [.. loading, .. _outermost], [LoadCompleteEvent, 0, 0]));
    }

    /// <summary>A thread whose 64-bit layer itself waits for the 64-bit loader lock, on its way out of a sleep.</summary>
    public void WaitingInLayer(uint id)
    {
        FakeImage ntdll = Process.LayerNtdll;
        FakeFunction[] frames = [ntdll.Stub("NtWaitForAlertByThreadId"), ntdll.Function("RtlpWaitOnCriticalSection", exported: false),
            ntdll.Function("RtlEnterCriticalSection"), ntdll.Function("LdrpInitialize")];
        Sleeping(id);
        Process.Threads[^1] = Process.Threads[^1] with { Layer = new FakeThread(id, frames, ntdll.Data + 0x200 + 8) };
    }
}
