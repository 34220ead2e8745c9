using System.Buffers.Binary;

namespace Dump.Testing.Synthetic;

/// <summary>Threads that wait for kernel objects, with the frames and argument registers of Windows 10.</summary>
public sealed class ObjectScene
{
    private readonly FakeImage _data = new(@"C:\app\data.dll", 0x20000000);
    private readonly FakeImage _app = new(@"C:\app\app.exe", 0x140000000);
    private readonly FakeImage _rpc = new(@"C:\Windows\System32\rpcrt4.dll", 0x7FF908000000);
    private readonly FakeImage _kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
    private readonly FakeImage _kernel32 = new(@"C:\Windows\System32\KERNEL32.DLL", 0x7FF920000000);
    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
    private readonly Dictionary<string, FakeFunction> _functions = [];
    private int _arrays;

    /// <summary>A process without threads.</summary>
    /// <param name="handles">Its handles.</param>
    public ObjectScene(params FakeHandle[] handles) => Process = new FakeProcess
    {
        Images = { _data, _app, _rpc, _kernelBase, _kernel32, _ntdll },
        LoaderLock = FakeProcess.Section(_ntdll, 0x200, 0, 0),
        Handles = [.. handles],
    };

    /// <summary>The process.</summary>
    public FakeProcess Process { get; }

    private FakeFunction End => Named(_ntdll, "RtlUserThreadStart");

    /// <summary>Threads that wait for objects of all kinds with all records, one of them for 64 at once.</summary>
    public static ObjectScene Various()
    {
        FakeHandle[] events = [.. Enumerable.Range(0, 60).Select(i => FakeHandle.Event(0x100 + (ulong)i * 4, manualReset: true, signaled: false))];
        FakeHandle[] others =
        [
            FakeHandle.Mutex(0x50, -1, false, 0x20), FakeHandle.Mutex(0x54, 1, true, 0), FakeHandle.Mutex(0x58, 0x1234, owner: 0x9990),
                FakeHandle.Semaphore(0x5C, 0, 4),
            FakeHandle.Thread(0x60, 0x24), FakeHandle.Process(0x64, 0x1234), new FakeHandle(0x68, "File") { Name = @"\Device\NamedPipe\test" },
        ];
        ObjectScene scene = new([.. others, .. events]);
        scene.WaitingForSeveral(0x20, all: true, [0x54, 0x5C, 0x60, 0x64, .. events.Select(e => e.Value)]);
        scene.Waiting(0x24, 0x50);
        scene.Waiting(0x28, 0x58);
        scene.InCall(0x2C, "NtReadFile", 0x68, "ReadFile");
        return scene;
    }

    /// <summary>A thread that waits for one object; its own code shows the time limit.</summary>
    public void Waiting(uint id, ulong handle, uint milliseconds = uint.MaxValue) => Process.Threads.Add(new FakeThread(
        id, [Stub("NtWaitForSingleObject"), Named(_kernelBase, "WaitForSingleObjectEx"), _app.CallWith($"wait{id}", (uint)handle, milliseconds), End], handle));

    /// <summary>A thread that waits for several objects, and whose own code shows the arguments.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="all">True for a wait for all of them.</param>
    /// <param name="handles">The handles.</param>
    /// <param name="registers">Whether the system call's registers hold count and array too.</param>
    public void WaitingForSeveral(uint id, bool all, ulong[] handles, bool registers = true)
    {
        ulong array = Array(handles);
        FakeFunction caller = _app.CallWith($"several{id}", (uint)handles.Length, (uint)array, all ? 1u : 0, uint.MaxValue);
        Process.Threads.Add(new FakeThread(id, [Stub("NtWaitForMultipleObjects"), Named(_kernelBase, "WaitForMultipleObjectsEx"), caller, End], registers
            ? (ulong)handles.Length : 0x7FF9)
        {
            SecondArgument = registers ? array : 0x7FF9,
        });
    }

    /// <summary>A thread that waits for several objects, of which only the registers tell.</summary>
    public void WaitingByRegisters(uint id, ulong count, ulong array) => Process.Threads.Add(new FakeThread(
        id, [Stub("NtWaitForMultipleObjects"), Named(_kernelBase, "WaitForMultipleObjectsEx"), Named(_app, "work"), End], count) { SecondArgument = array });

    /// <summary>An array of handles in the program's data.</summary>
    public ulong Array(params ulong[] handles)
    {
        int offset = _arrays;
        _arrays += Math.Max(handles.Length, 1) * sizeof(ulong);
        for (int i = 0; i < handles.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(_data.DataBytes.AsSpan(offset + i * sizeof(ulong)), handles[i]);
        }

        return _data.Data + (ulong)offset;
    }

    /// <summary>A thread of the program in a system call, with functions of kernelbase in between.</summary>
    public void InCall(uint id, string systemCall, ulong argument, params string[] kernelBase) => Process.Threads.Add(new FakeThread(
        id, [Stub(systemCall), .. kernelBase.Select(f => Named(_kernelBase, f)), Named(_app, "work"), End], argument));

    /// <summary>A thread of the program that calls another process through the RPC runtime.</summary>
    public void CallingPort(uint id, ulong port) => Process.Threads.Add(new FakeThread(
        id, [Stub("NtAlpcSendWaitReceivePort"), Named(_rpc, "I_RpcSendReceive"), Named(_rpc, "NdrClientCall3"), Named(_app, "work"), End], port));

    /// <summary>A thread of the RPC runtime that waits for calls.</summary>
    public void ServingPort(uint id, ulong port) => Process.Threads.Add(new FakeThread(
        id, [Stub("NtAlpcSendWaitReceivePort"), Named(_rpc, "receive"), Named(_ntdll, "TppWorkerThread"), Named(_kernel32, "BaseThreadInitThunk"), End], port));

    /// <summary>A worker of the thread pool without work.</summary>
    public void IdleWorker(uint id) => Process.Threads.Add(new FakeThread(
        id, [Stub("NtWaitForWorkViaWorkerFactory"), Named(_ntdll, "TppWorkerThread"), Named(_kernel32, "BaseThreadInitThunk"), End], 0x70));

    /// <summary>A worker of the thread pool whose callback waits for an object.</summary>
    public void BusyWorker(uint id, ulong handle)
    {
        FakeFunction callback = _app.CallWith($"callback{id}", (uint)handle, uint.MaxValue);
        FakeFunction[] pool = [Named(_ntdll, "TppWorkpExecuteCallback"), Named(_ntdll, "TppWorkerThread"), Named(_kernel32, "BaseThreadInitThunk")];
        Process.Threads.Add(new FakeThread(id, [Stub("NtWaitForSingleObject"), Named(_kernelBase, "WaitForSingleObjectEx"), callback, .. pool, End], handle));
    }

    /// <summary>A thread that sleeps without end.</summary>
    public void Sleeping(uint id, bool alertable) => Process.Threads.Add(new FakeThread(
        id, [Stub("NtDelayExecution"), Named(_kernelBase, "SleepEx"), _app.CallWith($"sleep{id}", uint.MaxValue, alertable ? 1u : 0), End]));

    private FakeFunction Stub(string name) => Once(name, () => _ntdll.Stub(name));

    private FakeFunction Named(FakeImage image, string name) => Once($"{image.Path}!{name}", () => image.Function(name, exported: image != _app));

    private FakeFunction Once(string key, Func<FakeFunction> make)
    {
        if (!_functions.TryGetValue(key, out FakeFunction? function))
        {
            _functions.Add(key, function = make());
        }

        return function;
    }
}
