using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>The list of locks has every lock once, with owners and waiters, the most contended first.</summary>
public sealed class HeldLocksTests
{
    private static readonly Resource s_slim = new(ResourceKind.SlimReaderWriterLock, 0x50);
    private static readonly Resource s_event = new(ResourceKind.Event, 0x60);

    private static SnapshotBuilder Office() => new SnapshotBuilder()
        .Thread(1, ThreadActivityKind.Running).Thread(2).Thread(3).Thread(4).Thread(5)
        .Own(Section(0xA), 1).Wait(2, Section(0xA)).Wait(3, Section(0xA), WaitTimeout.Finite)
        .Own(Section(0xB), 9, alive: false)
        .Wait(4, s_slim).Wait(5, s_event);

    [Fact]
    public void Most_contended_come_first_and_each_is_listed_once() =>
        Assert.Equal([Section(0xA), s_slim, Section(0xB)], HeldLocks.Find(Office().Build()).Select(l => l.Resource).ToArray());

    [Fact]
    public void What_has_no_owner_by_its_nature_is_no_lock() =>
        Assert.DoesNotContain(HeldLocks.Find(Office().Build()), l => l.Resource == s_event);

    [Fact]
    public void Waiters_with_a_time_limit_are_counted()
    {
        HeldLock contended = HeldLocks.Find(Office().Build())[0];
        Assert.Equal(new uint[] { 2, 3 }, contended.Waiters);
        Assert.Equal(1, contended.TimedWaiters);
    }

    [Fact]
    public void Owner_is_told_with_what_it_does()
    {
        LockHolder holder = Assert.Single(HeldLocks.Find(Office().Build())[0].Holders);
        Assert.Equal((1u, true, "runs", Grade.Proven), (holder.ThreadId, holder.IsAlive, holder.Does, holder.Grade));
    }

    [Fact]
    public void Owner_that_has_ended_is_told_as_such() =>
        Assert.False(Assert.Single(HeldLocks.Find(Office().Build()).Single(l => l.Resource == Section(0xB)).Holders).IsAlive);

    [Fact]
    public void Owner_that_nothing_stores_stays_unknown() =>
        Assert.Empty(HeldLocks.Find(Office().Build()).Single(l => l.Resource == s_slim).Holders);

    [Fact]
    public void Several_owners_are_listed_the_best_known_first()
    {
        HeldLock shared = Assert.Single(HeldLocks.Find(new SnapshotBuilder().Thread(1).Thread(2).Thread(3)
            .Own(s_slim, 1, grade: Grade.Suspected).Own(s_slim, 2, grade: Grade.Derived).Wait(3, s_slim).Build()));
        Assert.Equal(new uint[] { 2, 1 }, shared.Holders.Select(h => h.ThreadId));
    }

    [Fact]
    public void Order_of_threads_decides_nothing() => Assert.Equal(
        HeldLocks.Find(Office().Build()).Select(l => l.Resource).ToArray(), HeldLocks.Find(Office().Build(reversed: true)).Select(l => l.Resource).ToArray());

    /// <summary>The owner of the first has it in all dumps, that of the second took it after the oldest.</summary>
    [Fact]
    public void Owner_that_earlier_dumps_show_is_told_with_the_time()
    {
        SnapshotBuilder first = new SnapshotBuilder().Thread(1).Thread(2).Thread(3).Own(Section(0xA), 1).Own(Section(0xB), 3);
        SnapshotBuilder later = new SnapshotBuilder().Thread(1).Thread(2).Thread(3).Own(Section(0xA), 1).Own(Section(0xB), 2);
        Assert.Equal([20, 10], Ages(At(first, 0), At(later, 10), At(later, 20)));
    }

    /// <summary>More waits have been counted than threads wait: the lock has passed from hand to hand, and back to the same owner.</summary>
    [Fact]
    public void Owner_that_has_taken_the_lock_again_has_not_held_it_since()
    {
        SnapshotBuilder Look(uint contentions) => new SnapshotBuilder().Thread(1).Thread(2).Own(Section(0xA), 1, contentions: contentions);
        Assert.Equal([10], Ages(At(Look(4), 0), At(Look(9), 10), At(Look(9), 20)));
    }

    [Fact]
    public void One_dump_tells_no_time() =>
        Assert.All(HeldLocks.Find(Office().Build()).SelectMany(l => l.Holders), h => Assert.Null(h.HeldSecondsEarlier));

    /// <summary>Managed objects move, and writers that do not note the moment leave the time unknown.</summary>
    [Fact]
    public void Locks_that_move_and_unknown_moments_tell_no_time()
    {
        SnapshotBuilder moving = new SnapshotBuilder().Thread(1).Thread(2).Own(new Resource(ResourceKind.Monitor, 0x70), 1);
        Assert.Equal([null], Ages(At(moving, 0), At(moving, 10)));
        SnapshotBuilder native = new SnapshotBuilder().Thread(1).Thread(2).Own(Section(0xA), 1);
        Assert.Equal([null], Ages(At(native, null), At(native, null)));
    }

    private static int?[] Ages(params ProcessSnapshot[] snapshots) =>
        [.. HeldLocks.Find(SnapshotSeries.Create(snapshots, out _)!).SelectMany(l => l.Holders).Select(h => h.HeldSecondsEarlier)];

    private static ProcessSnapshot At(SnapshotBuilder builder, int? seconds)
    {
        ProcessSnapshot snapshot = builder.Build();
        DateTime? captured = seconds is { } later ? new DateTime(2026, 3, 1, 12, 0, 0, DateTimeKind.Utc).AddSeconds(later) : null;
        return snapshot with { Source = snapshot.Source with { Captured = captured } };
    }
}
