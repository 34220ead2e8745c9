namespace Dump.Testing.Synthetic;

/// <summary>
/// A library with a defect, in one of many processes. With the number change the program's name, thread ids and their order, load addresses, places of
/// functions, the build of Windows, bystanders and the moment: nothing by which a defect is known. Its functions and its library do not.
/// </summary>
public sealed class VariedProgram
{
    private const ulong Event = 0x2C;
    private const uint SecondsBetween = 37 * 60;
    private const int SectionSize = 0x28;
    private static readonly string[] s_names = ["shop.exe", "Store.exe", "till-3.exe"];
    private static readonly uint[] s_builds = [19045, 17763, 22631];
    private readonly int _number;
    private readonly FakeImage _library;
    private readonly FakeImage _kernelBase;
    private readonly FakeImage _kernel32;
    private readonly FakeImage _ntdll;
    private readonly FakeProcess _process;
    private readonly Dictionary<string, FakeFunction> _functions = [];
    private int _ids;
    private int _sections;
    private (uint Thread, int Frame, uint Code, ulong[] Parameters)? _exception;

    /// <summary>A process without threads but for bystanders.</summary>
    /// <param name="number">Which of the many it is, from 0.</param>
    /// <param name="library">The library's name.</param>
    /// <param name="isArm64">Whether it is an ARM64 process.</param>
    public VariedProgram(int number, string library, bool isArm64 = false)
    {
        _number = number;
        ulong moved = (ulong)number * 0x20_0000;
        FakeImage Image(string path, ulong address) => new(path, address + moved) { IsArm64 = isArm64 };
        _library = Image($@"D:\services\{library}.dll", 0x1_8000_0000);
        _kernelBase = Image(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF9_1000_0000);
        _kernel32 = Image(@"C:\Windows\System32\kernel32.dll", 0x7FF9_2000_0000);
        _ntdll = Image(@"C:\Windows\System32\ntdll.dll", 0x7FF9_3000_0000);
        for (int i = 0; i < number % 7; i++)
        {
            _library.Function($"unrelated_{i}");
            _ntdll.Function($"NtUnrelated{i}");
        }

        _process = new FakeProcess
        {
            IsArm64 = isArm64,
            Version = (10, 0, s_builds[number % s_builds.Length]),
            Images = { Image($@"C:\app\{s_names[number % s_names.Length]}", 0x1_4000_0000), _library, _kernelBase, _kernel32, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Event(Event, manualReset: true, signaled: false)],
            SecondsLater = (uint)number * SecondsBetween,
        };
        for (int i = 0; i <= number % 4; i++)
        {
            Add(NewId(), [Stub("NtDelayExecution"), System(_kernelBase, "SleepEx"), Once(_library, "rest", exported: false)]);
        }
    }

    /// <summary>Threads that each hold a critical section and wait for that of the next.</summary>
    /// <param name="stacks">The library's functions of each thread, innermost first, with <c>&lt;</c> between them.</param>
    public VariedProgram Cycle(params string[] stacks)
    {
        uint[] ids = [.. stacks.Select(_ => NewId())];
        ulong[] sections = [.. ids.Select(id => Section(id, 1))];
        for (int i = 0; i < ids.Length; i++)
        {
            Wait(ids[i], sections[(i + 1) % ids.Length], stacks[i]);
        }

        return this;
    }

    /// <summary>A thread that waits for a critical section whose owner has ended.</summary>
    public VariedProgram Orphan(string stack)
    {
        uint gone = NewId();
        Wait(NewId(), Section(gone, 1), stack);
        return this;
    }

    /// <summary>A thread that waits for an event, without end, under a critical section that three others want; or sleeps for a second there.</summary>
    public VariedProgram Blocked(string owner, string waiters, bool sleeps = false)
    {
        uint id = NewId();
        ulong section = Section(id, 3);
        FakeFunction[] wait = sleeps ? [Stub("NtDelayExecution"), System(_kernelBase, "SleepEx"), _library.CallWith("rest_a_second", 1000, 0)]
            : [Stub("NtWaitForSingleObject"), System(_kernelBase, "WaitForSingleObjectEx"), _library.CallWith("wait", (uint)Event, uint.MaxValue)];
        Add(id, [.. wait, .. Functions(owner)], sleeps ? 0 : Event);
        for (int i = 0; i < 3; i++)
        {
            Wait(NewId(), section, waiters);
        }

        return this;
    }

    /// <summary>A thread that raises an exception, for which the dump is written: at that very moment, or in the system's filter for unhandled ones.</summary>
    /// <param name="code">Code of the exception.</param>
    /// <param name="stack">The library's functions, innermost first.</param>
    /// <param name="parameters">Parameters of the exception.</param>
    public VariedProgram Raise(uint code, string stack, params ulong[] parameters)
    {
        uint id = NewId();
        FakeFunction[] filter = _number % 2 == 0 ? [] :
            [Stub("NtWaitForMultipleObjects"), System(_ntdll, "RtlReportException"), System(_kernelBase, "UnhandledExceptionFilter"),
                System(_ntdll, "KiUserExceptionDispatcher")];
        Add(id, [.. filter, .. Functions(stack)]);
        _exception = (id, filter.Length, code, parameters);
        return this;
    }

    /// <summary>An exception by which somebody asks for a dump, on a thread that was there before.</summary>
    public VariedProgram Ask(uint code)
    {
        _exception = (_process.Threads[^1].Id, 0, code, []);
        return this;
    }

    /// <summary>The dump.</summary>
    public byte[] ToMinidump()
    {
        FakeThread[] threads = [.. _process.Threads];
        int first = _number % threads.Length;
        _process.Threads.Clear();
        _process.Threads.AddRange(_number % 3 == 2 ? threads.Reverse() : [.. threads[first..], .. threads[..first]]);
        if (_exception is (var thread, var frame, var code, var parameters))
        {
            int index = _process.Threads.FindIndex(t => t.Id == thread);
            IReadOnlyList<FakeFunction> frames = _process.Threads[index].Frames;
            ulong stackPointer = _process.StackOf(index).StackPointer
                + (ulong)frames.Take(frame).Sum(f => (f.Prolog?.SizeAtCall ?? 0) + sizeof(ulong));
            _process.Streams.Add(FakeStreams.Exception(thread, code, frames[frame].Address, stackPointer, parameters));
        }

        return _process.ToMinidump();
    }

    private uint NewId() => (uint)(0x1200 + (_number * 0x100) + (_ids++ * sizeof(uint)));

    private ulong Section(uint owner, int waiters) => FakeProcess.Section(_library, _sections++ * SectionSize, owner, waiters);

    private void Wait(uint id, ulong section, string stack)
    {
        string[] inner = ["RtlpWaitOnAddressWithTimeout", "RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"];
        Add(id, [Stub("NtWaitForAlertByThreadId"), .. inner.Select(n => Once(_ntdll, n, exported: false)), System(_ntdll, "RtlEnterCriticalSection"),
            .. Functions(stack)], section + 8);
    }

    private void Add(uint id, FakeFunction[] frames, ulong argument = 0) => _process.Threads.Add(
        new FakeThread(id, [.. frames, System(_kernel32, "BaseThreadInitThunk"), System(_ntdll, "RtlUserThreadStart")], argument));

    private FakeFunction[] Functions(string stack) => [.. stack.Split(" < ").Select(n => Once(_library, n, exported: true))];

    private FakeFunction Stub(string name)
    {
        if (!_functions.TryGetValue(name, out FakeFunction? stub))
        {
            _functions.Add(name, stub = _ntdll.Stub(name));
        }

        return stub;
    }

    private FakeFunction System(FakeImage image, string name) => Once(image, name, exported: true);

    private FakeFunction Once(FakeImage image, string name, bool exported)
    {
        if (!_functions.TryGetValue(name, out FakeFunction? function))
        {
            _functions.Add(name, function = image.Function(name, exported));
        }

        return function;
    }
}
