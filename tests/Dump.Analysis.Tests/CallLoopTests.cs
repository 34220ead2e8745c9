using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>
/// A thread that makes one system call after the other and waits in none is caught inside of such a call nearly always: it burns its processor all the same.
/// </summary>
public sealed class CallLoopTests
{
    /// <summary>Thread 4 holds what thread 8 waits for, and was caught in a system call.</summary>
    private static SnapshotBuilder Owner(ThreadActivityKind kind, bool? alwaysReady = true, bool? untilStopped = true, double load = 0.99) =>
        new SnapshotBuilder()
        .Thread(4, kind, ["libc", "app!watch"])
        .With(t => t with { Activity = t.Activity with { SystemCall = "waitid" }, RecentUse =
            new ProcessorUse(TimeSpan.FromSeconds(10 * load), TimeSpan.FromSeconds(10), alwaysReady) { RanUntilStopped = untilStopped } })
        .Thread(8, frames: ["libc", "app!work"])
        .With(t => t with { RecentUse = new ProcessorUse(TimeSpan.Zero, TimeSpan.FromSeconds(10), false) })
        .Own(Section(0xA), 4).Wait(8, Section(0xA));

    private static Verdict? Spinning(SnapshotBuilder scene) => HangAnalysis.Run(scene.Build()).Verdicts.FirstOrDefault(v => v.DetectorId == "DUMP2001");

    [Theory]
    [InlineData(ThreadActivityKind.Waiting)]
    [InlineData(ThreadActivityKind.SystemCall)]
    [InlineData(ThreadActivityKind.Idle)]
    public void Owner_that_was_ready_all_the_time_spins_whatever_call_it_is_in(ThreadActivityKind kind)
    {
        Verdict verdict = Spinning(Owner(kind))!;
        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.StartsWith("It runs, calling waitid without waiting there: 9.9 s of CPU time in the last 10 s, ready to run all the time", verdict.Claims[1]
            .Text, StringComparison.Ordinal);
        Assert.Equal(Confidence.Likely, verdict.Claims[1].Confidence);
    }

    [Theory]
    [InlineData(ThreadActivityKind.Waiting, true, false, 0.99)] // It began to wait just before it was stopped.
    [InlineData(ThreadActivityKind.Waiting, true, null, 0.99)] // It was not stopped: it may have begun to.
    [InlineData(ThreadActivityKind.SystemCall, null, null, 0.99)] // Two dumps: most of the time says nothing of the last moment.
    [InlineData(ThreadActivityKind.Waiting, false, true, 0.97)] // It did wait.
    [InlineData(ThreadActivityKind.SystemCall, false, true, 0.97)]
    [InlineData(ThreadActivityKind.Waiting, true, true, 0.001)] // It got no processor: nothing is known of it.
    public void Owner_that_may_be_waiting_does_not_spin(ThreadActivityKind kind, bool? alwaysReady, bool? untilStopped, double load) =>
        Assert.Null(Spinning(Owner(kind, alwaysReady, untilStopped, load)));

    [Fact]
    public void Owner_that_waits_for_something_known_does_not_spin() =>
        Assert.Null(Spinning(Owner(ThreadActivityKind.Waiting).Wait(4, new Resource(ResourceKind.Event, 0x44))));

    /// <summary>
    /// Ten threads behind a spinning owner make a verdict of their own weight; one that waits for the end of the process' work is none of them.
    /// </summary>
    [Fact]
    public void Thread_that_waits_for_the_owners_end_does_not_queue_for_its_lock()
    {
        SnapshotBuilder scene = Owner(ThreadActivityKind.Waiting).Thread(12).Wait(12, new Resource(ResourceKind.Thread, 4))
            .Own(new Resource(ResourceKind.Thread, 4), 4);
        Assert.Contains("and 1 thread waits behind it", Spinning(scene)!.Claims[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Thread_that_nobody_waits_for_is_a_suspected_runaway()
    {
        SnapshotBuilder scene = new SnapshotBuilder().Thread(4, ThreadActivityKind.Waiting, ["libc", "app!watch"])
            .With(t => t with { Activity = t.Activity with { SystemCall = "poll" }, RecentUse =
                new ProcessorUse(TimeSpan.FromSeconds(9.5), TimeSpan.FromSeconds(10), true) { RanUntilStopped = true } });
        Verdict verdict = Assert.Single(HangAnalysis.Run(scene.Build()).Verdicts);
        Assert.Equal(("DUMP2002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("runs, calling poll without waiting there: ", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Equal(Confidence.Likely, verdict.Claims[0].Confidence);
        Assert.Contains("without giving up the processor until it was stopped", verdict.Claims[0].Evidence[0].Text, StringComparison.Ordinal);
    }
}
