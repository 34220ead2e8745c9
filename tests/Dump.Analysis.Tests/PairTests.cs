using System.Collections.Immutable;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>What the first of two dumps of one process adds to the second, and what it takes away.</summary>
public sealed class PairTests
{
    private static readonly DateTime s_moment = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);
    private static readonly Resource s_left = SnapshotBuilder.Section(0x100), s_right = SnapshotBuilder.Section(0x200), s_other =
        SnapshotBuilder.Section(0x300);

    [Fact]
    public void Same_cycle_without_processor_time_in_between_has_not_moved()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(0), Cycle(0)).Result.Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal("The first dump, 5 s earlier, shows the same waits for the same locks, and its threads have used next to no CPU time since: they have not moved.",
            verdict.Claims[^1].Text);
    }

    [Fact]
    public void Time_charged_for_dumping_is_no_movement()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(0), Cycle(0.02)).Result.Verdicts);
        Assert.Equal(Confidence.Confirmed, verdict.Confidence);
        Assert.Contains("at most 0.02 s of CPU time since: they have not moved", verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    /// <summary>
    /// Pauses say that a thread of the cycle has left its wait, and that it has not although it was charged for something. A thread that polls what it waits for pauses
    /// again and again.
    /// </summary>
    [Theory]
    [InlineData(2, 0L, false, Confidence.Confirmed, "and its threads have not run since: they have not moved.")]
    [InlineData(0, 700L, false, Confidence.Suspected, "but thread 0 (0x1) and thread 1 (0x2) have each run since: they have left their waits")]
    [InlineData(0, 2L, false, Confidence.Confirmed, "and its threads have used next to no CPU time since")]
    [InlineData(2, 700L, true, Confidence.Confirmed, "shows the same waits for the same locks")]
    public void Pauses_decide_before_processor_time(double used, long pauses, bool polls, Confidence expected, string text)
    {
        // The third thread has only been stopped.
        SnapshotBuilder Look(double time, long switches, long pauses) => Cycle(time).WithEach(t => t.Id == 3 ? t with { Switches = new SwitchCount(switches, switches + 1) } : t with
        {
            Switches = new SwitchCount(switches + pauses, switches + pauses + 1),
            Activity = polls ? new ThreadActivity(ThreadActivityKind.Sleeping, null, [new Evidence(EvidenceSource.Stack, "sleeps")]) : t.Activity,
        });
        Verdict verdict = Assert.Single(Judge(Look(0, 4, 0), Look(used, 6, pauses)).Result.Verdicts);
        Assert.Equal(expected, verdict.Confidence);
        Assert.Contains(text, verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    /// <summary>A verdict on async methods has no thread by which it is known again.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void Async_methods_that_still_await_each_other_have_not_passed(bool isStill, int notes)
    {
        AsyncWaits waits = new() { Cycles = [new AwaitCycle([new AwaitLink(0x5000, "App.One", 0, Grade.Proven)], 1, Grade.Proven)] };
        ProcessSnapshot first = new SnapshotBuilder().Thread(1).Build() with { AsyncWaits = waits };
        PairResult result = Pairs.PairAnalysis.Run(SnapshotPair.Create(first, first with { AsyncWaits = isStill ? waits : new AsyncWaits() }, out _)!);
        Assert.Equal(notes, result.Result.Notes.Length);
        Assert.All(result.Result.Notes, n => Assert.Contains("DUMP1002 Deadlock of async methods (Confirmed) with App.One", n, StringComparison.Ordinal));
    }

    [Fact]
    public void Released_and_taken_again_is_no_deadlock()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(0), Cycle(0.5)).Result.Verdicts);
        Assert.Equal((Confidence.Suspected, "Threads that may wait for each other"), (verdict.Confidence, verdict.Title));
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
        Assert.Contains("used 0.5 s of CPU time since: they have left their waits and come back", verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Suspected_cycle_stays_suspected_however_long_it_stands()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(0, WaitTimeout.Unknown), Cycle(0, WaitTimeout.Unknown)).Result.Verdicts);
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.Contains("they have not moved", verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Waits_with_time_limits_are_no_deadlock_twice() =>
        Assert.Empty(Judge(Cycle(0, WaitTimeout.Finite), Cycle(0, WaitTimeout.Finite)).Result.Verdicts);

    [Fact]
    public void Same_threads_at_another_lock_have_moved_there()
    {
        SnapshotBuilder before = Cycle(0, third: s_other);
        Verdict verdict = Assert.Single(Judge(before, Cycle(0)).Result.Verdicts);
        Assert.Equal(Confidence.Confirmed, verdict.Confidence);
        Assert.Equal("The first dump, 5 s earlier, shows these threads in another cycle: what stands here began in between.", verdict.Claims[^1].Text);
    }

    /// <summary>Nothing of the cycle was held by anyone: it closed in between, and stands.</summary>
    [Fact]
    public void Cycle_that_closed_in_between_is_confirmed_and_said_to_be_new()
    {
        Verdict verdict = Assert.Single(Judge(Threads(0), Cycle(0)).Result.Verdicts);
        Assert.Equal((Confidence.Confirmed, "The first dump, 5 s earlier, does not show this cycle: it closed in between."),
            (verdict.Confidence, verdict.Claims[^1].Text));
    }

    /// <summary>A lock that goes from hand to hand is not stuck, whatever one dump of it shows.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(2)]
    public void Lock_that_another_thread_held_moves_on(uint ownerBefore)
    {
        SnapshotBuilder before = Threads(0).Wait(1, s_right).Own(s_left, ownerBefore).Own(s_right, 2);
        Verdict verdict = Assert.Single(Judge(before, Cycle(0)).Result.Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Suspected, "Threads that may wait for each other"), (verdict.DetectorId, verdict.Confidence, verdict.Title));
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
        Assert.Contains("critical section 0x100 had another owner: it was released in between", verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    /// <summary>Owners of three dumps: another one each time is no deadlock; the same one in the last two is.</summary>
    [Theory]
    [InlineData(3, 2, Confidence.Suspected)]
    [InlineData(3, 3, Confidence.Suspected)]
    [InlineData(1, 3, Confidence.Suspected)]
    [InlineData(3, 1, Confidence.Confirmed)]
    [InlineData(1, 1, Confidence.Confirmed)]
    public void Series_with_another_owner_each_time_confirms_nothing(uint first, uint second, Confidence expected)
    {
        SnapshotBuilder Look(uint owner) => Threads(0).Wait(1, s_right).Own(s_right, 2).Wait(2, s_left).Own(s_left, owner);
        SnapshotSeries series = SnapshotSeries.Create([At(Look(first), 0), At(Look(second), 5), At(Look(1), 10)], out _)!;
        Assert.Equal(expected, Assert.Single(PairAnalysis.Run(series).Result.Verdicts).Confidence);
    }

    /// <summary>What the word beside a wait says is no owner where it names a living thread once and an ended one later.</summary>
    [Theory]
    [InlineData(3u, Confidence.Suspected)]
    [InlineData(99u, Confidence.Confirmed)]
    public void Lock_that_a_living_thread_held_before_is_orphaned_at_most_by_suspicion(uint ownerBefore, Confidence expected)
    {
        SnapshotBuilder Look(uint owner) => Threads(0).Wait(1, s_right).Own(s_right, owner, alive: owner < 4);
        Verdict verdict = Assert.Single(Judge(Look(ownerBefore), Look(99)).Result.Verdicts);
        Assert.Equal(("DUMP1003", expected), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>The collector moves objects: at the address of one there may have been another.</summary>
    [Fact]
    public void Owner_of_another_object_at_the_address_says_nothing()
    {
        Resource left = new(ResourceKind.Monitor, 0x1000), right = new(ResourceKind.Monitor, 0x2000);
        SnapshotBuilder Look(uint owner) => Threads(0).Wait(1, right).Own(right, 2).Wait(2, left).Own(left, owner);
        Assert.Equal(Confidence.Confirmed, Assert.Single(Judge(Look(3), Look(1)).Result.Verdicts).Confidence);
    }

    [Fact]
    public void Lock_that_was_released_in_between_leaves_no_verdict()
    {
        PairResult result = Judge(Cycle(0), Threads(0));
        Assert.Empty(result.Result.Verdicts);
        Assert.Equal(
            "The first dump, 5 s earlier, showed DUMP1002 Lock-cycle deadlock (Confirmed) with threads 0x1, 0x2; the second does not: that has passed.",
            Assert.Single(result.Result.Notes));
    }

    [Fact]
    public void Without_processor_times_standing_still_is_not_proven()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(null), Cycle(null)).Result.Verdicts);
        Assert.Equal(Confidence.Confirmed, verdict.Confidence);
        Assert.Contains("that they did not move in between is not proven", verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Thread_id_that_was_used_again_is_another_thread()
    {
        PairResult result = Judge(Cycle(0), Cycle(0, created: s_moment.AddSeconds(2)));
        Assert.Equal("The first dump, 5 s earlier, shows these threads in another cycle: what stands here began in between.",
            Assert.Single(result.Result.Verdicts).Claims[^1].Text);
    }

    [Fact]
    public void Objects_may_have_been_moved_by_the_garbage_collector_while_nobody_moved()
    {
        Resource Object(ulong at) => new(ResourceKind.Monitor, at);
        SnapshotBuilder Managed(ulong at) => Threads(0).Wait(1, Object(at)).Wait(2, Object(at + 8)).Own(Object(at), 2).Own(Object(at + 8), 1);
        Verdict verdict = Assert.Single(Judge(Managed(0x1000), Managed(0x2000)).Result.Verdicts);
        Assert.Contains("for objects at other addresses (the garbage collector moves objects); they have used next to no CPU time since.", verdict.Claims[^1].Text,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4.5, ThreadActivityKind.Running, true)]
    [InlineData(0.9, ThreadActivityKind.Running, true)]
    [InlineData(0.1, ThreadActivityKind.Running, false)]
    [InlineData(0, ThreadActivityKind.Waiting, false)]
    public void Runaway_is_who_burns_time_now_and_not_who_did_once(double used, ThreadActivityKind activity, bool expected)
    {
        SnapshotBuilder Busy(double seconds) => new SnapshotBuilder().Thread(9, activity, times: Times(seconds));
        Assert.Equal(activity == ThreadActivityKind.Running, Analysis.HangAnalysis.Run(Busy(600 + used).Build()).Verdicts.Any());
        PairResult result = Judge(Busy(600), Busy(600 + used));
        Assert.Equal(expected, result.Result.Verdicts.Any(v => v.DetectorId == "DUMP2002"));
        Assert.Equal(used, result.Snapshot.Threads[0].RecentUse!.Used.TotalSeconds, 6);
    }

    [Fact]
    public void Owner_that_waits_on_is_said_to_stand_still()
    {
        SnapshotBuilder Head() => Threads(0).Own(s_left, 1).Wait(1, new Resource(ResourceKind.Event, 4)).Wait(2, s_left).Wait(3, s_left)
            .Thread(4, times: Times(0)).Wait(4, s_left);
        Verdict verdict = Assert.Single(Judge(Head(), Head()).Result.Verdicts);
        Assert.Equal(("DUMP1005", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal("It held the same lock in the first dump, 5 s earlier; it has used next to no CPU time since and stands at the same place.", verdict.Claims[^1]
            .Text);
    }

    /// <summary>What managed frames hold is not compared: a timer may call the same handler again and again.</summary>
    [Fact]
    public void Handler_at_the_same_frames_alone_may_have_come_back()
    {
        SnapshotBuilder Window() => new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait), times: Times(1))
            .Wait(1, new Resource(ResourceKind.Event, 0x58));
        Verdict verdict = Assert.Single(Judge(Window(), Window()).Result.Verdicts);
        Assert.Equal(("DUMP4003", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.EndsWith("; whether it has come back to its message loop in between, its frames alone do not tell.", verdict.Claims[^1].Text,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "content", true)]
    [InlineData(0.5, "content", false)]
    public void Handler_that_stands_in_both_has_not_come_back_to_its_loop(double used, string content, bool stands)
    {
        SnapshotBuilder Window(double seconds) => new SnapshotBuilder()
            .Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait), times: Times(seconds))
            .With(t => t with { Stack = t.Stack with { Content = content } }).Wait(1, new Resource(ResourceKind.Event, 0x58));
        Verdict verdict = Assert.Single(Judge(Window(1), Window(1 + used)).Result.Verdicts);
        Assert.Equal(("DUMP4003", stands ? Confidence.Likely : Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(!stands, verdict.Claims.Any(c => c.Text.Contains("cannot be told from one dump", StringComparison.Ordinal)));
        Assert.Equal(stands, verdict.Claims.Any(c => c.Text.StartsWith("A window that takes no message for 5 s counts as hung", StringComparison.Ordinal)));
        Assert.Equal(stands, verdict.Claims.Any(c =>
            c.Text == "In the first dump, 5 s earlier, thread 0 (0x1) stood at the same place, and it has used next to no CPU time since: it has not come back to its message loop in between."));
    }

    [Fact]
    public void Handler_that_is_only_guessed_stays_a_guess_in_two_dumps()
    {
        SnapshotBuilder Window() => new SnapshotBuilder().Thread(1, frames: UiThreadStacks.NoNames(UiThreadStacks.EventWait), times: Times(1))
            .Wait(1, new Resource(ResourceKind.Event, 0x58));
        Assert.Equal(Confidence.Suspected, Assert.Single(Judge(Window(), Window()).Result.Verdicts).Confidence);
    }

    [Fact]
    public void Snapshots_are_ordered_by_their_moments()
    {
        ProcessSnapshot early = At(Cycle(0), 0), late = At(Threads(0), 5);
        Assert.Same(late, SnapshotPair.Create(late, early, out _)!.Later);
        Assert.Same(late, SnapshotPair.Create(early, late, out _)!.Later);
    }

    [Fact]
    public void Moments_closer_than_whole_seconds_give_no_load()
    {
        SnapshotBuilder busy = new SnapshotBuilder().Thread(9, ThreadActivityKind.Running, times: Times(1));
        SnapshotPair pair = SnapshotPair.Create(At(busy, 0), At(busy, 1), out _)!;
        Assert.Null(pair.Elapsed);
        Assert.Null(PairAnalysis.Run(pair).Snapshot.Threads[0].RecentUse);
    }

    public static TheoryData<string, string> Differences => new()
    {
        { "id", "their process ids are 7 and 8" },
        { "start", "process id 7 was used again: their processes started at different times" },
        { "modules", "the modules that both have lie at different addresses" },
        { "system", "one is of Windows 10.0.19045 x64, the other of Linux x64" },
    };

    [Theory]
    [MemberData(nameof(Differences))]
    public void Dumps_of_different_processes_are_told_apart(string what, string message)
    {
        ProcessSnapshot first = At(Threads(0), 0), second = At(Threads(0), 5);
        second = what switch
        {
            "id" => second with { ProcessId = 8 },
            "start" => second with { ProcessStart = 2 },
            "modules" => second with { Modules = [.. second.Modules.Select(m => m with { BaseAddress = m.BaseAddress + 0x10000 })] },
            _ => second with { System = second.System with { Family = OperatingSystemFamily.Linux, Text = "Linux x64" } },
        };
        Assert.Null(SnapshotPair.Create(first, second, out string? difference));
        Assert.Equal(message, difference);
    }

    private static PairResult Judge(SnapshotBuilder before, SnapshotBuilder after) =>
        PairAnalysis.Run(SnapshotPair.Create(At(before, 0), At(after, 5), out _)!);

    private static ProcessSnapshot At(SnapshotBuilder builder, int seconds)
    {
        ProcessSnapshot snapshot = builder.Build();
        return snapshot with { ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = s_moment.AddSeconds(seconds) } };
    }

    /// <summary>Threads 1 to 3 with the same processor time; null for dumps without times.</summary>
    private static SnapshotBuilder Threads(double? used, DateTime? created = null) => new SnapshotBuilder()
        .Thread(1, times: Times(used, created)).Thread(2, times: Times(used, created)).Thread(3, times: Times(used, created));

    /// <summary>Threads 1 and 2 wait for each other; with a third lock, for that one instead of the right one.</summary>
    private static SnapshotBuilder Cycle(double? used, WaitTimeout timeout = WaitTimeout.Infinite, Resource? third = null, DateTime? created = null) =>
        Threads(used, created)
        .Wait(1, third ?? s_right, timeout).Own(third ?? s_right, 2).Wait(2, s_left, timeout).Own(s_left, 1);

    private static ThreadTimes? Times(double? seconds, DateTime? created = null) =>
        seconds is { } used ? new ThreadTimes(TimeSpan.Zero, TimeSpan.FromSeconds(used), created ?? s_moment.AddSeconds(-1000), TimeSpan.FromSeconds(1000))
            : null;
}
