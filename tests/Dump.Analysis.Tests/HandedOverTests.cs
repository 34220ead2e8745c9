using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Locks that do not check who releases them: another thread than the one that took it may be the one that will.</summary>
public sealed class HandedOverTests
{
    private static readonly DateTime s_moment = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);
    private static readonly Resource s_left = new(ResourceKind.PthreadMutex, 0x5000), s_right = new(ResourceKind.PthreadMutex, 0x6000);

    /// <summary>A third thread that runs, sleeps, waits for some time, waits for ever or for requests; and the kinds that check.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running, null, true, Confidence.Likely)]
    [InlineData(ThreadActivityKind.Sleeping, null, true, Confidence.Likely)]
    [InlineData(ThreadActivityKind.Waiting, WaitTimeout.Finite, true, Confidence.Likely)]
    [InlineData(ThreadActivityKind.Waiting, WaitTimeout.Infinite, true, Confidence.Confirmed)]
    [InlineData(ThreadActivityKind.Idle, null, true, Confidence.Confirmed)]
    [InlineData(ThreadActivityKind.Running, null, false, Confidence.Confirmed)]
    public void Cycle_is_no_surer_than_that_nobody_else_releases_a_lock_of_it(
        ThreadActivityKind third, WaitTimeout? limit, bool others, Confidence expected)
    {
        SnapshotBuilder scene = new SnapshotBuilder().Thread(1).Thread(2).Thread(3, third)
            .With(t => limit is { } known ? t with { KernelWait = new KernelWait(known, new Evidence(EvidenceSource.Register, "by hand")) } : t)
            .Wait(1, s_right).Own(s_right, 2).Wait(2, s_left).Own(s_left, 1);
        Verdict verdict = Assert.Single(HangAnalysis.Run(HandedOver(scene.Build(), others)).Verdicts, v => v.DetectorId == "DUMP1002");
        Assert.Equal(expected, verdict.Confidence);
        Assert.Equal(expected == Confidence.Likely, verdict.Claims.Any(c => c.Text.Contains("not check who releases", StringComparison.Ordinal)));
    }

    /// <summary>Whoever took it has ended: it may have handed it over to a thread that goes on.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running, true, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Waiting, true, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Idle, true, Confidence.Likely)]
    [InlineData(ThreadActivityKind.Running, false, Confidence.Confirmed)]
    public void Orphaned_lock_is_no_surer_than_that_it_was_not_handed_over(ThreadActivityKind other, bool others, Confidence expected) =>
        Assert.Equal(expected, Assert.Single(HangAnalysis.Run(Orphan(other, others, 99)).Verdicts).Confidence);

    /// <summary>The same ended owner and the same waiter some seconds later; another ended owner is none.</summary>
    [Theory]
    [InlineData(99, 5, Confidence.Likely)]
    [InlineData(99, 3, Confidence.Suspected)]
    [InlineData(98, 5, null)]
    public void Two_looks_tell_an_orphan_from_a_lock_that_is_handed_over(uint ownerBefore, int seconds, Confidence? expected)
    {
        ProcessSnapshot earlier = Orphan(ThreadActivityKind.Running, true, ownerBefore), later = Orphan(ThreadActivityKind.Running, true, 99);
        SnapshotPair pair = SnapshotPair.Create(
            earlier with { Source = earlier.Source with { Captured = s_moment } },
            later with { Source = later.Source with { Captured = s_moment.AddSeconds(seconds) } }, out _)!;
        Assert.Equal(expected, PairAnalysis.Run(pair).Result.Verdicts.SingleOrDefault()?.Confidence);
    }

    private static ProcessSnapshot Orphan(ThreadActivityKind other, bool others, uint owner) => HandedOver(
        new SnapshotBuilder().Thread(1).Thread(2, other).With(t => t with { Activity = t.Activity with { SystemCall = "futex" } }).Wait(1, s_left).Own(s_left, owner, alive: false, others ? Grade.Derived : Grade.Proven).Build(), others);

    private static ProcessSnapshot HandedOver(ProcessSnapshot snapshot, bool others) => snapshot with
    {
        Ownerships = [.. snapshot.Ownerships.Select(o => o with { OthersMayRelease = others })],
    };
}
