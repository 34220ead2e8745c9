namespace Dump.Testing.Synthetic;

/// <summary>
/// The hang of the MKL library on Windows 10, made by hand from published stacks: thread A exits, is load owner, holds the loader lock and spins in a TLS
/// callback of the library for a lock that thread B holds, which waits in LoadLibrary to become load owner.
/// </summary>
public sealed class LoadOwnershipScene
{
    /// <summary>The thread that spins.</summary>
    public const uint A = 0x1A0;

    /// <summary>The thread that loads.</summary>
    public const uint B = 0x1B4;

    private const uint FirstVictim = 0x1000;
    private const ulong LoadCompleteEvent = 0x44;
    private const int LoadCompleteOffset = 0x300;
    private const int LockWordOffset = 0x100;

    /// <summary>Content of the library's lock word.</summary>
    public uint LockWord { get; init; } = 1;

    /// <summary>Threads whose TEB says that they are load owner.</summary>
    public IReadOnlyList<uint> LoadOwners { get; init; } = [A];

    /// <summary>Whether TEBs are in the dump.</summary>
    public bool HasTebMemory { get; init; } = true;

    /// <summary>Whether thread times are.</summary>
    public bool HasThreadTimes { get; init; } = true;

    /// <summary>Whether memory is listed with a 32-bit position for each range.</summary>
    public bool HasShortMemoryList { get; init; }

    /// <summary>Whether handles are.</summary>
    public bool HasHandles { get; init; } = true;

    /// <summary>Whether the event that B waits for is a manual-reset event, which the loader's is not.</summary>
    public bool EventIsManualReset { get; init; }

    /// <summary>Whether a third thread is blocked with frames of the library too.</summary>
    public bool HasSecondCandidate { get; init; }

    /// <summary>How many more threads want to load a library from the program's own code, and so queue behind the deadlock.</summary>
    public int Victims { get; init; }

    /// <summary>How often the victims' function has called itself, at most 64: one frame each.</summary>
    public int VictimDepth { get; init; }

    /// <summary>Owner of the loader lock.</summary>
    public uint LoaderLockOwner { get; init; } = A;

    /// <summary>ntdll's PDB as Microsoft publishes it: public symbols only, more than are exported.</summary>
    public FakePdb NtdllPdb { get; } = new FakePdb().Section(0x1000, 0x2000, FakePdb.Code).Section(0x3000, 0x1000, 0x4000_0040)
        .Section(0x4000, 0x2000, 0x4000_0040).Section(0x6000, 0x1000, FakePdb.Data).Public("LdrpLoadCompleteEvent", 4, LoadCompleteOffset, flags: 0);

    /// <summary>Modules in whose code B, and the third thread when there is one, load a library.</summary>
    public (string Second, string Third) Loading { get; init; } = ("mkl_core.2.dll", "mkl_core.2.dll");

    /// <summary>Whether the spinning library has its callback in its TLS directory.</summary>
    public bool HasTlsDirectory { get; init; }

    /// <summary>The process.</summary>
    public FakeProcess Build()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage mkl = new(@"C:\app\mkl_core.2.dll", 0x180000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage kernel32 = new(@"C:\Windows\System32\KERNEL32.DLL", 0x7FF920000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000) { Pdb = ("ntdll.pdb", NtdllPdb.Guid, NtdllPdb.Age) };
        BitConverter.GetBytes(LoadCompleteEvent).CopyTo(ntdll.DataBytes, LoadCompleteOffset);
        BitConverter.GetBytes(LockWord).CopyTo(mkl.DataBytes, LockWordOffset);
        FakeFunction work = app.Function("work", exported: false);
        FakeProcess process = new() { Images = { app, mkl, kernelBase, kernel32, ntdll }, HasShortMemoryList = HasShortMemoryList };
        FakeFunction[] allocate = [Allocate(process, mkl, Loading.Second), Allocate(process, mkl, Loading.Third)];
        FakeFunction spin = mkl.SpinLoop("mkl_lock", LockWordOffset);
        FakeFunction callback = mkl.Function("mkl_tls_callback", exported: false);
        mkl.TlsCallback = HasTlsDirectory ? callback : null;
        FakeFunction switchToThread = kernelBase.Function("SwitchToThread");
        FakeFunction loadLibrary = kernelBase.Function("LoadLibraryExW");
        FakeFunction baseThread = kernel32.Function("BaseThreadInitThunk");
        FakeFunction yield = ntdll.Stub("NtYieldExecution");
        FakeFunction wait = ntdll.Stub("NtWaitForSingleObject");
        FakeFunction drain = ntdll.Function("LdrpDrainWorkQueue", exported: false);
        FakeFunction loadInternal = ntdll.Function("LdrpLoadDllInternal", exported: false);
        FakeFunction load = ntdll.Function("LdrLoadDll");
        FakeFunction callInit = ntdll.Function("LdrpCallInitRoutine", exported: false);
        FakeFunction shutdownThread = ntdll.Function("LdrShutdownThread");
        FakeFunction exitThread = ntdll.Function("RtlExitUserThread");
        FakeFunction start = ntdll.Function("RtlUserThreadStart");
        foreach (FakeFunction function in (FakeFunction[])[yield, wait, drain, loadInternal, load, callInit, shutdownThread, exitThread, start])
        {
            NtdllPdb.Public(function.Name, 1, (uint)function.Rva - 0x1000);
        }

        FakeFunction[] Load(FakeFunction from) => [wait, drain, loadInternal, load, loadLibrary, from, work, baseThread, start];
        process.LoaderLock = FakeProcess.Section(ntdll, 0x200, LoaderLockOwner, 0);
        process.HasTebMemory = HasTebMemory;
        process.HasThreadTimes = HasThreadTimes;
        process.Handles = HasHandles ? [FakeHandle.Event(LoadCompleteEvent, EventIsManualReset, signaled: false)] : null;
        process.Threads.Add(new FakeThread(A, [yield, switchToThread, spin, callback, callInit, shutdownThread, exitThread, baseThread, start], 0,
            LoadOwners.Contains(A), 90));
        process.Threads.Add(new FakeThread(B, Load(allocate[0]), LoadCompleteEvent, LoadOwners.Contains(B)));
        if (HasSecondCandidate)
        {
            process.Threads.Add(new FakeThread(0x1C8, Load(allocate[1]), LoadCompleteEvent, LoadOwners.Contains(0x1C8u)));
        }

        FakeFunction[] queueing = [wait, drain, loadInternal, load, loadLibrary, .. Enumerable.Repeat(work, 1 + VictimDepth), baseThread, start];
        for (int i = 0; i < Victims; i++)
        {
            process.Threads.Add(new FakeThread(FirstVictim + 4 * (uint)i, queueing, LoadCompleteEvent));
        }

        return process;
    }

    /// <summary>A function of a module, which is added when the process has not loaded it yet.</summary>
    private static FakeFunction Allocate(FakeProcess process, FakeImage mkl, string module)
    {
        if (mkl.Path.EndsWith(module, StringComparison.Ordinal))
        {
            return mkl.Function("mkl_malloc", exported: false);
        }

        FakeImage image = new($@"C:\app\{module}", 0x190000000 + (ulong)process.Images.Count * 0x10000000);
        process.Images.Add(image);
        return image.Function("allocate", exported: false);
    }
}
