using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

public sealed class CycleFinderTests
{
    private static IReadOnlyList<WaitCycle> Cycles(SnapshotBuilder builder)
    {
        ProcessSnapshot snapshot = builder.Build();
        return CycleFinder.Find(new WaitGraph(snapshot.Waits, snapshot.Ownerships));
    }

    [Fact]
    public void Two_threads_that_wait_for_each_other_are_a_cycle()
    {
        WaitCycle cycle = Assert.Single(Cycles(new SnapshotBuilder()
            .Wait(1, Section(0xA)).Own(Section(0xA), 2)
            .Wait(2, Section(0xB)).Own(Section(0xB), 1)));
        Assert.Equal(new uint[] { 1, 2 }, cycle.Threads.ToArray());
        Assert.Equal(Grade.Proven, cycle.Grade);
    }

    [Fact]
    public void A_diamond_is_no_cycle() => Assert.Empty(Cycles(new SnapshotBuilder()
        .Wait(1, Section(0xA)).Wait(1, Section(0xB)).Own(Section(0xA), 2).Own(Section(0xB), 3)
        .Wait(2, Section(0xC)).Wait(3, Section(0xC)).Own(Section(0xC), 4)));

    [Fact]
    public void A_wait_with_a_time_limit_closes_no_cycle() => Assert.Empty(Cycles(new SnapshotBuilder()
        .Wait(1, Section(0xA)).Own(Section(0xA), 2)
        .Wait(2, Section(0xB), WaitTimeout.Finite).Own(Section(0xB), 1)));

    [Fact]
    public void A_wait_for_any_of_several_objects_closes_no_cycle() => Assert.Empty(Cycles(new SnapshotBuilder()
        .Wait(1, Section(0xA)).Own(Section(0xA), 2)
        .Wait(2, Section(0xB), any: true).Own(Section(0xB), 1)));

    [Fact]
    public void A_wait_of_unknown_time_limit_makes_the_cycle_a_suspicion() => Assert.Equal(Grade.Suspected, Assert.Single(Cycles(new SnapshotBuilder()
        .Wait(1, Section(0xA)).Own(Section(0xA), 2)
        .Wait(2, Section(0xB), WaitTimeout.Unknown).Own(Section(0xB), 1))).Grade);

    [Fact]
    public void A_thread_that_waits_for_its_own_recursive_lock_is_no_cycle() =>
        Assert.Empty(Cycles(new SnapshotBuilder().Wait(1, Section(0xA)).Own(Section(0xA), 1)));

    [Fact]
    public void A_thread_that_waits_for_its_own_end_is_a_cycle()
    {
        Resource self = new(ResourceKind.Thread, 1);
        Assert.Single(Cycles(new SnapshotBuilder().Wait(1, self).Own(self, 1)));
    }

    [Fact]
    public void A_guessed_edge_does_not_weaken_a_proven_cycle_that_it_touches()
    {
        WaitCycle cycle = Assert.Single(Cycles(new SnapshotBuilder()
            .Wait(1, Section(0xA)).Own(Section(0xA), 2)
            .Wait(2, Section(0xB)).Own(Section(0xB), 1)
            .Wait(3, Section(0xA)).Wait(1, Section(0xC)).Own(Section(0xC), 3, grade: Grade.Suspected)));
        Assert.Equal(Grade.Proven, cycle.Grade);
        Assert.Equal(new uint[] { 1, 2 }, cycle.Component.ToArray());
    }

    [Fact]
    public void Two_independent_cycles_are_both_found() => Assert.Equal(2, Cycles(new SnapshotBuilder()
        .Wait(1, Section(0xA)).Own(Section(0xA), 2).Wait(2, Section(0xB)).Own(Section(0xB), 1)
        .Wait(3, Section(0xC)).Own(Section(0xC), 4).Wait(4, Section(0xD)).Own(Section(0xD), 3)).Count);

    /// <summary>On random graphs: a component is reported exactly for the threads that reach themselves.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_graphs_agree_with_plain_reachability(int seed)
    {
        Random random = new(seed);
        for (int round = 0; round < 200; round++)
        {
            int count = random.Next(1, 9);
            uint[][] successors = [.. Enumerable.Range(0, count).Select(_ =>
                Enumerable.Range(0, random.Next(0, 3)).Select(_ => (uint)random.Next(count)).Distinct().ToArray())];
            uint[] found = [.. StronglyConnectedComponents.WithCycle(Enumerable.Range(0, count).Select(i => (uint)i), n => successors[n]).SelectMany(c => c)
                .Order()];
            uint[] expected = [.. Enumerable.Range(0, count).Select(i => (uint)i).Where(i => Reaches(successors, i))];
            Assert.Equal(expected, found);
        }
    }

    private static bool Reaches(uint[][] successors, uint start)
    {
        HashSet<uint> seen = [];
        Stack<uint> open = new(successors[start]);
        while (open.TryPop(out uint node))
        {
            if (node == start)
            {
                return true;
            }

            if (seen.Add(node))
            {
                foreach (uint next in successors[node])
                {
                    open.Push(next);
                }
            }
        }

        return false;
    }
}
