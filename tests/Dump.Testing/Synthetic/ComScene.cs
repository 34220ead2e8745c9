namespace Dump.Testing.Synthetic;

/// <summary>
/// COM calls between threads of one process of Windows 10, with the frames of published stacks (dotnet/winforms #8405: the caller waits in user32 below
/// combase; the executing thread was entered through its message loop, combase and rpcrt4). COM's own functions have no names, as without symbols.
/// </summary>
public sealed class ComScene
{
    /// <summary>Flag of a single-threaded apartment.</summary>
    public const uint SingleThreaded = 0x80;

    private readonly FakeImage _app = new(@"C:\app\app.exe", 0x400000);
    private readonly FakeImage _combase = new(@"C:\Windows\System32\combase.dll", 0x7FF900000000);
    private readonly FakeImage _rpc = new(@"C:\Windows\System32\rpcrt4.dll", 0x7FF908000000);
    private readonly FakeImage _kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
    private readonly FakeImage _user32 = new(@"C:\Windows\System32\user32.dll", 0x7FF918000000);
    private readonly FakeImage _win32u = new(@"C:\Windows\System32\win32u.dll", 0x7FF91C000000);
    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
    private readonly FakeFunction _start;
    private readonly FakeFunction _work;
    private readonly FakeFunction _handler;
    private readonly FakeFunction _enter;
    private readonly FakeFunction _inside;
    private readonly FakeFunction _proxy;
    private readonly FakeFunction _stub;
    private readonly FakeFunction[] _modal;
    private readonly FakeFunction[] _dispatched;
    private readonly FakeFunction[] _entering;

    /// <summary>A process without threads.</summary>
    public ComScene()
    {
        Process = new FakeProcess
        {
            Images = { _app, _combase, _rpc, _kernelBase, _user32, _win32u, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Event(0x44, manualReset: false, signaled: false)],
        };
        _start = _ntdll.Function("RtlUserThreadStart");
        _work = _app.Function("work", exported: false);
        _handler = _app.Function("handler", exported: false);
        _enter = _app.Function("enter", exported: false);
        _inside = _combase.Function("inside", exported: false);
        _proxy = _rpc.Function("NdrClientCall3");
        _stub = _rpc.Function("NdrStubCall3");
        _modal = [_win32u.Stub("NtUserMsgWaitForMultipleObjectsEx"), _user32.Function("MsgWaitForMultipleObjectsEx"), _inside, _inside, _proxy];
        _dispatched = [_stub, _inside, _user32.Function("internal", exported: false), _user32.Function("DispatchMessageW")];
        string[] inner = ["RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        _entering = [_ntdll.Stub("NtWaitForAlertByThreadId"), .. inner.Select(n => _ntdll.Function(n, exported: false)),
            _ntdll.Function("RtlEnterCriticalSection"), _enter];
    }

    /// <summary>The process.</summary>
    public FakeProcess Process { get; }

    /// <summary>A thread that calls another one, which calls a third one, which waits for a critical section of the first.</summary>
    public static ComScene Chain()
    {
        ComScene scene = new();
        scene.Calling(0x20);
        scene.CallingOnBehalf(0x24, 0x20);
        scene.Executing(0x28, 0x24, scene.Section(0x20, 1));
        return scene;
    }

    /// <summary>A critical section of the program.</summary>
    public ulong Section(uint owner, int waiters) => FakeProcess.Section(_app, 0, owner, waiters);

    /// <summary>A thread of a single-threaded apartment that waits for the answer to its call.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="caller">Of what COM keeps of it: the thread whose call it executes, 0 for none.</param>
    public void Calling(uint id, uint caller = 0) => Add(id, caller, [.. _modal, _work, _start]);

    /// <summary>A thread that waits for its call, and executes, in its message loop, the call of another one.</summary>
    public void CallingOnBehalf(uint id, uint caller) => Add(id, caller, [.. _modal, _handler, .. _dispatched, _work, _start]);

    /// <summary>A thread that made a call, executes another thread's call while it waits, and made a second call there.</summary>
    public void CallingTwice(uint id, uint caller) => Add(id, caller, [.. _modal, _handler, .. _dispatched, .. _modal[1..], _work, _start]);

    /// <summary>A thread of the multi-threaded apartment that waits for the answer by an event.</summary>
    public void CallingByEvent(uint id) =>
        Add(id, 0, [_ntdll.Stub("NtWaitForSingleObject"), _kernelBase.Function("WaitForSingleObjectEx"), _inside, _proxy, _work, _start], 0x44);

    /// <summary>A thread that waits for handles by <c>CoWaitForMultipleHandles</c>, or stands in another function of COM's that pumps for the program.</summary>
    public void WaitingForHandles(uint id, string function = "CoWaitForMultipleHandles") => Add(id, 0, [.. _modal[..3], _combase.Function(function), _work, _start]);

    /// <summary>A thread that executes a call and there waits for a critical section.</summary>
    public void Executing(uint id, uint caller, ulong section) => Add(id, caller, [.. _entering, _handler, .. _dispatched, _work, _start], section + 8);

    /// <summary>A thread that executes a call and computes.</summary>
    public void Computing(uint id, uint caller) => Add(id, caller, [_handler, .. _dispatched, _work, _start]);

    /// <summary>A thread without code of COM on its stack that waits for a critical section.</summary>
    public void Entering(uint id, uint caller, ulong section) => Add(id, caller, [.. _entering, _work, _start], section + 8);

    /// <summary>A thread that waits inside of COM for a critical section, by its semaphore as up to Windows 7.</summary>
    public void EnteringInsideCom(uint id, ulong section) =>
        Add(id, 0, [_ntdll.Stub("NtWaitForSingleObject"), .. _entering[1..^1], _inside, _proxy, _work, _start], section + 8);

    private void Add(uint id, uint caller, FakeFunction[] frames, ulong argument = 0) =>
        Process.Threads.Add(new FakeThread(id, frames, argument) { Com = (SingleThreaded, caller) });
}
