using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using static Dump.Reports.Tests.Scenes.SceneBuilder;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Waits in every shape that the tree of waits can have.</summary>
internal static class ChainScenes
{
    private const string Worker = "server!Worker+0x1c kernel32!BaseThreadInitThunk+0x14";
    private static readonly Resource s_event = new(ResourceKind.Event, 0x44);

    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<ProcessSnapshot>> Named { get; } = new Dictionary<string, Func<ProcessSnapshot>>
    {
        ["cycle-with-victims"] = CycleWithVictims,
        ["diamond"] = Diamond,
        ["forty-waiters"] = () => FortyWaiters(places: 1),
        ["forty-waiters-everywhere"] = () => FortyWaiters(places: 40),
        ["chain-of-five"] = ChainOfFive,
        ["orphan"] = Orphan,
        ["self-wait"] = SelfWait,
        ["no-owner"] = NoOwner,
        ["two-cycles"] = TwoCycles,
        ["cycles-that-share-a-thread"] = CyclesThatShareAThread,
        ["nothing"] = () => new SceneBuilder().Thread(0x100, "", ThreadActivityKind.Running, "server!Compute+0x10 server!main+0x44").Build(),
    };

    /// <summary>Two threads in a cycle; a queue behind the first, one thread behind the second, and one behind that.</summary>
    public static ProcessSnapshot CycleWithVictims() => new SceneBuilder()
        .Waiting(0x100, "server!Orders::Reload+0x2a server!main+0x44").Waiting(0x104, $"server!Prices::Reload+0x31 {Worker}", "prices")
        .Own(Section(0xA0_1000), 0x100).Own(Section(0xA0_2000), 0x104).Wait(0x100, Section(0xA0_2000)).Wait(0x104, Section(0xA0_1000))
        .Waiting(0x108, $"server!Orders::Add+0x12 {Worker}").Waiting(0x10C, $"server!Orders::Add+0x12 {Worker}")
        .Waiting(0x110, $"server!Orders::List+0x9 {Worker}")
        .Wait(0x108, Section(0xA0_1000)).Wait(0x10C, Section(0xA0_1000)).Wait(0x110, Section(0xA0_1000))
        .Waiting(0x114, $"server!Prices::Get+0x7 {Worker}").Wait(0x114, Section(0xA0_2000)).Own(Section(0xA0_3000), 0x114)
        .Waiting(0x118, $"server!Report::Write+0x55 {Worker}").Wait(0x118, Section(0xA0_3000))
        .Build();

    /// <summary>A thread waits for two mutexes at once, whose owners wait for the same lock.</summary>
    public static ProcessSnapshot Diamond()
    {
        Resource left = new(ResourceKind.Mutex, 0x50), right = new(ResourceKind.Mutex, 0x54);
        return new SceneBuilder()
            .Thread(0x100, "NtDelayExecution", ThreadActivityKind.Waiting, $"ntdll!NtDelayExecution+0x14 server!Backup::Run+0x8f {Worker}")
            .Wait(0x100, new Resource(ResourceKind.Time, 0)).Own(Section(0xA0_1000), 0x100)
            .Waiting(0x104, $"server!Left+0x20 {Worker}").Waiting(0x108, $"server!Right+0x20 {Worker}").Own(left, 0x104).Own(right, 0x108)
            .Wait(0x104, Section(0xA0_1000)).Wait(0x108, Section(0xA0_1000))
            .WaitingForHandle(0x10C, $"server!Both+0x20 {Worker}").Wait(0x10C, left).Wait(0x10C, right).Own(Section(0xA0_2000), 0x10C)
            .Waiting(0x110, $"server!Last+0x20 {Worker}").Wait(0x110, Section(0xA0_2000))
            .Build();
    }

    /// <summary>One owner that computes and forty threads that wait for its lock.</summary>
    /// <param name="places">In how many functions.</param>
    public static ProcessSnapshot FortyWaiters(int places)
    {
        SceneBuilder scene = new SceneBuilder()
            .Thread(0x100, "", ThreadActivityKind.Running, $"server!Index::Build+0x1c4 {Worker}", Busy).Own(Section(0xA0_1000), 0x100);
        for (uint i = 0; i < 40; i++)
        {
            string handler = $"server!Request{(places == 1 ? "" : $"{i % places}")}::Handle+0x77";
            scene.Waiting(0x200 + (4 * i), $"{handler} {Worker}").Wait(0x200 + (4 * i), Section(0xA0_1000));
        }

        return scene.Build();
    }

    /// <summary>A chain of five threads with queues behind the second and the fourth, one of them in two functions, and a guessed owner.</summary>
    public static ProcessSnapshot ChainOfFive()
    {
        Resource slim = new(ResourceKind.SlimReaderWriterLock, 0xA0_4000);
        SceneBuilder scene = new SceneBuilder()
            .WaitingForHandle(0x100, $"server!Journal::Flush+0x60 {Worker}").Wait(0x100, s_event, WaitTimeout.Unknown, Grade.Derived)
            .Waiting(0x104, $"server!Store::Commit+0x3d {Worker}").Waiting(0x108, $"server!Cache::Evict+0x18 {Worker}")
            .Waiting(0x10C, $"server!Session::Close+0x44 {Worker}").Waiting(0x110, $"server!Listener::Stop+0x2e {Worker}")
            .Own(Section(0xA0_1000), 0x100).Own(Section(0xA0_2000), 0x104).Own(Section(0xA0_3000), 0x108).Own(slim, 0x10C, grade: Grade.Derived)
            .Wait(0x104, Section(0xA0_1000)).Wait(0x108, Section(0xA0_2000)).Wait(0x10C, Section(0xA0_3000)).Wait(0x110, slim);
        foreach ((uint id, string place, Resource resource) in ((uint, string, Resource)[])
            [(0x120, "Store::Read", Section(0xA0_2000)), (0x124, "Store::Read", Section(0xA0_2000)), (0x128, "Store::Write", Section(0xA0_2000)),
            (0x12C, "Session::Open", slim), (0x130, "Session::Open", slim), (0x134, "Session::Open", slim)])
        {
            scene.Waiting(id, $"server!{place}+0x30 {Worker}").Wait(id, resource);
        }

        return scene.Build();
    }

    /// <summary>Two threads wait for a lock whose owner has ended.</summary>
    public static ProcessSnapshot Orphan() => new SceneBuilder()
        .Own(Section(0xA0_1000), 0x1F0, alive: false)
        .Waiting(0x100, $"server!Orders::Add+0x12 {Worker}").Waiting(0x104, $"server!Orders::Add+0x12 {Worker}")
        .Wait(0x100, Section(0xA0_1000)).Wait(0x104, Section(0xA0_1000))
        .Build();

    /// <summary>A thread waits for a lock that is not recursive and that it holds itself, another waits behind it.</summary>
    public static ProcessSnapshot SelfWait()
    {
        Resource slim = new(ResourceKind.SlimReaderWriterLock, 0xA0_4000);
        return new SceneBuilder().Waiting(0x100, $"server!Settings::Save+0x12 server!Settings::Load+0x80 {Worker}")
            .Own(slim, 0x100, grade: Grade.Derived).Wait(0x100, slim)
            .Waiting(0x104, $"server!Settings::Get+0x9 {Worker}").Wait(0x104, slim).Build();
    }

    /// <summary>Waits that lead to nobody: alike, of other places, with a time limit; and an owner that is only guessed.</summary>
    public static ProcessSnapshot NoOwner() => new SceneBuilder()
        .WaitingForHandle(0x100, $"server!Queue::Take+0x10 {Worker}").WaitingForHandle(0x104, $"server!Queue::Take+0x10 {Worker}")
        .WaitingForHandle(0x108, $"server!Timer::Run+0x10 {Worker}").Wait(0x100, s_event).Wait(0x104, s_event).Wait(0x108, s_event, WaitTimeout.Finite)
        .Thread(0x10C, "NtWaitForSingleObject", ThreadActivityKind.Waiting, "ntdll!NtWaitForSingleObject+0x14 ntdll!TppWorkerThread+0x20").Wait(0x10C, s_event)
        .Waiting(0x110, $"server!Cache::Get+0x10 {Worker}").Wait(0x110, new Resource(ResourceKind.SlimReaderWriterLock, 0xA0_4000))
        .Build();

    /// <summary>Two pairs of threads that wait for each other; one wait of the second may end by itself.</summary>
    public static ProcessSnapshot TwoCycles() => new SceneBuilder()
        .Waiting(0x100, $"server!A+0x10 {Worker}").Waiting(0x104, $"server!B+0x10 {Worker}")
        .Waiting(0x108, $"server!C+0x10 {Worker}").Waiting(0x10C, $"server!D+0x10 {Worker}")
        .Own(Section(0xA0_1000), 0x100).Own(Section(0xA0_2000), 0x104).Wait(0x100, Section(0xA0_2000)).Wait(0x104, Section(0xA0_1000), WaitTimeout.Finite)
        .Own(Section(0xA0_3000), 0x108).Own(Section(0xA0_4000), 0x10C).Wait(0x108, Section(0xA0_4000)).Wait(0x10C, Section(0xA0_3000))
        .Build();

    /// <summary>A thread that waits for two mutexes, each held by a thread that waits for it.</summary>
    public static ProcessSnapshot CyclesThatShareAThread()
    {
        Resource left = new(ResourceKind.Mutex, 0x50), right = new(ResourceKind.Mutex, 0x54);
        return new SceneBuilder()
            .WaitingForHandle(0x100, $"server!Both+0x20 {Worker}").Wait(0x100, left).Wait(0x100, right).Own(Section(0xA0_1000), 0x100)
            .Waiting(0x104, $"server!Left+0x20 {Worker}").Waiting(0x108, $"server!Right+0x20 {Worker}").Own(left, 0x104).Own(right, 0x108)
            .Wait(0x104, Section(0xA0_1000)).Wait(0x108, Section(0xA0_1000))
            .Build();
    }
}
