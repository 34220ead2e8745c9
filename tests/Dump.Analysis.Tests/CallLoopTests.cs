using Dump.Model;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>A thread that makes one system call after the other and waits in none is caught inside of such a call nearly always: it burns its processor all the same.</summary>
public sealed class CallLoopTests
{
    /// <summary>Thread 4 holds what thread 8 waits for, and was caught in a system call.</summary>
    private static SnapshotBuilder Owner(ThreadActivityKind kind, bool? alwaysReady, double load, string call = "waitid") => new SnapshotBuilder()
        .Thread(4, kind, ["libc", "app!watch"])
        .With(t => t with { Activity = t.Activity with { SystemCall = call }, RecentUse = new ProcessorUse(TimeSpan.FromSeconds(10 * load), TimeSpan.FromSeconds(10), alwaysReady) })
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
        Verdict verdict = Spinning(Owner(kind, true, 0.99))!;
        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.StartsWith("It runs, calling waitid without waiting there: 9.9 s of processor time in the last 10 s, ready to run all the time", verdict.Claims[1].Text, StringComparison.Ordinal);
        Assert.Equal(Confidence.Likely, verdict.Claims[1].Confidence);
    }

    /// <summary>Two dumps do not record whether it waited: only nearly all of the time, in a call that is no wait, says as much.</summary>
    [Fact]
    public void Owner_without_that_record_spins_when_it_left_no_time_for_waiting() =>
        Assert.Contains("calling read without waiting there for long", Spinning(Owner(ThreadActivityKind.SystemCall, null, 0.97, "read"))!.Claims[1].Text, StringComparison.Ordinal);

    [Theory]
    [InlineData(ThreadActivityKind.SystemCall, null, 0.6)] // Half of the time is left for waiting.
    [InlineData(ThreadActivityKind.Waiting, null, 0.97)] // It may have begun to wait at last.
    [InlineData(ThreadActivityKind.Idle, null, 0.97)]
    [InlineData(ThreadActivityKind.Waiting, false, 0.97)] // It did wait.
    [InlineData(ThreadActivityKind.SystemCall, false, 0.97)]
    [InlineData(ThreadActivityKind.Waiting, true, 0.001)] // It got no processor: nothing is known of it.
    public void Owner_that_may_be_waiting_does_not_spin(ThreadActivityKind kind, bool? alwaysReady, double load) => Assert.Null(Spinning(Owner(kind, alwaysReady, load)));

    [Fact]
    public void Owner_that_waits_for_something_known_does_not_spin() => Assert.Null(Spinning(Owner(ThreadActivityKind.Waiting, true, 0.99).Wait(4, new Resource(ResourceKind.Event, 0x44))));

    [Fact]
    public void Thread_that_nobody_waits_for_is_a_suspected_runaway()
    {
        SnapshotBuilder scene = new SnapshotBuilder().Thread(4, ThreadActivityKind.Waiting, ["libc", "app!watch"])
            .With(t => t with { Activity = t.Activity with { SystemCall = "poll" }, RecentUse = new ProcessorUse(TimeSpan.FromSeconds(9.5), TimeSpan.FromSeconds(10), true) });
        Verdict verdict = Assert.Single(HangAnalysis.Run(scene.Build()).Verdicts);
        Assert.Equal(("DUMP2002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("runs, calling poll without waiting there: ", verdict.Claims[0].Text, StringComparison.Ordinal);
    }
}
