using System.Collections.Immutable;
using Dump.Clr;
using Dump.Clr.Frames;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Fuzz.Inputs;

/// <summary>Halves of one process by hand: thread 8 waits in managed code, thread 12 owns.</summary>
internal static class ManagedHalves
{
    public const uint Waiter = 8;
    public const uint Owner = 12;

    public static readonly ImmutableArray<Evidence> Evidence = [new Evidence(EvidenceSource.Memory, "by hand", 0x10, 3)];

    public static Resource Monitor { get; } = new(ResourceKind.Monitor, 0x4000);

    public static ProcessSnapshot Native(params WaitFact[] waits) => new()
    {
        Source = new SourceDescription("test", "by hand", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 19045, 4, false, "Windows 10.0.19045 x64"),
        Modules = [new ModuleSnapshot("coreclr.dll", @"C:\dotnet\coreclr.dll", 0x10000, 0x1000, 1, "10.0.1226.42308", false)],
        Threads = [Thread(Waiter, Frame(0x10, "coreclr.dll")), Thread(Owner, Frame(0x10, "app.dll"))],
        Waits = [.. waits],
        Available = DataAvailability.All,
    };

    public static ThreadSnapshot Thread(uint id, params StackFrame[] frames) => new()
    {
        Id = id,
        Index = (int)id,
        Activity = new ThreadActivity(ThreadActivityKind.Waiting, "NtWaitForMultipleObjects", Evidence),
        Stack = new ThreadStack([.. frames], StackEnd.Complete),
    };

    public static StackFrame Frame(ulong stackPointer, string? module, FrameTrust trust = FrameTrust.UnwindInfo, string? function = null) =>
        new(0x1_0000 + stackPointer, stackPointer, module, 1, function, function is null ? null : 2, trust, SymbolSource.None);

    public static WaitFact Wait(Resource resource, uint thread = Waiter) => new(thread, resource, WaitTimeout.Infinite, Grade.Derived, Evidence);

    public static ManagedHalf Managed() => new()
    {
        Threads = [new ManagedThreadHalf(Waiter, 3, "waiter", new ThreadActivity(ThreadActivityKind.Waiting, null, Evidence),
            [Frame(0x40, "app.dll", function: "App.Work")], false)],
        Modules = ["app.dll"],
        Waits = [Wait(Monitor)],
        Ownerships = [new OwnershipFact(Monitor, Owner, true, 1, Grade.Proven, Evidence)],
        TaskWaits = [new TaskWait(Waiter, [new AwaitStep(0x50, "App.LoadAsync", TaskState.Pending)], new SynchronizationContextFact(0x60, "App.Context", true),
            0x60)],
        Collections = [new CollectionFinding(0x70, "Dictionary", [new CollectionFault(CollectionFaultKind.BucketCycle, "bucket 3", [1, 2, 1])], [Waiter],
            [Waiter], true)],
        CollectionUses = [],
        CollectionScan = null,
        ThreadPool = new ThreadPoolState([Waiter], 4, null),
        Names = [new ResourceName(Monitor, "App.Account")],
        Descriptions = [new DescribedResource(Monitor, new ResourceDescription("Account", "held"))],
        UnidentifiedWaiters = [],
        SignalHandlers = 0,
        PendingTimers = 0,
        AsyncWaits = new AsyncWaits
        {
            Cycles = [new AwaitCycle([new AwaitLink(0x50, "App.LoadAsync", 0, Grade.Proven)], 1, Grade.Proven) { Threads = [Waiter] }],
            Semaphores = [new AwaitedSemaphore(0x60) { Waiters = 3, Methods = [new AwaitingMethod("App.LoadAsync", 3)], Users = SemaphoreUsers.Others }],
            Sources =
            [
                new AwaitedSources(0x90)
                {
                    Count = 120, Open = 110, Methods = [new AwaitingMethod("App.CallAsync", 120)], Leads = [new AwaitingMethod("a timer", 10)],
                    Threads = [Waiter],
                },
            ],
            Hosts = [new HostTransition(0xA0, true) { Method = new AwaitingMethod("App.StartAsync", 1), End = "a socket" }],
            Tasks = [new AwaitedTask(0x80) { Waiters = 120, Methods = [new AwaitingMethod("App.LoadAsync", 120)], EndsByItself = false }],
        },
        Missing = [MissingData.Of(MissingKind.ManagedThreads, 2, advice: "an advice")],
    };
}
