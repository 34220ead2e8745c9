namespace Dump.Testing.Synthetic;

/// <summary>Threads that wait for critical sections, with the frames that Windows 10 or Windows 7 has in such a wait.</summary>
public sealed class CriticalSectionScene
{
    // A low address, so that code can hold the addresses of its sections as 32-bit constants.
    private const ulong ProgramBase = 0x400000;
    private const int SectionSize = 0x28;
    private const ulong FirstSemaphore = 0x80;
    private readonly FakeImage _app;
    private readonly FakeImage _kernel32;
    private readonly FakeFunction[] _outermost;
    private readonly FakeFunction[] _waiting;
    private readonly FakeFunction _work;
    private readonly FakeFunction _sleep;
    private readonly bool _isWindows7;
    private int _sections;

    /// <summary>A process without threads.</summary>
    /// <param name="isWindows7">True for the frames and structures of Windows 7 (build 7601), false for those of Windows 10.</param>
    public CriticalSectionScene(bool isWindows7 = false) : this(isWindows7, isWindows7 ? (6u, 1u, 7601u) : (10u, 0u, 19045u))
    {
    }

    /// <summary>The same with the version of Windows.</summary>
    /// <param name="isWindows7">See above.</param>
    /// <param name="version">The version.</param>
    /// <param name="isArm64">Whether it is an ARM64 process.</param>
    public CriticalSectionScene(bool isWindows7, (uint Major, uint Minor, uint Build) version, bool isArm64 = false)
    {
        _isWindows7 = isWindows7;
        _app = new(@"C:\app\app.exe", ProgramBase) { IsArm64 = isArm64 };
        _kernel32 = new(@"C:\Windows\System32\kernel32.dll", 0x7FF920000000) { IsArm64 = isArm64 };
        Ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000) { IsArm64 = isArm64 };
        FakeFunction wait = isWindows7 ? Ntdll.ShortStub("NtWaitForSingleObject") : Ntdll.Stub("NtWaitForAlertByThreadId");
        string[] inner = isWindows7 ? ["RtlpWaitOnCriticalSection"]
            : ["RtlpWaitOnAddressWithTimeout", "RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        _waiting = [wait, .. inner.Select(name => Ntdll.Function(name, exported: false)), Ntdll.Function("RtlEnterCriticalSection")];
        _sleep = isWindows7 ? Ntdll.ShortStub("NtDelayExecution") : Ntdll.Stub("NtDelayExecution");
        _work = _app.Function("work", exported: false);
        _outermost = [_kernel32.Function("BaseThreadInitThunk"), Ntdll.Function("RtlUserThreadStart")];
        Process = new FakeProcess
        {
            Version = version,
            IsArm64 = isArm64,
            Images = { _app, _kernel32, Ntdll },
            LoaderLock = FakeProcess.Section(Ntdll, 0x200, 0, 0),
        };
    }

    /// <summary>ntdll.</summary>
    public FakeImage Ntdll { get; }

    /// <summary>The process.</summary>
    public FakeProcess Process { get; }

    /// <summary>A critical section of the program.</summary>
    /// <param name="owner">Id of its owner.</param>
    /// <param name="waiters">How many threads wait for it.</param>
    /// <param name="recursion">How many times the owner has entered.</param>
    public ulong Section(uint owner, int waiters, int recursion = 1)
    {
        int number = _sections++;
        ulong? semaphore = _isWindows7 ? FirstSemaphore + (ulong)number * 4 : null;
        return FakeProcess.Section(_app, number * SectionSize, owner, waiters, recursion, semaphore);
    }

    /// <summary>Overwrites a section's LockCount.</summary>
    public void SetLockCount(ulong section, int lockCount) => BitConverter.GetBytes(lockCount).CopyTo(_app.DataBytes, (int)(section - _app.Data) + 8);

    /// <summary>Overwrites the address of a section's debug block.</summary>
    public void SetDebugInfo(ulong section, ulong block) => BitConverter.GetBytes(block).CopyTo(_app.DataBytes, (int)(section - _app.Data));

    /// <summary>Adds a thread that waits for a section.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="section">The section's address.</param>
    /// <param name="trace">Where the waiting frames keep it.</param>
    /// <param name="below">Frames between the wait and the thread's beginning; empty for one of the program.</param>
    /// <param name="alsoKept">Another address that a nonvolatile register holds, or 0.</param>
    /// <param name="argument">RCX, where it does not hold the wait's argument.</param>
    /// <param name="waitsOnLoaderLock">Whether its TEB says that it waits for the loader lock.</param>
    /// <param name="processorSeconds">Processor time in seconds.</param>
    public void Waiter(
        uint id, ulong section, LockTrace trace, IReadOnlyList<FakeFunction>? below = null, ulong alsoKept = 0, ulong argument = 0x7FF930001234,
            bool waitsOnLoaderLock = false,
        double processorSeconds = 0)
    {
        const int R12 = 12;
        FakeFunction caller = trace == LockTrace.CallSite ? _app.CallWith("enter", (uint)section, 0) : _work;
        Dictionary<int, ulong> registers = new() { [R12] = alsoKept };
        if (trace is LockTrace.Register or LockTrace.CallSite)
        {
            registers[FakeThread.Rbx] = section;
        }

        ulong first = trace switch { LockTrace.Argument => section + 8, LockTrace.ArgumentItself => section, _ => argument };
        Process.Threads.Add(new FakeThread(id, [.. _waiting, .. below ?? [caller], .. _outermost], first)
        {
            Nonvolatile = registers,
            Locals = trace == LockTrace.WaitWord ? [(2, section + 8)] : [],
            WaitsOnLoaderLock = waitsOnLoaderLock,
            ProcessorSeconds = processorSeconds,
        });
    }

    /// <summary>Adds a thread with frames of its own above the thread's beginning.</summary>
    public void Thread(uint id, IReadOnlyList<FakeFunction> frames, ulong argument = 0, bool waitsOnLoaderLock = false) =>
        Process.Threads.Add(new FakeThread(id, [.. frames, .. _outermost], argument) { WaitsOnLoaderLock = waitsOnLoaderLock });

    /// <summary>Adds a thread that sleeps.</summary>
    public void Sleeper(uint id) => Process.Threads.Add(new FakeThread(id, [_sleep, _work, .. _outermost]));

    /// <summary>Adds a thread that computes: its innermost frame is one of the program.</summary>
    public void Runner(uint id, double processorSeconds) =>
        Process.Threads.Add(new FakeThread(id, [_work, .. _outermost], ProcessorSeconds: processorSeconds));
}
