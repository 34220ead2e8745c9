namespace Dump.Testing.Synthetic;

/// <summary>Threads that wait by address, with the frames that Windows 10 (or, for keyed events, Windows 7) has in such a wait.</summary>
public sealed class AddressWaitScene
{
    /// <summary>Bits of an SRW lock: held.</summary>
    public const ulong Locked = 1;

    /// <summary>Bits of an SRW lock: the rest is the address of a wait block.</summary>
    public const ulong Waiting = 2;

    /// <summary>Bits of an SRW lock with waiters: held by more than one reader.</summary>
    public const ulong MultipleShared = 8;

    // A low address, so that code can hold addresses as 32-bit constants.
    private const ulong ProgramBase = 0x400000;
    private readonly FakeImage _app = new(@"C:\app\app.exe", ProgramBase);
    private readonly FakeImage _kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
    private readonly FakeImage _library;
    private readonly FakeImage _kernel32 = new(@"C:\Windows\System32\kernel32.dll", 0x7FF920000000);
    private readonly FakeFunction[] _outermost;
    private readonly FakeFunction _work;
    private readonly bool _isWindows7;
    private int _functions;
    private FakeFunction? _jumping;

    /// <summary>A process without threads.</summary>
    /// <param name="isWindows7">True for waits by keyed event, as in Windows 7.</param>
    /// <param name="library">Its C++ library.</param>
    public AddressWaitScene(bool isWindows7 = false, string library = "MSVCP140")
    {
        _isWindows7 = isWindows7;
        _library = new FakeImage($@"C:\Windows\System32\{library}.dll", 0x7FF900000000);
        _work = _app.Function("work", exported: false);
        _outermost = [_kernel32.Function("BaseThreadInitThunk"), Ntdll.Function("RtlUserThreadStart")];
        Process = new FakeProcess
        {
            Version = isWindows7 ? (6u, 1u, 7601u) : (10u, 0u, 19045u),
            Images = { _app, _library, _kernelBase, _kernel32, Ntdll },
            LoaderLock = FakeProcess.Section(Ntdll, 0x200, 0, 0),
            Handles = [],
        };
    }

    /// <summary>
    /// One thread or two in each kind of wait by address, with all that a reader follows: wait blocks, their table, mutexes, initialisers, guards, heaps.
    /// </summary>
    public static AddressWaitScene OfAllKinds()
    {
        const uint Bucket = 3;
        const ulong Waited = 0x5550_0000 | Bucket << 5;
        AddressWaitScene scene = new();
        ulong first = scene.Contended(0x100, waiter: 1);
        ulong second = scene.Contended(0x140, waiter: 0);
        scene.Waiter(0x20, "RtlAcquireSRWLockExclusive", second, keeps: first);
        scene.Waiter(0x24, "RtlAcquireSRWLockShared", first, argument: 0, keeps: second);
        scene.Locking(0x28, scene.Mutex(0x180, waiter: 2, owner: 0x2C));
        ulong once = scene.Word(0x240, 1);
        scene.Entering(0x2C, scene.Section(0x280, 0x30, 1), scene.Initialising(once));
        scene.Waiter(0x30, "RtlRunOnceExecuteOnce", once);
        FakeFunction function = scene.Program.CallWith("function_with_static", (uint)scene.Word(0x2C0, uint.MaxValue), 0);
        scene.WaitingForStatic(0x34, function, [scene.Program.Function("initial_value", exported: false), function]);
        FakeFunction[] listed = [scene.Stub(), scene.Ntdll.Function("RtlWaitOnAddress"), scene._outermost[^1]];
        scene.Process.Threads.Add(new FakeThread(0x38, listed) { WaitBlock = [Waited, 0x38, FakeProcess.WaitBlockOf(7), FakeProcess.WaitBlockOf(6)] });
        scene.Process.Threads.Add(new FakeThread(0x3C, listed) { WaitBlock = [Waited, 0x3C, FakeProcess.WaitBlockOf(6), 0] });
        scene.Process.WaitBuckets[(int)Bucket] = FakeProcess.WaitBlockOf(6) | 1;
        scene.Process.ProcessHeap = FakeProcess.Heap(scene.Ntdll, 0x400, scene.Section(0x300, 0, 0));
        scene.Process.Heaps.AddRange([scene.Process.ProcessHeap, FakeProcess.Heap(scene.Ntdll, 0x800, scene.Section(0x340, 0, 0), isWindows7: true)]);
        return scene;
    }

    /// <summary>ntdll.</summary>
    public FakeImage Ntdll { get; } = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);

    /// <summary>The program.</summary>
    public FakeImage Program => _app;

    /// <summary>The process.</summary>
    public FakeProcess Process { get; init; }

    /// <summary>Writes a word into the program's data.</summary>
    /// <param name="offset">Where.</param>
    /// <param name="value">Its value.</param>
    /// <returns>Its address.</returns>
    public ulong Word(int offset, ulong value)
    {
        BitConverter.GetBytes(value).CopyTo(_app.DataBytes, offset);
        return _app.Data + (ulong)offset;
    }

    /// <summary>An SRW lock with a waiter, whose wait block lies on the stack of the thread with that number.</summary>
    public ulong Contended(int offset, int waiter, ulong flags = Locked | Waiting) => Word(offset, FakeProcess.WaitBlockOf(waiter) | flags);

    /// <summary>
    /// A std::mutex of msvcp140.dll in the program's data, with a waiter: type, unused, SRW lock, owner and count as in microsoft/STL's _Mtx_internal_imp_t.
    /// </summary>
    /// <returns>The address of its SRW lock.</returns>
    public ulong Mutex(int offset, int waiter, uint owner, uint count = 1, uint type = 2, int ownerOffset = 0x48)
    {
        new ByteWriter().UInt32(type).PadTo(0x10).UInt64(FakeProcess.WaitBlockOf(waiter) | Locked | Waiting).PadTo(ownerOffset).UInt32(owner).UInt32(count)
            .ToArray().CopyTo(_app.DataBytes, offset);
        return _app.Data + (ulong)offset + 0x10;
    }

    /// <summary>Adds a thread that waits in a function of msvcp140.dll for the SRW lock of a mutex.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="slimLock">The lock's address.</param>
    /// <param name="function">The exported function that the program called.</param>
    public void Locking(uint id, ulong slimLock, string function = "_Mtx_lock") => Process.Threads.Add(new FakeThread(
        id,
        [Stub(), Ntdll.Function("RtlAcquireSRWLockExclusive"), _library.Function("mtx_do_lock", exported: false), _library.Function(function), _work,
            .. _outermost],
        slimLock));

    /// <summary>The same without names: the exported function has jumped into an inner one, and the program called it through a pointer of its data.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="slimLock">The lock's address.</param>
    /// <param name="import">Where in the program's data the pointer lies.</param>
    public void LockingByJump(uint id, ulong slimLock, int import)
    {
        _jumping ??= _library.Function("_Mtx_lock");
        Word(import, _jumping.Start);
        Process.Threads.Add(new FakeThread(
            id,
            [Stub(), Ntdll.Function("RtlAcquireSRWLockExclusive"), _library.Function("mtx_do_lock", exported: false),
                _app.CallThrough($"caller{_functions++}", import, 0), .. _outermost],
            slimLock));
    }

    /// <summary>A critical section in the program's data.</summary>
    public ulong Section(int offset, uint owner, int waiters) => FakeProcess.Section(_app, offset, owner, waiters);

    /// <summary>Adds a thread that waits in ntdll for an address which its own code hands over.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="function">The function of ntdll that waits.</param>
    /// <param name="address">What the code hands over.</param>
    /// <param name="argument">RCX of the system call; null for the address.</param>
    /// <param name="keeps">An address that the function around the wait keeps, or 0.</param>
    /// <param name="inner">Functions of ntdll between the system call and the waiting function; none of them is exported.</param>
    /// <param name="outer">Frames outside of the calling function, innermost first.</param>
    public void Waiter(uint id, string function, ulong address, ulong? argument = null, ulong keeps = 0, string[]? inner = null,
        IReadOnlyList<FakeFunction>? outer = null)
    {
        FakeFunction[] waiting = [Stub(), .. (inner ?? []).Select(n => Ntdll.Function(n, exported: false)), Ntdll.Function(function)];
        FakeFunction caller = _app.CallWith($"caller{_functions++}", (uint)address, (uint)address, 0, 0);
        Process.Threads.Add(new FakeThread(id, [.. waiting, caller, .. outer ?? [_work], .. _outermost], argument ?? address)
        {
            Locals = keeps == 0 ? [] : [(waiting.Length, keeps)],
        });
    }

    /// <summary>Adds a thread that waits through a function of kernelbase, to which its code hands four arguments.</summary>
    public void Caller(uint id, string kernelBaseFunction, string ntdllFunction, uint first, uint second, uint third, uint fourth, ulong argument) =>
        Process.Threads.Add(new FakeThread(
            id,
            [Stub(), Ntdll.Function(ntdllFunction), _kernelBase.Function(kernelBaseFunction),
                _app.CallWith($"caller{_functions++}", first, second, third, fourth), .. _outermost],
            argument));

    /// <summary>Adds a thread that waits until another has initialised a static variable.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="function">The function with the variable, which calls with the guard's address.</param>
    /// <param name="outer">Frames outside of that function, innermost first.</param>
    public void WaitingForStatic(uint id, FakeFunction function, IReadOnlyList<FakeFunction>? outer = null) => Process.Threads.Add(new FakeThread(
        id,
        [
            Stub(), Ntdll.Function("RtlSleepConditionVariableSRW"), _kernelBase.Function("SleepConditionVariableSRW"), _app.Function("_Init_thread_header"),
                function,
            .. outer ?? [_work], .. _outermost,
        ]));

    /// <summary>The frames of a thread that runs an initialiser of the program, from the initialiser outwards.</summary>
    public FakeFunction[] Initialising(ulong once) =>
        [_app.Function($"initialiser{_functions++}", exported: false), Ntdll.Function("RtlRunOnceExecuteOnce"),
            _app.CallWith($"caller{_functions++}", (uint)once, 0)];

    /// <summary>Adds a thread that waits for a critical section.</summary>
    public void Entering(uint id, ulong section, IReadOnlyList<FakeFunction> outer)
    {
        const int LockCount = 8;
        string[] inner = ["RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        FakeFunction[] enter = [Stub(), .. inner.Select(n => Ntdll.Function(n, exported: false)), Ntdll.Function("RtlEnterCriticalSection")];
        Process.Threads.Add(new FakeThread(id, [.. enter, .. outer, .. _outermost], section + LockCount));
    }

    /// <summary>Adds a thread that sleeps with an address among its local variables, or 0 for none.</summary>
    public void Sleeper(uint id, ulong keeps = 0) =>
        Process.Threads.Add(new FakeThread(id, [Ntdll.Stub("NtDelayExecution"), _work, .. _outermost]) { Locals = keeps == 0 ? [] : [(1, keeps)] });

    /// <summary>Adds a thread that computes.</summary>
    public void Runner(uint id) => Process.Threads.Add(new FakeThread(id, [_work, .. _outermost]));

    private FakeFunction Stub() => _isWindows7 ? Ntdll.ShortStub("NtWaitForKeyedEvent") : Ntdll.Stub("NtWaitForAlertByThreadId");
}
