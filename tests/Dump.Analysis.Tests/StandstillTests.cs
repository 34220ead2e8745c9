using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Several dumps accuse an owner that stands still with its waiters, and clear one that they show to have moved on.</summary>
public sealed class StandstillTests
{
    private static readonly DateTime s_moment = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);
    private static readonly Resource s_lock = SnapshotBuilder.Section(0x100);
    private static readonly string[] s_frames = ["ntdll!NtReadFile", "kernelbase!ReadFile", "app!reply"];

    private static readonly string[] s_server = ["ntdll!NtWaitForSingleObject", "mswsock!SockWaitForSingleObject", "ws2_32!accept", "app!serve"];

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(14)]
    public void Owner_that_stands_with_its_waiters_is_accused_however_few_they_are(int waiters)
    {
        PairResult result = Judge(Clients(1, waiters), Clients(1, waiters));
        Verdict verdict = Assert.Single(result.Result.Verdicts);
        Assert.Equal(("DUMP1005", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("It held the same lock in the first dump, 9 s earlier; it has used next to no CPU time since and stands at the same place.",
            verdict.Claims.Select(c => c.Text));
    }

    public static TheoryData<string> Healthy => new()
    {
        "another owner", "owner at another place", "owner worked", "other waiters", "one was served", "waiters worked", "too short", "no times", "idle owner",
            "values on its stack changed", "waits for the next client", "limits unknown",
        "one waiter worked", "all worked a little", "values on one waiter's stack changed", "turns were counted", "the count began anew",
            "values on the waiters' stacks changed",
    };

    [Theory]
    [MemberData(nameof(Healthy))]
    public void Owner_that_moved_on_is_at_most_suspected(string what)
    {
        SnapshotBuilder before = what switch
        {
            "another owner" => Clients(2, 4),
            "owner at another place" => Clients(1, 4, frames: ["ntdll!NtReadFile", "app!ask"]),
            "other waiters" => Clients(1, 4, first: 20),
            "one was served" => Clients(1, 5),
            "no times" => Clients(1, 4, used: null),
            "idle owner" => Clients(1, 4, activity: ThreadActivityKind.Idle),
            "values on its stack changed" => Clients(1, 4, content: "1"),
            "turns were counted" => Clients(1, 4, contentions: 4),
            "the count began anew" => Clients(1, 4, contentions: 4_000_000_000),
            "values on the waiters' stacks changed" => Clients(1, 4, waitersContent: "1"),
            "waits for the next client" => Clients(1, 4, frames: s_server),
            "limits unknown" => Clients(1, 4, limit: WaitTimeout.Unknown),
            _ => Clients(1, 4),
        };
        SnapshotBuilder after = what switch
        {
            "owner worked" => Clients(1, 4, used: 0.2),
            "waiters worked" => Clients(1, 4, waitersUsed: 0.2),
            "one waiter worked" => Clients(1, 3).Thread(13, times: Times(0.2)).Wait(13, s_lock),
            "all worked a little" => Clients(1, 4, used: 0.01, waitersUsed: 0.015),
            "values on one waiter's stack changed" => Clients(1, 4).With(t => t with { Stack = t.Stack with { CallerContent = "1" } }),
            "one was served" => Clients(1, 4).Thread(14, frames: ["app!work"]),
            "no times" => Clients(1, 4, used: null),
            "idle owner" => Clients(1, 4, activity: ThreadActivityKind.Idle),
            "values on its stack changed" => Clients(1, 4, content: "2"),
            "turns were counted" => Clients(1, 4, contentions: 5),
            "the count began anew" => Clients(1, 4, contentions: 4),
            "values on the waiters' stacks changed" => Clients(1, 4, waitersContent: "2"),
            "waits for the next client" => Clients(1, 4, frames: s_server),
            "limits unknown" => Clients(1, 4, limit: WaitTimeout.Unknown),
            _ => Clients(1, 4),
        };
        PairResult result = Judge(before, after, what == "too short" ? 3 : 9);
        Assert.All(result.Result.Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));
    }

    /// <summary>
    /// A short round through a lock takes next to no processor time and comes back to the same frames. Pauses tell it from one wait; where they were not counted, any
    /// processor time leaves it open. Looks in between stop all threads alike.
    /// </summary>
    [Theory]
    [InlineData(0L, 0L, 0.02, Confidence.Likely)]
    [InlineData(900L, 900L, 0.02, null)]
    [InlineData(900L, 900L, 0, null)]
    [InlineData(0L, 900L, 0.02, null)]
    [InlineData(6L, 6L, 0, Confidence.Likely, 6L)]
    [InlineData(6L, 6L, 0.02, Confidence.Suspected, 6L)]
    [InlineData(906L, 906L, 0.02, null, 6L)]
    [InlineData(null, null, 0.02, Confidence.Suspected)]
    [InlineData(null, null, 0, Confidence.Likely)]
    public void Pauses_of_owner_and_waiters_decide_where_they_were_counted(long? owner, long? waiters, double used, Confidence? expected, long others = 0)
    {
        ThreadSnapshot Counted(ThreadSnapshot thread, long? pauses, bool isLater) =>
            thread with { Switches = pauses is { } count ? isLater ? new SwitchCount(11 + count, 12 + count) : new SwitchCount(9, 10) : null };
        SnapshotBuilder Look(bool isLater) => Clients(1, 4, used: isLater ? used : 0)
            .Thread(90, ThreadActivityKind.Idle).WithEach(t => Counted(t, t.Id == 1 ? owner : t.Id == 90 ? waiters is null ? null : others : waiters, isLater));
        Assert.Equal(expected, Judge(Look(false), Look(true)).Result.Verdicts.SingleOrDefault()?.Confidence);
    }

    /// <summary>Who has come to wait counts too: only what is above that shows that somebody got the lock.</summary>
    [Theory]
    [InlineData(4u, 4u, true)]
    [InlineData(4u, 6u, true)]
    [InlineData(4u, 7u, false)]
    [InlineData(uint.MaxValue - 1, 0u, true)]
    [InlineData(null, 7u, true)]
    [InlineData(4u, null, true)]
    public void Waits_that_the_lock_has_counted_beyond_the_new_ones_clear_its_owner(uint? before, uint? after, bool isAccused)
    {
        AnalysisResult result = Judge(Clients(1, 4, contentions: before), Clients(1, 6, contentions: after)).Result;
        Assert.Equal(isAccused ? ["DUMP1005 Likely"] : Array.Empty<string>(), result.Verdicts.Select(v => $"{v.DetectorId} {v.Confidence}"));
        Assert.False(result.IsUndecidable);
    }

    [Fact]
    public void Threads_of_which_nothing_is_known_may_have_come_to_wait()
    {
        SnapshotBuilder after = Clients(1, 4, contentions: 5).Thread(50, ThreadActivityKind.Unknown, [], end: StackEnd.NoContext);
        Assert.Contains(Judge(Clients(1, 4, contentions: 4), after).Result.Verdicts, v => v.Confidence == Confidence.Likely);
    }

    [Fact]
    public void Owner_with_few_waiters_whose_lock_has_changed_hands_leaves_nothing_open()
    {
        AnalysisResult result = Judge(Clients(1, 2, contentions: 4), Clients(1, 2, contentions: 40)).Result;
        Assert.Empty(result.Verdicts);
        Assert.False(result.IsUndecidable);
    }

    /// <summary>Alone the second dump is Likely: nobody who lives can wake the owner. The first shows that the lock passes from hand to hand.</summary>
    [Theory]
    [InlineData("stands", Confidence.Likely, "It held the same lock")]
    [InlineData("another owner", Confidence.Suspected, "In the first dump, 9 s earlier, it did not hold this lock.")]
    [InlineData("one was served", Confidence.Suspected, "In the first dump, 9 s earlier, thread 4 (0xd) waited for this lock too and does not any more")]
    [InlineData("turns were counted", Confidence.Suspected,
        "Since the first dump, 9 s earlier, more waits for critical section 0x100 have been counted than threads have come to wait: it was released")]
    public void First_dump_lowers_what_it_refutes(string what, Confidence expected, string says)
    {
        SnapshotBuilder after = Stuck(1, 3, contentions: 90);
        SnapshotBuilder before = what switch { "stands" => Stuck(1, 3, contentions: 90), "turns were counted" => Stuck(1, 3, contentions: 89),
            "another owner" => Stuck(10, 3), _ => Stuck(1, 4) };
        if (what == "one was served")
        {
            after.Thread(13, frames: ["app!work"], times: Times(0)).Wait(13, new Resource(ResourceKind.Time, 0, 13), WaitTimeout.Infinite);
        }

        Assert.Equal(Confidence.Likely, Assert.Single(HangAnalysis.Run(after.Build()).Verdicts).Confidence);
        Verdict verdict = Assert.Single(Judge(before, after).Result.Verdicts);
        Assert.Equal(("DUMP1005", expected), (verdict.DetectorId, verdict.Confidence));
        Assert.StartsWith(says, verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    /// <summary>The owner of the shape "63 cores": 30 s of CPU time in a day, and all of one processor between the dumps.</summary>
    [Theory]
    [InlineData(9, 0, 174, "DUMP2001", Confidence.Likely)]
    [InlineData(9, 0.01, 174, "DUMP2001", Confidence.Suspected)]
    [InlineData(1, 0, 174, "DUMP2001", Confidence.Suspected)]
    [InlineData(9, 0, 173, "DUMP2001", Confidence.Suspected)]
    [InlineData(0, 0, 174, "DUMP1005", Confidence.Likely)]
    public void Owner_that_burns_a_processor_between_the_dumps_is_likely_to_be_the_hang(double used, double waitersUsed, int left, string id,
        Confidence expected)
    {
        SnapshotBuilder Server(double owner, double others, int waiters)
        {
            SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, times: Times(30 + owner)).Own(s_lock, 1);
            for (uint id = 10; id < 184; id++)
            {
                builder.Thread(id, times: Times(others));
                if (id - 10 < waiters)
                {
                    builder.Wait(id, s_lock);
                }
            }

            return builder;
        }

        Verdict verdict = Assert.Single(Judge(Server(0, 0, 174), Server(used, waitersUsed, left)).Result.Verdicts);
        Assert.Equal((id, expected), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>
    /// A cycle that stands although a thread of it has worked: a part of the same knot of waits, which the shortest cycle does not pass, is doubted too.
    /// </summary>
    [Fact]
    public void No_verdict_says_not_stuck_for_good_and_deadlock_at_once()
    {
        Resource[] locks = [.. Enumerable.Range(0, 4).Select(i => SnapshotBuilder.Section(0x1000 + ((ulong)i * 0x100)))];
        SnapshotBuilder Knot(double used) => new SnapshotBuilder().Thread(1, times: Times(0)).Thread(2, times: Times(used)).Thread(3, times: Times(used))
            .Own(locks[0], 1).Own(locks[1], 2).Own(locks[2], 3).Own(locks[3], 1)
            .Wait(1, locks[1]).Wait(2, locks[0]).Wait(2, locks[2]).Wait(3, locks[3]);
        foreach (Verdict verdict in Judge(Knot(0), Knot(0.5)).Result.Verdicts)
        {
            Assert.Equal(Confidence.Suspected, verdict.Confidence);
            Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Series_asks_every_dump_in_between()
    {
        SnapshotBuilder stands = Clients(1, 4), moved = Clients(2, 4);
        Confidence? Of(params SnapshotBuilder[] looks) =>
            PairAnalysis.Run(SnapshotSeries.Create([.. looks.Select((b, i) => At(b, i * 9))], out _)!)
                .Result.Verdicts.SingleOrDefault(v => v.DetectorId == "DUMP1005")?.Confidence;
        Assert.Equal(Confidence.Likely, Of(stands, stands, stands));
        Assert.Equal(Confidence.Likely, Of(moved, stands, stands));
        Assert.NotEqual(Confidence.Likely, Of(stands, moved, stands));
        Assert.NotEqual(Confidence.Likely, Of(stands, stands, moved));
    }

    [Fact]
    public void Series_names_the_dump_since_which_it_stands()
    {
        ProcessSnapshot[] looks = [At(Clients(2, 4), 0), At(Clients(1, 4), 9), At(Clients(1, 4), 18), At(Clients(1, 4), 27)];
        Verdict verdict = Assert.Single(PairAnalysis.Run(SnapshotSeries.Create(looks, out _)!).Result.Verdicts);
        Assert.Equal("It held the same lock in dump 2 of 4, 18 s earlier; it has used next to no CPU time since and stands at the same place.", verdict.Claims[^1]
            .Text);
    }

    [Fact]
    public void Series_of_other_processes_is_none()
    {
        ProcessSnapshot one = At(Clients(1, 4), 0);
        Assert.Null(SnapshotSeries.Create([one, At(Clients(1, 4), 9), At(Clients(1, 4), 18) with { ProcessId = 8 }], out string? difference));
        Assert.Equal("their process ids are 7 and 8", difference);
        SnapshotSeries series = SnapshotSeries.Create([At(Clients(1, 4), 18), one, At(Clients(1, 4), 9)], out _)!;
        Assert.Equal([0, 9, 18], series.Snapshots.Select(s => (s.Source.Captured!.Value - s_moment).TotalSeconds));
    }

    /// <summary>
    /// Threads 1 and 10 up: one holds the lock and waits at most a minute for a reply, the others wait for the lock, and a device thread works.
    /// </summary>
    private static SnapshotBuilder Clients(
        uint owner, int waiters, uint first = 10, double? used = 0, double waitersUsed = 0, string[]? frames = null, ThreadActivityKind activity =
            ThreadActivityKind.Waiting,
        string content = "0", WaitTimeout limit = WaitTimeout.Infinite, uint? contentions = null, string waitersContent = "0")
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(99, ThreadActivityKind.Waiting, times: Times(0))
            .Thread(owner, activity, frames ?? s_frames, Times(used))
            .With(t => t with { Stack = t.Stack with { Content = content } }).Own(s_lock, owner, contentions: contentions)
            .Wait(owner, new Resource(activity == ThreadActivityKind.Idle ? ResourceKind.Work : ResourceKind.Event, 0x44), WaitTimeout.Finite,
                milliseconds: 60_000);
        for (uint id = first; id < first + waiters; id++)
        {
            builder.Thread(id, times: Times(used is null ? null : waitersUsed)).With(t => t with { Stack = t.Stack with { CallerContent = waitersContent } })
                .Wait(id, s_lock, limit);
        }

        return builder;
    }

    /// <summary>The owner waits without end, and all others queue behind it.</summary>
    private static SnapshotBuilder Stuck(uint owner, int waiters, uint? contentions = null)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, times: Times(0));
        for (uint id = 10; id < 10 + waiters; id++)
        {
            builder.Thread(id, times: Times(0));
        }

        foreach (uint id in new[] { 1u }.Concat(Enumerable.Range(10, waiters).Select(i => (uint)i)).Where(id => id != owner))
        {
            builder.Wait(id, s_lock);
        }

        return builder.Own(s_lock, owner, contentions: contentions).Wait(owner, new Resource(ResourceKind.ConditionVariable, 0x44));
    }

    private static PairResult Judge(SnapshotBuilder before, SnapshotBuilder after, int seconds = 9) =>
        PairAnalysis.Run(SnapshotPair.Create(At(before, 0), At(after, seconds), out _)!);

    private static ProcessSnapshot At(SnapshotBuilder builder, int seconds)
    {
        ProcessSnapshot snapshot = builder.Build();
        return snapshot with { ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = s_moment.AddSeconds(seconds) } };
    }

    private static ThreadTimes? Times(double? seconds) =>
        seconds is { } used ? new ThreadTimes(TimeSpan.Zero, TimeSpan.FromSeconds(used), s_moment.AddSeconds(-86_400), TimeSpan.FromSeconds(86_400)) : null;

    /// <summary>
    /// A lock of .NET that is never free for long: threads that wait for it are woken all the time, so that it passes on. The owner of one that polls under it wakes
    /// as often, and nobody else does.
    /// </summary>
    [Theory]
    [InlineData(5L, 1, null)]
    [InlineData(5L, 3, null)]
    [InlineData(0L, 1, "DUMP1005")]
    [InlineData(0L, 3, "DUMP1005")]
    [InlineData(null, 3, "DUMP1005")]
    public void Living_process_whose_waiters_are_woken_is_cleared_by_a_second_look(long? pauses, int waiters, string? expected)
    {
        Resource held = new(ResourceKind.Monitor, 0x5000);
        ProcessSnapshot At(int second)
        {
            ThreadTimes times = new(TimeSpan.Zero, TimeSpan.Zero, s_moment.AddHours(-1), TimeSpan.FromHours(1));
            ThreadSnapshot Living(ThreadSnapshot thread, long? woken) => thread with
            {
                ManagedId = (int)thread.Id, RecentUse = new ProcessorUse(TimeSpan.Zero, TimeSpan.FromSeconds(1)) { Pauses = woken },
            };
            SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, ["libc!futex", "app!Holds"], times).With(t => Living(t, 9)).Own(held, 1);
            for (uint id = 2; id < 2 + waiters; id++)
            {
                builder.Thread(id, frames: ["libc!futex", "app!Enters"], times: times).With(t => Living(t, pauses)).Wait(id, held);
            }

            ProcessSnapshot snapshot = builder.Build();
            return snapshot with
            {
                ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = s_moment.AddSeconds(second) },
                System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            };
        }

        AnalysisResult first = HangAnalysis.Run(At(0)), both = PairAnalysis.Run(SnapshotPair.Create(At(0), At(5), out _)!).Result;
        Assert.Equal(pauses is not null, first.AsksForAnotherLook);
        Assert.Equal(expected, both.Verdicts.SingleOrDefault()?.DetectorId);
        Assert.False(expected is null && both.IsUndecidable);
    }
}
