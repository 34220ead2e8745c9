using System.Collections.Immutable;
using Dump.Analysis;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Outcomes about managed code, as a Linux core gives them.</summary>
internal static class ManagedScenes
{
    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Named => new Dictionary<string, Func<Scene>>
    {
        ["managed-sync-over-async"] = SyncOverAsync,
        ["managed-sync-over-async-suspected"] = SyncOverAsyncSuspected,
        ["managed-pool-starvation"] = PoolStarvationAtMaximum,
        ["managed-pool-starvation-growing"] = PoolStarvationGrowing,
        ["managed-pool-waits"] = PoolThatWaits,
        ["managed-dictionary-cycle-spins"] = DictionaryCycleThatSpins,
        ["managed-dictionary-cycle-throws"] = DictionaryCycleThatThrows,
        ["managed-dictionary-race"] = DictionaryRace,
        ["managed-monitor-of-ended-thread"] = MonitorOfEndedThread,
        ["managed-spin-locks-of-each-other"] = SpinLocksOfEachOther,
        ["managed-semaphore-under-lock"] = SemaphoreUnderLock,
        ["managed-everything-waits"] = EverythingWaits,
        ["managed-stands-still"] = StandsStill,
        ["managed-async-cycle"] = AsyncCycle,
        ["managed-semaphore-leaked"] = SemaphoreLeaked,
        ["managed-nobody-left"] = NobodyLeft,
        ["managed-semaphore-many-requests"] = SemaphoreWithManyRequests,
        ["managed-source-many-requests"] = SourceWithManyRequests,
        ["managed-source-listeners"] = SourceWithListeners,
        ["managed-pending-calls"] = PendingCalls,
        ["managed-pending-calls-in-flight"] = PendingCallsInFlight,
        ["managed-heap-left-out"] = HeapLeftOut,
        ["managed-source-lines"] = SourceLines,
    };

    private const string TaskWaitFrames =
        "libc!futex+0x16 system.private.corelib!System.Threading.Monitor.Wait+0x5e system.private.corelib!System.Threading.Tasks.Task.InternalWaitCore+0xa6";

    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x7FC3_D580_F9F0);
    private static readonly Resource s_spinLock = new(ResourceKind.SpinLock, 0x7FC3_D580_4000);
    private static readonly Resource s_monitor = new(ResourceKind.Monitor, 0x7FC3_D580_1000);

    public static Scene SyncOverAsync() => SyncOverAsync(isServed: true);

    public static Scene SyncOverAsyncSuspected() => SyncOverAsync(isServed: false);

    public static Scene PoolStarvationAtMaximum() => PoolStarvation(2);

    public static Scene PoolStarvationGrowing() => PoolStarvation(100);

    public static Scene DictionaryCycleThatSpins() => Collection("System.Collections.Generic.Dictionary<System.Int32, System.String>", loops: true, [0x500]);

    public static Scene DictionaryCycleThatThrows() => Collection("System.Collections.Generic.Dictionary<System.Int32, System.String>", loops: false, []);

    public static Scene DictionaryRace()
    {
        const string Type = "System.Collections.Generic.Dictionary<System.Int32, System.String>";
        ProcessSnapshot snapshot = Builder()
            .Thread(0x500, "", ThreadActivityKind.Running,
                "system.private.corelib!System.Collections.Generic.Dictionary<System.Int32,System.String>.TryInsert+0x1c0 shop!Shop.Prices.Add+0x38",
                name: "importer")
            .Thread(0x504, "", ThreadActivityKind.Running,
                "system.private.corelib!System.Collections.Generic.Dictionary<System.Int32,System.String>.FindValue+0x90 shop!Shop.Prices.Find+0x38").Build();
        return Judge(snapshot with
        {
            CollectionUses = [new CollectionUse(0x7FC3_D580_3000, Type, CollectionKind.Dictionary,
                [new CollectionAccess(0x500, "TryInsert", true), new CollectionAccess(0x504, "FindValue", false)])],
        });
    }

    public static Scene MonitorOfEndedThread()
    {
        ProcessSnapshot snapshot = Builder().Thread(0x500, "futex", ThreadActivityKind.Waiting,
            "libc!futex+0x16 system.private.corelib!System.Threading.Monitor.Enter+0x36 shop!Shop.Orders.Add+0x20")
            .Wait(0x500, s_monitor).Named(s_monitor, "Shop.Orders").Change(0x500, t => t with { ManagedId = 7 }).Build();
        OwnershipFact owner = new(s_monitor, 0, false, 1, Grade.Proven,
            [new Evidence(EvidenceSource.Runtime, "sync block 4: held, 1 waiting", s_monitor.Identity)]) { OwnerDescription = "managed thread 12" };
        return Judge(snapshot with { Ownerships = [owner] });
    }

    public static Scene SpinLocksOfEachOther()
    {
        const string SpinLockFrames =
            "libc!futex+0x16 system.private.corelib!System.Threading.SpinWait.SpinOnceCore+0x7f system.private.corelib!System.Threading.SpinLock.Enter+0x49 shop!Shop.Counter.Add+0x20";
        Resource other = s_spinLock with { Identity = s_spinLock.Identity + 0x40 };
        return Judge(Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Yielding, SpinLockFrames, name: "left").Wait(0x500, other).Own(s_spinLock, 0x500)
                .Named(s_spinLock, "Shop.Counter._lock")
            .Thread(0x504, "futex", ThreadActivityKind.Yielding, SpinLockFrames, name: "right").Wait(0x504, s_spinLock).Own(other, 0x504)
                .Named(other, "Shop.Counter._lock").Build());
    }

    /// <summary>A wait that has no owner, in its users' words, of a thread that holds a lock which many want.</summary>
    public static Scene SemaphoreUnderLock()
    {
        Resource semaphore = new(ResourceKind.ManagedSignal, 0x7FC3_D580_5000);
        SceneBuilder builder = Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Waiting,
                "libc!futex+0x16 system.private.corelib!System.Threading.SemaphoreSlim.Wait+0x10 shop!Shop.Orders.Add+0x20")
            .Own(s_monitor, 0x500).Wait(0x500, semaphore).Named(s_monitor, "Shop.Orders");
        for (uint id = 0x504; id < 0x518; id += 4)
        {
            builder.Thread(id, "futex", ThreadActivityKind.Waiting,
                "libc!futex+0x16 system.private.corelib!System.Threading.Monitor.Enter+0x36 shop!Shop.Orders.Add+0x20").Wait(id, s_monitor);
        }

        ProcessSnapshot snapshot = builder.Build();
        return Judge(snapshot with { ResourceDescriptions = snapshot.ResourceDescriptions.Add(semaphore,
            new ResourceDescription("SemaphoreSlim", "0 free, 1 waiting")) });
    }

    /// <summary>Methods that await each other, one through <c>Task.WhenAll</c>, a thread that blocks behind them, and requests at a semaphore.</summary>
    public static Scene AsyncCycle()
    {
        ProcessSnapshot snapshot = Builder().Thread(0x500, "futex", ThreadActivityKind.Waiting, TaskWaitFrames + " shop!Shop.Program.Main+0x20")
            .Wait(0x500, s_task).Build();
        AwaitCycle cycle = new(
            [
                new AwaitLink(0x7FC3_D580_6000, "Shop.Order.PlaceAsync", 1, Grade.Proven),
                    new AwaitLink(0x7FC3_D580_6100, "Shop.Invoice.WriteAsync", 0, Grade.Derived),
                new AwaitLink(0x7FC3_D580_6200, "Task.WhenAll", null, Grade.Proven),
            ], 3, Grade.Derived) { Count = 12, Behind = 1, Threads = [0x500] };
        return Judge(snapshot with { AsyncWaits = new AsyncWaits { Cycles = [cycle], Semaphores = [Semaphore(10_000, 10_000)] } });
    }

    /// <summary>A semaphore that nothing but its waiters has.</summary>
    public static Scene SemaphoreLeaked() => WithAsync(new AsyncWaits { Semaphores = [Semaphore(3, 3) with { Users = SemaphoreUsers.OnlyWaiters }] });

    /// <summary>A thread that blocks in an import whose channel nobody writes to any more, beside one that sleeps and works.</summary>
    public static Scene NobodyLeft() => Judge(Builder()
        .Thread(0x500, "futex", ThreadActivityKind.Waiting, TaskWaitFrames + " shop!Shop.Import.Run+0x3c", name: "importing").Wait(0x500, s_task)
        .Thread(0x504, "futex", ThreadActivityKind.Sleeping, "libc!futex+0x16 system.private.corelib!System.Threading.Thread.Sleep+0x20 shop!Shop.Sweep+0x18")
        .Build() with
    {
        AsyncWaits = new AsyncWaits
        {
            Endless =
            [
                new EndlessWait(0x500)
                {
                    Method = new AwaitingMethod("Shop.Import.ReadAsync", 1) { Source = new SourceLocation("/src/Import.cs", 16) },
                    Awaited = "ChannelReader.WaitToReadAsync",
                    AwaitedObject = 0x7FC3_D581_2000,
                },
            ],
        },
    });

    /// <summary>Requests at a semaphore that somebody may release, one of another method with a limit.</summary>
    public static Scene SemaphoreWithManyRequests() => WithAsync(new AsyncWaits
    {
        Semaphores = [Semaphore(10_000, 9_999) with { Methods = [new AwaitingMethod("Shop.Store.ReadAsync", 9_999),
            new AwaitingMethod("Shop.Store.WriteAsync", 1)], Users = SemaphoreUsers.Others }],
    });

    /// <summary>Requests that await one task which nobody completes, and nothing else that would.</summary>
    public static Scene SourceWithManyRequests() => WithAsync(new AsyncWaits { Tasks = [Source(10_000) with { EndsByItself = false }] });

    /// <summary>Listeners for what a cancellation token tells.</summary>
    public static Scene SourceWithListeners() => WithAsync(new AsyncWaits { Tasks = [Source(500) with { EndsByItself = true }] });

    /// <summary>Calls that each wait for an answer of their own which nobody will bring; some have been given up.</summary>
    public static Scene PendingCalls() => WithAsync(new AsyncWaits { Sources = [Calls(1_200) with { Open = 1_150, Abandoned = 50 }] });

    /// <summary>The same beside the reader of their connection, and a few of another method with a time limit.</summary>
    public static Scene PendingCallsInFlight() => WithAsync(new AsyncWaits
    {
        Sources =
        [
            Calls(12_000) with
            {
                Looked = 2_048, Open = 0, Leads = [new AwaitingMethod("Shop.Client.ReadAsync (a socket)", 2_048)], Further = 1,
            },
            new AwaitedSources(0x7FC3_D580_A000) { Count = 12, Methods = [new AwaitingMethod("Shop.Stock.ReserveAsync", 12)] },
        ],
    });

    private static AwaitedSources Calls(int count) =>
        new(0x7FC3_D580_9000)
        {
            Count = count, Looked = count, Methods = [new AwaitingMethod("Shop.Client.CallAsync", count)], Stopped = ["Shop.Client.CallAsync"],
        };

    private static AwaitedTask Source(int waiters) =>
        new(0x7FC3_D580_8000) { Waiters = waiters, Methods = [new AwaitingMethod("Shop.Catalog.ReadyAsync", waiters)] };

    /// <summary>A heap that is too large for a look at its async methods.</summary>
    public static Scene HeapLeftOut() => WithAsync(new AsyncWaits { HeapLeftOut = 3L << 30 });

    /// <summary>Two threads that want each other's monitors, with lines: exact, nearest, with an address by SourceLink, on paths of both systems.</summary>
    public static Scene SourceLines()
    {
        Resource other = s_monitor with { Identity = s_monitor.Identity + 0x40 };
        return Judge(Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Waiting,
                "libc!futex+0x16 system.private.corelib!System.Threading.Monitor.Enter+0x36 shop!Shop.Orders.Add+0x20 shop!Shop.Program.Main+0x40")
            .Thread(0x504, "futex", ThreadActivityKind.Waiting,
                "libc!futex+0x16 system.private.corelib!System.Threading.Monitor.Enter+0x36 shop!Shop.Stock.Move+0x60")
            .Wait(0x500, other).Own(s_monitor, 0x500).Wait(0x504, s_monitor).Own(other, 0x504)
            .Change(0x500, t => WithLines(t, null, new SourceLocation("/_/src/System/Threading/Monitor.cs", 61)
            {
                Column = 13,
                Link = "https://raw.githubusercontent.com/dotnet/runtime/0123abcd/src/System/Threading/Monitor.cs",
            }, new SourceLocation(@"C:\build\Shop\Orders.cs", 118) { Column = 9, IsApproximate = true }, new SourceLocation("/src/Shop/Program.cs", 12)))
            .Change(0x504, t => WithLines(t, null, null, new SourceLocation("Stock.cs", 77) { Link = "https://git.example/shop/raw/Stock.cs" }))
            .Build());
    }

    private static ThreadSnapshot WithLines(ThreadSnapshot thread, params SourceLocation?[] lines) =>
        thread with { Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select((f, i) => f with { Source = lines.ElementAtOrDefault(i) })] } };

    private static AwaitedSemaphore Semaphore(int waiters, int unlimited) =>
        new(0x7FC3_D580_7000) { Waiters = waiters, Unlimited = unlimited, Methods = [new AwaitingMethod("Shop.Store.ReadAsync", waiters)] };

    private static Scene WithAsync(AsyncWaits waits) => Judge(Builder()
        .Thread(0x500, "futex", ThreadActivityKind.Idle, "libc!futex+0x16 system.private.corelib!System.Threading.LowLevelLifoSemaphore.WaitForSignal+0x20")
            .Build() with { AsyncWaits = waits });

    private static Scene SyncOverAsync(bool isServed)
    {
        ProcessSnapshot snapshot = Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Waiting, TaskWaitFrames + " shop!Shop.Window.ShowOrders+0x38 shop!Shop.Loop.Run+0x80", name: "UI")
            .Wait(0x500, s_task).Build();
        ImmutableArray<AwaitStep> steps =
        [
            new AwaitStep(s_task.Identity, "Shop.Orders.LoadAsync", TaskState.Pending),
            new AwaitStep(0x7FC3_D581_0000, "System.Threading.Tasks.Task<System.String>", TaskState.Completed),
        ];
        return Judge(snapshot with { TaskWaits = [new TaskWait(0x500, steps, new SynchronizationContextFact(0x7FC3_D580_2000, "Shop.LoopContext", isServed),
            null)] });
    }

    private static Scene PoolStarvation(int maximum)
    {
        Resource other = s_task with { Identity = s_task.Identity + 0x100 };
        ProcessSnapshot snapshot = Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Waiting, TaskWaitFrames + " shop!Shop.Orders.Load.lambda+0x3c", name: ".NET TP Worker")
                .Wait(0x500, s_task)
            .Thread(0x504, "futex", ThreadActivityKind.Waiting, TaskWaitFrames + " shop!Shop.Orders.Load.lambda+0x3c", name: ".NET TP Worker")
                .Wait(0x504, other).Build();
        return Judge(snapshot with
        {
            ThreadPool = new ThreadPoolState([0x500, 0x504], maximum, 14),
            TaskWaits =
            [
                new TaskWait(0x500, [new AwaitStep(s_task.Identity, "Shop.Orders.LoadAsync", TaskState.Pending)], null, null),
                new TaskWait(0x504, [new AwaitStep(other.Identity, "Shop.Orders.LoadAsync", TaskState.Pending)], null, null),
            ],
        });
    }

    /// <summary>A pool that may grow, whose workers wait for a signal while work is queued: one look at the living process.</summary>
    public static Scene PoolThatWaits()
    {
        Resource signal = new(ResourceKind.ManagedSignal, 0x7FC3_D580_6000);
        SceneBuilder builder = Builder();
        uint[] workers = [0x500, 0x504, 0x508];
        foreach (uint worker in workers)
        {
            builder = builder.Thread(worker, "futex", ThreadActivityKind.Waiting,
                    "libc!futex+0x16 system.private.corelib!System.Threading.ManualResetEventSlim.Wait+0x21d shop!Shop.Orders.Pack+0x3c", name: ".NET TP Worker")
                .Wait(worker, signal).Change(worker, t => t with { Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] } });
        }

        ProcessSnapshot snapshot = builder.Build();
        return Judge(snapshot with { Source = snapshot.Source with { FileSize = null }, ThreadPool = new ThreadPoolState([.. workers], 100, 14) });
    }

    /// <summary>Callers of a client whose connections nobody gives back, in two looks at the living process.</summary>
    public static Scene StandsStill()
    {
        AsyncStep own = new("Shop.Prices.FetchAsync", 1) { Code = new MethodPlace(0, 0x0600_0004), Source = new SourceLocation("/src/Shop/Prices.cs", 41) };
        AsyncStep client = new("System.Net.Http.HttpClient.GetStringAsyncCore", 0) { Code = new MethodPlace(1, 0x0600_0200) };
        PendingCalls calls = new(24, [own, client, new AsyncStep("TaskCompletionSource<HttpConnection>", null)], 1, AwaitEndKind.OtherCode)
        {
            Ends = 24, Object = 0x7FC3_D581_0000,
            First = [.. Enumerable.Range(0, 24).Select(i => new PendingCall(0x7FC3_D580_0000 + ((ulong)i << 7), 0x7FC3_D581_0000 + ((ulong)i << 6)))],
        };
        ProcessSnapshot second = Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Idle, "libc!futex+0x16 system.private.corelib!System.Threading.LowLevelLifoSemaphore.WaitForSignal+0x20").Build() with
        {
            AsyncWaits = new AsyncWaits
            {
                Calls = [calls],
                Sources =
                [
                    new AwaitedSources(0x7FC3_D581_0000)
                    {
                        Count = 24, Looked = 24, Open = 0, Methods = [new AwaitingMethod("Shop.Prices.FetchAsync", 24)], Leads = [new AwaitingMethod(AwaitedSources.Token, 24)],
                    },
                ],
            },
            ManagedModules = [new ManagedModule("/srv/shop/shop.dll", 0x1000), new ManagedModule("/usr/share/dotnet/shared/System.Net.Http.dll", 0x2000)],
        };
        second = second with { Source = second.Source with { FileSize = null, Captured = new DateTime(2024, 2, 29, 20, 0, 9, DateTimeKind.Utc) } };
        ProcessSnapshot first = second with { Source = second.Source with { Captured = second.Source.Captured!.Value.AddSeconds(-5) } };
        PairResult result = PairAnalysis.Run(SnapshotPair.Create(first, second, out _)!);
        return new Scene(result.Snapshot, result.Result);
    }

    /// <summary>Two workers want a semaphore that nobody releases, and the first thread waits for one of them.</summary>
    public static Scene EverythingWaits()
    {
        Resource semaphore = new(ResourceKind.ManagedSignal, 0x7FC3_D580_2000);
        const string Frames = "libc!futex+0x16 system.private.corelib!System.Threading.SemaphoreSlim.Wait+0x13 shop!Shop.Import.Work+0x38";
        SceneBuilder builder = Builder()
            .Thread(0x500, "futex", ThreadActivityKind.Waiting,
                "libc!futex+0x16 system.private.corelib!System.Threading.Thread.Join+0x47 shop!Shop.Program.Main+0x90")
            .Thread(0x504, "futex", ThreadActivityKind.Waiting, Frames, name: "import-0")
                .Thread(0x508, "futex", ThreadActivityKind.Waiting, Frames, name: "import-1")
            .Wait(0x500, new Resource(ResourceKind.Thread, 0x504)).Wait(0x504, semaphore).Wait(0x508, semaphore)
                .Own(new Resource(ResourceKind.Thread, 0x504), 0x504);
        foreach (uint id in (uint[])[0x500, 0x504, 0x508])
        {
            builder.Change(id, t => t with { ManagedId = t.Index + 1 });
        }

        return Judge(builder.Build() with { PendingTimers = 0 });
    }

    private static Scene Collection(string type, bool loops, ImmutableArray<uint> inside)
    {
        ProcessSnapshot snapshot = Builder()
            .Thread(0x500, "", ThreadActivityKind.Running,
                "system.private.corelib!System.Collections.Generic.Dictionary<System.Int32,System.String>.FindValue+0x90 shop!Shop.Prices.Find+0x38").Build();
        CollectionFault fault = new(CollectionFaultKind.BucketCycle, "bucket 7: entries[7] -> entries[12] -> entries[7]", [7, 12, 7]);
        return Judge(snapshot with { Collections = [new CollectionFinding(0x7FC3_D580_3000, type, [fault], inside, [0x500], loops)] });
    }

    private static SceneBuilder Builder() => new()
    {
        System = new SystemDescription(ProcessorArchitecture.X64, 0, 0, 0, null, false, "Linux x64") { Family = OperatingSystemFamily.Linux },
        Loader = LoaderState.Unknown,
        Available = DataAvailability.All with { ThreadTimes = false },
    };

    private static Scene Judge(ProcessSnapshot snapshot)
    {
        ProcessSnapshot core = snapshot with { Source = snapshot.Source with { DisplayName = "shop.core", Kind = "Linux core", Captured = null }, ProcessName =
            "shop" };
        return new Scene(core, HangAnalysis.Run(core));
    }
}
