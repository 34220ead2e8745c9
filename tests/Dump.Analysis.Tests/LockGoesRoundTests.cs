using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// DUMP2001 and DUMP1005 in a living process that was sampled twice: a lock whose owner and waiters have all waited in between, and come back, goes from hand
/// to hand.
/// </summary>
public sealed class LockGoesRoundTests
{
    private static readonly Resource s_lock = new(ResourceKind.Monitor, 0xA000);

    private static ThreadSnapshot Paused(ThreadSnapshot thread, long? pauses, double load = 0.3) => thread with
    {
        RecentUse = new ProcessorUse(TimeSpan.FromSeconds(load), TimeSpan.FromSeconds(1), pauses == 0 && load > 0.9) { Pauses = pauses },
    };

    private static Verdict? Verdict(long? owner, (long? Pauses, WaitTimeout Timeout)[] waiters, double load = 0.3)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running).With(t => Paused(t, owner, load)).Own(s_lock, 1);
        for (int i = 0; i < waiters.Length; i++)
        {
            builder.Thread((uint)i + 2).With(t => Paused(t, waiters[i].Pauses, 0)).Wait((uint)i + 2, s_lock, waiters[i].Timeout);
        }

        return HangAnalysis.Run(builder.Build()).Verdicts.FirstOrDefault(v => v.DetectorId == "DUMP2001");
    }

    [Fact]
    public void Lock_that_all_have_come_back_to_is_no_hang() =>
        Assert.Null(Verdict(20, [(3, WaitTimeout.Infinite), (1, WaitTimeout.Infinite), (9, WaitTimeout.Finite)]));

    [Fact]
    public void Owner_that_has_not_waited_may_spin_whatever_its_waiters_do() =>
        Assert.Equal(Confidence.Suspected, Verdict(0, [(3, WaitTimeout.Infinite), (1, WaitTimeout.Infinite)], load: 0.95)!.Confidence);

    [Fact]
    public void Owner_that_spins_while_others_give_up_and_try_again_is_told() =>
        Assert.Equal(Confidence.Suspected, Verdict(0, [(30, WaitTimeout.Finite), (30, WaitTimeout.Finite)], load: 0.95)!.Confidence);

    [Fact]
    public void Owner_that_polls_while_others_give_up_and_try_again_is_told() =>
        Assert.Equal(Confidence.Suspected, Verdict(50, [(30, WaitTimeout.Finite), (30, WaitTimeout.Unknown)])!.Confidence);

    [Theory]
    [InlineData(WaitTimeout.Infinite)]
    [InlineData(WaitTimeout.Finite)]
    public void One_that_stood_in_its_wait_all_the_time_is_enough(WaitTimeout timeout) =>
        Assert.Equal(Confidence.Suspected, Verdict(20, [(3, WaitTimeout.Infinite), (0, timeout)])!.Confidence);

    /// <summary>A pipeline at full speed: the owner of the moment mostly waits, or has only just come.</summary>
    [Theory]
    [InlineData(0.08, true)]
    [InlineData(0.3, false)]
    public void Owner_that_mostly_waits_does_not_spin(double load, bool isHealthy) =>
        Assert.Equal(isHealthy, Verdict(20, [(0, WaitTimeout.Infinite)], load) is null);

    /// <summary>Its times are known, and the first sample does not have it. Where its times are unknown, so is its age.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Owner_that_is_younger_than_the_samples_does_not_spin(bool hasTimes)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running)
            .With(t => t with { Times = hasTimes ? new ThreadTimes(TimeSpan.Zero, TimeSpan.FromMilliseconds(80), null, TimeSpan.FromMilliseconds(500)) : null })
            .Own(s_lock, 1).Thread(2).With(t => Paused(t, 0, 0)).Wait(2, s_lock, WaitTimeout.Infinite);
        Assert.Equal(!hasTimes, HangAnalysis.Run(builder.Build()).Verdicts.Any(v => v.DetectorId == "DUMP2001"));
    }

    [Theory]
    [InlineData(3L, false)]
    [InlineData(0L, true)]
    public void Long_queue_whose_members_have_all_come_back_to_it_is_no_head_blocker(long pauses, bool isTold)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.SystemCall).With(t => Paused(t, 5, 0)).Own(s_lock, 1);
        for (uint id = 2; id < 14; id++)
        {
            builder.Thread(id).With(t => Paused(t, pauses, 0)).Wait(id, s_lock, WaitTimeout.Infinite);
        }

        Assert.Equal(isTold, HangAnalysis.Run(builder.Build()).Verdicts.Any(v => v.DetectorId == "DUMP1005"));
    }

    [Theory]
    [InlineData(null, 3L)]
    [InlineData(20L, null)]
    public void Where_pauses_are_not_counted_nothing_changes(long? owner, long? waiter) =>
        Assert.Equal(Confidence.Suspected, Verdict(owner, [(waiter, WaitTimeout.Infinite)])!.Confidence);
}
