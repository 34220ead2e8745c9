namespace Dump.Testing.Synthetic;

/// <summary>
/// A library of Microsoft's C runtime that is being loaded, made by hand: its initialiser, on <see cref="Loading"/>, waits under the library's startup lock for
/// a critical section that
/// <see cref="Spinning"/> holds, which spins for that lock.
/// </summary>
public sealed class StartupLockScene
{
    /// <summary>The thread whose initialiser waits.</summary>
    public const uint Loading = 0x20;

    /// <summary>The thread that spins.</summary>
    public const uint Spinning = 0x24;

    private const int WordOffset = 0x100;
    private const int SectionOffset = 0x140;
    private const int WaitedWord = 8;
    private const ulong FirstTeb = 0x7F000000;
    private const ulong TebDistance = 0x2000;
    private readonly FakeImage _app = new(@"C:\app\app.exe", 0x140000000);
    private readonly FakeImage _kernel32 = new(@"C:\Windows\System32\KERNEL32.DLL", 0x7FF920000000);
    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);

    /// <summary>What the lock holds; null for the base of the loading thread's stack.</summary>
    public ulong? Value { get; init; }

    /// <summary>Whether the PDB has the lock's address.</summary>
    public bool HasWordSymbol { get; init; } = true;

    /// <summary>Whether the loading thread has the library's code on its stack.</summary>
    public bool IsInitialising { get; init; } = true;

    /// <summary>The functions of ntdll through which the loading thread came into the library, outermost last; none when the program called it.</summary>
    public IReadOnlyList<string> Loader { get; init; } = ["LdrpCallInitRoutine", "LdrLoadDll"];

    /// <summary>The function of the library, named by its symbols where it is not null, outward of the initialiser.</summary>
    public string? Entry { get; init; }

    /// <summary>Whether the dump has the thread block of the loading thread, and of the spinning one.</summary>
    public (bool Loading, bool Spinning) HasBlocks { get; init; } = (true, true);

    /// <summary>How many threads spin.</summary>
    public int Spinners { get; init; } = 1;

    /// <summary>Whether the loading thread waits for the spinning one's critical section; else it sleeps.</summary>
    public bool IsEntering { get; init; } = true;

    /// <summary>The function in which a thread spins for the lock.</summary>
    public string Function { get; init; } = "__scrt_acquire_startup_lock";

    /// <summary>
    /// Whether the spinning thread spins in another library of the same file name and PDB, whose lock holds this scene's value while the first one's holds
    /// nothing.
    /// </summary>
    public bool SpinsInTwin { get; init; }

    /// <summary>Processor time of the spinning thread in seconds.</summary>
    public double ProcessorSeconds { get; init; }

    /// <summary>The library's PDB.</summary>
    public FakePdb Pdb { get; } = new FakePdb().Section(0x1000, 0x2000, FakePdb.Code).Section(0x3000, 0x1000, 0x4000_0040)
        .Section(0x4000, 0x2000, 0x4000_0040).Section(0x6000, 0x1000, FakePdb.Data);

    /// <summary>The base of the stack of a thread: 0 for the loading one, 1 for the spinning one.</summary>
    public static ulong StackBase(int thread) => 0x10008000 + ((ulong)thread * 0x10000);

    /// <summary>Address of the lock in the library, or in its twin.</summary>
    public static ulong Word(bool ofTwin) => (ofTwin ? 0x190000000UL : 0x180000000) + 0x6000 + WordOffset;

    /// <summary>The process.</summary>
    public FakeProcess Build()
    {
        FakeImage plug = Library(@"C:\app\plug.dll", 0x180000000);
        FakeImage twin = Library(@"C:\app\more\plug.dll", 0x190000000);
        FakeFunction[] initialise = [plug.Function("initialise", exported: false), .. Entry is null ? [] : new[] { plug.Function(Entry, exported: false) }];
        FakeFunction spin = plug.SpinLoop(Function, WordOffset);
        twin.Function("initialise", exported: false);
        FakeFunction twinSpin = twin.SpinLoop(Function, WordOffset);
        Pdb.Public(Function, 1, (uint)spin.Rva - 0x1000);
        if (Entry is not null)
        {
            Pdb.Public(Entry, 1, (uint)initialise[^1].Rva - 0x1000);
        }

        if (HasWordSymbol)
        {
            Pdb.Public("__scrt_native_startup_lock", 4, WordOffset, flags: 0);
        }

        BitConverter.GetBytes(Value ?? StackBase(0)).CopyTo((SpinsInTwin ? twin : plug).DataBytes, WordOffset);
        FakeFunction work = _app.Function("work", exported: false);
        FakeFunction[] outermost = [_kernel32.Function("BaseThreadInitThunk"), _ntdll.Function("RtlUserThreadStart")];
        FakeFunction[] enter = !IsEntering ? [_ntdll.Stub("NtDelayExecution")] :
        [
            _ntdll.Stub("NtWaitForAlertByThreadId"),
            .. ((string[])["RtlpWaitOnAddress", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended"])
                .Select(n => _ntdll.Function(n, exported: false)),
            _ntdll.Function("RtlEnterCriticalSection"),
        ];
        FakeFunction[] load = [.. Loader.Select(n => _ntdll.Function(n, exported: !n.StartsWith("Ldrp", StringComparison.Ordinal)))];
        ulong section = FakeProcess.Section(_app, SectionOffset, Spinning, 1);
        FakeProcess process = new()
        {
            Images = { _app, plug, twin, _kernel32, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x200, Loading, 0),
            Handles = [],
            TebAddresses = [HasBlocks.Loading ? FirstTeb : 0, HasBlocks.Spinning ? FirstTeb + TebDistance : 0, .. Enumerable.Range(2, Spinners - 1)
                .Select(i => FirstTeb + ((ulong)i * TebDistance))],
            Threads =
            {
                new FakeThread(Loading, [.. enter, .. IsInitialising ? [.. initialise, .. load] : Array.Empty<FakeFunction>(), work, .. outermost], section
                    + WaitedWord),
                new FakeThread(Spinning, [SpinsInTwin ? twinSpin : spin, work, .. outermost], ProcessorSeconds: ProcessorSeconds),
            },
        };
        process.Threads.AddRange(Enumerable.Range(1, Spinners - 1).Select(i => new FakeThread(Spinning + (4 * (uint)i), [spin, work, .. outermost])));
        return process;
    }

    private FakeImage Library(string path, ulong address) => new(path, address) { Pdb = ("plug.pdb", Pdb.Guid, Pdb.Age) };
}
