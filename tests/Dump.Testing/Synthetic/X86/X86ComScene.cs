namespace Dump.Testing.Synthetic.X86;

/// <summary>COM calls between threads of a 32-bit process, as <see cref="ComScene"/> has them for 64-bit ones.</summary>
public sealed class X86ComScene
{
    private const uint Event = 0x44;
    private const uint SingleThreaded = 0x80;
    private readonly FakeX86Image _app = new(@"C:\app\app.exe", 0x0040_0000);
    private readonly FakeX86Image _combase = new(@"C:\Windows\SysWOW64\combase.dll", 0x7400_0000);
    private readonly FakeX86Image _rpc = new(@"C:\Windows\SysWOW64\rpcrt4.dll", 0x7480_0000);
    private readonly FakeX86Image _user32 = new(@"C:\Windows\SysWOW64\user32.dll", 0x7500_0000);
    private readonly FakeX86Image _kernelBase = new(@"C:\Windows\SysWOW64\KERNELBASE.dll", 0x7600_0000);
    private readonly FakeX86Image _ntdll = new(@"C:\Windows\SysWOW64\ntdll.dll", 0x7780_0000);
    private readonly FakeX86Function _inside;
    private readonly FakeX86Function[] _outermost;

    /// <summary>A process without threads.</summary>
    public X86ComScene()
    {
        Process.Images.AddRange([_app, _combase, _rpc, _user32, _kernelBase, _ntdll]);
        Process.LoaderLock = _ntdll.Section(0x200, 0, 0);
        Process.Handles.Add(FakeHandle.Event(Event, manualReset: false, signaled: false));
        _inside = _combase.Function("inside", exported: false);
        _outermost = [_app.Function("work", exported: false), _ntdll.Function("RtlUserThreadStart", arguments: 2)];
    }

    /// <summary>The process.</summary>
    public FakeX86Process Process { get; } = new();

    /// <summary>A critical section of the program.</summary>
    public uint Section(uint owner, int waiters) => _app.Section(0, owner, waiters);

    /// <summary>A thread that waits by an event for the answer to its call.</summary>
    public void Calling(uint id) => Add(
        id, 0, [Event, 0, 0],
        [_ntdll.Stub("NtWaitForSingleObject", 3), _kernelBase.Function("WaitForSingleObjectEx", arguments: 3), _inside, _rpc.Function("NdrClientCall2"),
            .. _outermost]);

    /// <summary>A thread that executes the call of another one and there waits for a critical section.</summary>
    public void Executing(uint id, uint caller, uint section)
    {
        string[] inner = ["RtlpWaitOnAddressWithTimeout", "RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        Add(
            id, caller, [section + 4, 0],
            [
                _ntdll.Stub("NtWaitForAlertByThreadId", 2), .. inner.Select(n => _ntdll.Function(n, exported: false, arguments: 2)),
                    _ntdll.Function("RtlEnterCriticalSection", arguments: 1),
                _app.Function("handler", exported: false), _rpc.Function("NdrStubCall2", arguments: 4), _inside, _user32.Function("internal", exported: false),
                _user32.Function("DispatchMessageW", arguments: 1), .. _outermost,
            ]);
    }

    private void Add(uint id, uint caller, IReadOnlyList<uint> arguments, IReadOnlyList<FakeX86Function> frames) =>
        Process.Threads.Add(new FakeX86Thread(id, frames, arguments) { Com = (SingleThreaded, caller) });
}
