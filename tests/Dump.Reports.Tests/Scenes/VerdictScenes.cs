using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using static Dump.Reports.Tests.Scenes.SceneBuilder;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Outcomes with a verdict that no fixture has.</summary>
internal static class VerdictScenes
{
    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Named => new Dictionary<string, Func<Scene>>
    {
        ["load-ownership-likely"] = LoadOwnershipLikely,
        ["loader-lock-suspected"] = LoaderLockSuspected,
        ["mutex-cycle"] = MutexCycle,
        ["mutex-cycle-unknown-time-limit"] = MutexCycleOfUnknownTimeLimit,
        ["self-deadlock"] = SelfDeadlock,
        ["orphan-while-exiting"] = OrphanWhileExiting,
        ["orphaned-load-ownership"] = OrphanedLoadOwnership,
        ["blocked-loader"] = BlockedLoader,
        ["blocked-loader-in-the-file-system"] = BlockedLoaderInTheFileSystem,
        ["suspended-owner"] = SuspendedOwner,
        ["head-blocker-stuck"] = HeadBlockerStuck,
        ["head-blocker-slow"] = HeadBlockerSlow,
        ["spinning-owner-without-times"] = SpinningOwnerWithoutTimes,
        ["runaway-that-computes"] = RunawayThatComputes,
        ["two-verdicts"] = TwoVerdicts,
        ["crash"] = Crash,
    };

    private const string Detach = "plug!plug_release+0x1c plug+0x2210 ntdll+0x2c9f4 ntdll!LdrShutdownThread+0xa2 ntdll!RtlExitUserThread+0x40";
    private const string Load = "ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!Load+0x20";
    private const string Worker = "server!Queue::Push+0x41 server!Worker+0x1c kernel32!BaseThreadInitThunk+0x14 ntdll!RtlUserThreadStart+0x21";
    private static readonly Resource s_loaderLock = new(ResourceKind.LoaderLock, 0x7FFD_1C5A_84E8);
    private static readonly Resource s_loadOwnership = new(ResourceKind.LoadOwnership, 0);

    public static Scene LoadOwnershipLikely() => new SceneBuilder()
        .Waiting(0x1A0, Detach).Waiting(0x1B4, "ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!Load+0x20", "loader 'quoted'")
        .Change(0x1A0, t => t with { IsLoadOwner = true })
        .Own(s_loadOwnership, 0x1A0).Wait(0x1A0, Section(0x2A0_1000)).Own(Section(0x2A0_1000), 0x1B4).Wait(0x1B4, s_loadOwnership, grade: Grade.Derived)
        .Judged();

    public static Scene LoaderLockSuspected() => new SceneBuilder()
        .Waiting(0x1A0, Detach).Waiting(0x1B4, "ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!Load+0x20")
        .Own(s_loaderLock, 0x1A0).Wait(0x1A0, Section(0x2A0_1000)).Own(Section(0x2A0_1000), 0x1B4, grade: Grade.Suspected).Wait(0x1B4, s_loaderLock)
        .Judged();

    /// <summary>A write to an address that no variable has, in a thread whose handler has written the dump.</summary>
    public static Scene Crash()
    {
        const string Faulting = "server!Cart::Add+0x21 server!Checkout+0x90 server!main+0x44 kernel32!BaseThreadInitThunk+0x14";
        SceneBuilder moment = new SceneBuilder().Thread(0x1A0, "", ThreadActivityKind.Running, Faulting);
        ProcessSnapshot snapshot = new SceneBuilder()
            .Waiting(0x1A0, "kernelbase!UnhandledExceptionFilter+0x1e0 ntdll!RtlUserThreadStart+0xa2").Waiting(0x1B4, Worker).Build();
        snapshot = snapshot with
        {
            Exception = new RecordedException(0x1A0)
            {
                Code = 0xC0000005,
                Address = 0x7FF6_1000_1021,
                Access = MemoryAccess.Write,
                AccessedAddress = 0x18,
                Thrown = [new ThrownException("Cart::Full", null)],
                Stack = moment.Build().Threads[0].Stack,
            },
        };
        return new Scene(snapshot, HangAnalysis.Run(snapshot));
    }

    /// <summary>Two mutexes with names, one wait of unknown time limit in the second pair.</summary>
    public static Scene MutexCycle() => Mutexes(WaitTimeout.Infinite);

    public static Scene MutexCycleOfUnknownTimeLimit() => Mutexes(WaitTimeout.Unknown);

    /// <summary>A thread that waits for its own end.</summary>
    public static Scene SelfDeadlock()
    {
        Resource end = new(ResourceKind.Thread, 0x300);
        return new SceneBuilder().WaitingForHandle(0x300, "server!Shutdown+0x41 server!Worker+0x1c kernel32!BaseThreadInitThunk+0x14").Own(end, 0x300)
            .Wait(0x300, end).Judged();
    }

    public static Scene OrphanWhileExiting() => new SceneBuilder { Loader = new(0x7FFD_1C5A_84E8, false, true, 0x300, true) }
        .Waiting(0x300, "server!Heap::Free+0x30 ntdll!LdrShutdownProcess+0x120 ntdll!RtlExitUserProcess+0xa5")
        .Wait(0x300, Section(0x2A0_1000)).Own(Section(0x2A0_1000), 0x2F0, alive: false)
        .Judged();

    public static Scene OrphanedLoadOwnership() => new SceneBuilder()
        .WaitingForHandle(0x300, "ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!Load+0x20").Wait(0x300, s_loadOwnership, grade: Grade.Derived)
        .WaitingForHandle(0x304, "ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!Load+0x20").Wait(0x304, s_loadOwnership, grade: Grade.Derived)
        .Judged();

    /// <summary>DllMain waits for an event that its new thread is to set, which cannot start before DllMain returns.</summary>
    public static Scene BlockedLoader() => new SceneBuilder()
        .WaitingForHandle(0x300, $"plug!start_worker+0x41 plug!DllMain+0x1c ntdll+0x2c9f4 {Load}").Change(0x300, t => t with { IsLoadOwner = true })
        .Own(s_loadOwnership, 0x300).Wait(0x300, new Resource(ResourceKind.Event, 0x44))
        .Thread(0x304, "NtWaitForSingleObject", ThreadActivityKind.Waiting, "ntdll!NtWaitForSingleObject+0x14 ntdll+0x2dc40 ntdll!LdrInitializeThunk+0xe")
        .Wait(0x304, s_loadOwnership, grade: Grade.Derived)
        .Judged();

    public static Scene BlockedLoaderInTheFileSystem() => new SceneBuilder()
        .Thread(0x300, "NtCreateSection", ThreadActivityKind.SystemCall, $"ntdll!NtCreateSection+0x14 ntdll+0x2dc40 {Load}")
        .Change(0x300, t => t with { IsLoadOwner = true }).Own(s_loadOwnership, 0x300)
        .WaitingForHandle(0x304, "ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!Load+0x20").Wait(0x304, s_loadOwnership, grade: Grade.Derived)
        .Judged();

    public static Scene SuspendedOwner() => new SceneBuilder()
        .Waiting(0x300, Worker).Wait(0x300, Section(0x2A0_1000)).Change(0x300, t => t with { SuspendedAbove = 0 })
        .Thread(0x304, "", ThreadActivityKind.Running, "server!Queue::Grow+0x90 server!Worker+0x1c kernel32!BaseThreadInitThunk+0x14")
        .Own(Section(0x2A0_1000), 0x304).Change(0x304, t => t with { SuspendedAbove = 1 })
        .Waiting(0x308, Worker).Wait(0x308, Section(0x2A0_1000)).Change(0x308, t => t with { SuspendedAbove = 0 })
        .Judged();

    public static Scene HeadBlockerStuck() => HeadBlocker(3, b => b
        .WaitingForHandle(0x400, "server!Backup+0x88", "backup").Wait(0x400, new Resource(ResourceKind.Event, 0x44))
            .Named(new Resource(ResourceKind.Event, 0x44), @"Global\done"));

    public static Scene HeadBlockerSlow() => HeadBlocker(11, b => b
        .Thread(0x400, "NtReadFile", ThreadActivityKind.SystemCall, "ntdll!NtReadFile+0x14 kernelbase!ReadFile+0x75 server!Backup+0x88"));

    public static Scene SpinningOwnerWithoutTimes() => new SceneBuilder { Available = DataAvailability.All with { ThreadTimes = false } }
        .Thread(0x500, "NtYieldExecution", ThreadActivityKind.Yielding, "ntdll!NtYieldExecution+0x14 kernelbase!SwitchToThread+0x1d server!Poll+0x33",
            name: "poller")
        .Waiting(0x504, Worker)
        .Change(0x500, t => t with { Times = null }).Change(0x504, t => t with { Times = null })
        .Own(Section(0x2A0_1000), 0x500).Wait(0x504, Section(0x2A0_1000))
        .Judged();

    public static Scene RunawayThatComputes() => new SceneBuilder()
        .Thread(0x600, "", ThreadActivityKind.Running, "server!Matrix::Multiply+0x1f0 server!Worker+0x1c kernel32!BaseThreadInitThunk+0x14", Busy)
        .Judged();

    /// <summary>One of the threads has been suspended as well.</summary>
    public static Scene TwoVerdicts() => new SceneBuilder()
        .Waiting(0x700, Worker).Waiting(0x704, Worker)
        .Wait(0x700, Section(0x7FF6_0000_A000)).Own(Section(0x7FF6_0000_A000), 0x704).Wait(0x704, Section(0x7FF6_0000_B000))
            .Own(Section(0x7FF6_0000_B000), 0x700)
        .Waiting(0x708, Worker).Wait(0x708, Section(0x7FF6_0000_C000)).Own(Section(0x7FF6_0000_C000), 0x6F0, alive: false)
        .Change(0x708, t => t with { SuspendedAbove = 1 })
        .Judged();

    private static Scene Mutexes(WaitTimeout timeout)
    {
        Resource first = new(ResourceKind.Mutex, 0x38);
        Resource second = new(ResourceKind.Mutex, 0x3C);
        return new SceneBuilder()
            .WaitingForHandle(0x200, "server!Transfer+0x52").WaitingForHandle(0x204, "server!Audit+0x31", "audit").WaitingForHandle(0x208, "server!Report+0x90")
            .Named(first, @"Local\accounts").Named(second, @"Local\journal")
            .Own(first, 0x200).Own(second, 0x204).Wait(0x200, second).Wait(0x204, first, timeout).Wait(0x208, first)
            .Judged();
    }

    private static Scene HeadBlocker(int waiters, Func<SceneBuilder, SceneBuilder> owner)
    {
        SceneBuilder scene = owner(new SceneBuilder()).Own(Section(0x2A0_1000), 0x400);
        for (uint i = 0; i < waiters; i++)
        {
            scene.Waiting(0x410 + (i * 4), Worker).Wait(0x410 + (i * 4), Section(0x2A0_1000));
        }

        return scene.Judged();
    }
}
