using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Two dumps of one process, ten seconds apart.</summary>
internal static class PairScenes
{
    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Named => new Dictionary<string, Func<Scene>>
    {
        ["pair-deadlock-stands-still"] = DeadlockStandsStill,
        ["pair-deadlock-that-moved"] = DeadlockThatMoved,
        ["pair-lock-released"] = LockReleased,
        ["pair-spinning-owner"] = SpinningOwner,
        ["pair-runaway"] = Runaway,
        ["pair-owner-stands-still"] = OwnerStandsStill,
        ["pair-owner-moved-on"] = OwnerMovedOn,
        ["series-owner-stands-still"] = SeriesStandsStill,
    };

    private static readonly Resource s_orders = SceneBuilder.Section(0x2A1_0000_1000), s_stock = SceneBuilder.Section(0x2A1_0000_2000);

    public static Scene DeadlockStandsStill() => Judge(Cycle(0), Cycle(0));

    public static Scene DeadlockThatMoved() => Judge(Cycle(0), Cycle(3.2));

    public static Scene LockReleased() => Judge(Cycle(0), Threads(0.1));

    public static Scene SpinningOwner() => Judge(Spinning(100), Spinning(109.7));

    public static Scene Runaway() => Judge(Computing(3), Computing(12.5));

    public static Scene OwnerStandsStill() => Judge(Replying(0x1A4), Replying(0x1A4));

    public static Scene OwnerMovedOn() => Judge(Replying(0x1B8), Replying(0x1A4));

    public static Scene SeriesStandsStill()
    {
        ProcessSnapshot[] looks = [.. new uint[] { 0x1B8, 0x1A4, 0x1A4 }.Select(o => Replying(o, "AwaitBatch").Build())];
        DateTime first = looks[0].Source.Captured!.Value;
        PairResult result = SeriesAnalysis.Run(SnapshotSeries.Create(
            [.. looks.Select((s, i) => s with { Source = s.Source with { DisplayName = $"server_{i + 1}.dmp", Captured = first.AddSeconds(10 * i) } })],
                out _)!);
        return new Scene(result.Snapshot, result.Result);
    }

    private static SceneBuilder Replying(uint owner, string function = "AwaitReply")
    {
        SceneBuilder scene = new SceneBuilder().Waiting(0x11C, "server!Listen+0x42 kernel32!BaseThreadInitThunk+0x14", "listener", Times(0));
        foreach (uint id in (uint[])[0x1A4, 0x1B8, 0x1CC])
        {
            if (id == owner)
            {
                scene.Thread(id, "", ThreadActivityKind.Waiting, $"ntdll!NtWaitForSingleObject+0x14 server!{function}+0x42 kernel32!BaseThreadInitThunk+0x14",
                    Times(0), "client");
            }
            else
            {
                scene.Waiting(id, "server!Restock+0x3c kernel32!BaseThreadInitThunk+0x14", "client", Times(0)).Wait(id, s_orders);
            }
        }

        return scene.Own(s_orders, owner).Wait(owner, new Resource(ResourceKind.Event, 0x58));
    }

    private static Scene Judge(SceneBuilder first, SceneBuilder second)
    {
        ProcessSnapshot before = first.Build(), after = second.Build();
        before = before with { Source = before.Source with { DisplayName = "server_1.dmp" } };
        after = after with { Source = after.Source with { DisplayName = "server_2.dmp", Captured = before.Source.Captured!.Value.AddSeconds(10) } };
        PairResult result = PairAnalysis.Run(SnapshotPair.Create(before, after, out _)!);
        return new Scene(result.Snapshot, result.Result);
    }

    private static ThreadTimes Times(double seconds) => new(TimeSpan.Zero, TimeSpan.FromSeconds(seconds), new DateTime(2024, 2, 29, 20, 0, 0, DateTimeKind.Utc),
        TimeSpan.FromHours(4));

    private static SceneBuilder Threads(double used) => new SceneBuilder()
        .Waiting(0x1A4, "server!PlaceOrder+0x42 kernel32!BaseThreadInitThunk+0x14", "orders", Times(used))
        .Waiting(0x1B8, "server!Restock+0x3c kernel32!BaseThreadInitThunk+0x14", "stock", Times(0));

    private static SceneBuilder Cycle(double used) => Threads(used).Wait(0x1A4, s_stock).Own(s_stock, 0x1B8).Wait(0x1B8, s_orders).Own(s_orders, 0x1A4);

    private static SceneBuilder Computing(double used) => new SceneBuilder()
        .Thread(0x1A4, "", ThreadActivityKind.Running, "server!Price+0x42 kernel32!BaseThreadInitThunk+0x14", Times(used), "pricing");

    private static SceneBuilder Spinning(double used) => Computing(used)
        .Waiting(0x1B8, "server!Restock+0x3c kernel32!BaseThreadInitThunk+0x14", "stock", Times(0)).Wait(0x1B8, s_orders).Own(s_orders, 0x1A4);
}
