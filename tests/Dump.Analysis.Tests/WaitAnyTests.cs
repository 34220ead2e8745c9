using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Waits for any one of several objects: blocked only when every one of them is.</summary>
public sealed class WaitAnyTests
{
    private static readonly Resource s_event = new(ResourceKind.Event, 0x44);

    /// <summary>Thread 1 waits for any one of two locks; each is held by a thread that waits for a lock of thread 1.</summary>
    private static SnapshotBuilder BothHeld(WaitTimeout timeout = WaitTimeout.Infinite, Grade second = Grade.Proven) => new SnapshotBuilder()
        .Thread(1).Thread(2).Thread(3)
        .Wait(1, Section(0xA), timeout, any: true).Own(Section(0xA), 2)
        .Wait(1, Section(0xB), timeout, any: true).Own(Section(0xB), 3, grade: second)
        .Wait(2, Section(0xC)).Wait(3, Section(0xC)).Own(Section(0xC), 1);

    private static IReadOnlyList<WaitCycle> Cycles(SnapshotBuilder builder)
    {
        ProcessSnapshot snapshot = builder.Build();
        return CycleFinder.Find(new WaitGraph(snapshot.Waits, snapshot.Ownerships));
    }

    [Fact]
    public void All_objects_held_by_threads_that_cannot_go_on_are_a_deadlock()
    {
        WaitCycle cycle = Assert.Single(Cycles(BothHeld()));
        Assert.Equal((Grade.Proven, "1 2 3"), (cycle.Grade, string.Join(' ', cycle.Component)));
        Verdict verdict = Assert.Single(HangAnalysis.Run(BothHeld().Build()).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("any one of other objects", StringComparison.Ordinal));
    }

    [Fact]
    public void One_object_without_an_owner_leaves_the_wait_open() => Assert.Empty(Cycles(BothHeld().Wait(1, s_event, any: true)));

    [Fact]
    public void One_object_of_a_thread_that_goes_on_leaves_the_wait_open() =>
        Assert.Empty(Cycles(BothHeld().Wait(1, Section(0xD), any: true).Own(Section(0xD), 4)));

    [Fact]
    public void One_object_of_a_thread_that_only_waits_for_a_time_leaves_the_wait_open() => Assert.Empty(Cycles(BothHeld()
        .Wait(1, Section(0xD), any: true).Own(Section(0xD), 4).Wait(4, Section(0xC), WaitTimeout.Finite)));

    [Fact]
    public void A_time_limit_leaves_the_wait_open() => Assert.Empty(Cycles(BothHeld(WaitTimeout.Finite)));

    [Fact]
    public void The_weakest_alternative_is_the_grade_of_the_cycle() => Assert.Equal(Grade.Derived, Assert.Single(Cycles(BothHeld(second: Grade.Derived)))
        .Grade);

    [Fact]
    public void Unknown_time_limit_is_suspected() => Assert.Equal(Grade.Suspected, Assert.Single(Cycles(BothHeld(WaitTimeout.Unknown))).Grade);

    [Fact]
    public void Chain_is_followed_through_a_wait_for_any_only_when_that_is_blocked()
    {
        Assert.True(WaitChains.Find(BothHeld().Build(), 1).Single().EndsInCycle);
        WaitChain open = WaitChains.Find(BothHeld().Wait(1, s_event, any: true).Build(), 1).Single();
        Assert.False(open.EndsInCycle);
        Assert.Equal(3, open.Links.Length);
        Assert.All(open.Links, l => Assert.True(l.IsWaitAny));
    }

    /// <summary>
    /// Random graphs of waits for one, all or any: a thread is in a cycle only if no order of events lets it go on, and some cycle is found whenever a thread
    /// never can.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_graphs_agree_with_playing_them_out(int seed)
    {
        Random random = new(seed);
        int stuckRounds = 0;
        for (int round = 0; round < 500; round++)
        {
            int count = random.Next(2, 8);
            (bool Any, uint[] Holders)[] waits = [.. Enumerable.Range(0, count).Select(_ =>
                (random.Next(2) == 0, Enumerable.Range(0, random.Next(0, 4)).Select(_ => (uint)random.Next(1, count + 2)).Distinct().ToArray()))];
            HashSet<uint> goesOn = PlayOut(waits);
            HashSet<uint> inCycles = [.. Cycles(Graph(waits)).SelectMany(c => c.Component)];
            Assert.DoesNotContain(inCycles, goesOn.Contains);
            Assert.Equal(goesOn.Count < count, inCycles.Count > 0);
            stuckRounds += inCycles.Count > 0 ? 1 : 0;
        }

        Assert.InRange(stuckRounds, 50, 450);
    }

    /// <summary>Thread i + 1 waits for locks of the holders; every wait is for a lock of its own. The last number is a thread that waits for nothing.</summary>
    private static SnapshotBuilder Graph((bool Any, uint[] Holders)[] waits)
    {
        SnapshotBuilder builder = new();
        for (uint i = 0; i < waits.Length; i++)
        {
            bool any = waits[i].Any && waits[i].Holders.Length > 1;
            foreach (uint holder in waits[i].Holders)
            {
                Resource resource = new(ResourceKind.SpinLock, (i + 1) * 0x100 + holder);
                builder.Wait(i + 1, resource, any: any).Own(resource, holder);
            }
        }

        return builder;
    }

    /// <summary>Lets every thread go on that can, until none can any more.</summary>
    private static HashSet<uint> PlayOut((bool Any, uint[] Holders)[] waits)
    {
        HashSet<uint> free = [(uint)waits.Length + 1];
        bool changed = true;
        while (changed)
        {
            changed = false;
            for (uint i = 0; i < waits.Length; i++)
            {
                bool goes = waits[i].Holders.Length == 0 || (waits[i].Any ? waits[i].Holders.Any(free.Contains) : waits[i].Holders.All(free.Contains));
                changed |= goes && free.Add(i + 1);
            }
        }

        free.Remove((uint)waits.Length + 1);
        return free;
    }
}
