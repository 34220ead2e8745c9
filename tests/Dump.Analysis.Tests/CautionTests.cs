using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>What an ordinary busy program looks like at some moment must not be called a hang.</summary>
public sealed class CautionTests
{
    private static readonly ThreadTimes s_computing = new(TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(30), null, TimeSpan.FromSeconds(40));
    private static readonly ThreadTimes s_polling = new(TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(10), null, TimeSpan.FromSeconds(40));
    private static readonly ThreadTimes s_onlyPolling = new(TimeSpan.FromSeconds(26), TimeSpan.FromSeconds(12), null, TimeSpan.FromSeconds(40));
    private static readonly ThreadTimes s_idle = new(TimeSpan.Zero, TimeSpan.FromMilliseconds(10), null, TimeSpan.FromSeconds(40));
    private static readonly string[] s_yield = ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", "app!work"];

    private static AnalysisResult Run(SnapshotBuilder builder) => HangAnalysis.Run(builder.Build());

    private static Verdict? Verdict(SnapshotBuilder builder, string id) => Run(builder).Verdicts.SingleOrDefault(v => v.DetectorId == id);

    /// <summary>Who meets others at a barrier computes half of the time and waits in between: that is no thread that does nothing but compute.</summary>
    [Theory]
    [InlineData(2.9, 500L, false)]
    [InlineData(2.9, 3L, true)]
    [InlineData(2.9, null, true)]
    [InlineData(5.4, 500L, true)]
    public void Thread_that_also_waits_is_no_runaway(double used, long? pauses, bool isFound)
    {
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, ThreadActivityKind.Running, times: new ThreadTimes(TimeSpan.Zero, TimeSpan.FromSeconds(60), null, TimeSpan.FromSeconds(110)))
            .With(t => t with { RecentUse = new ProcessorUse(TimeSpan.FromSeconds(used), TimeSpan.FromSeconds(5.6)) { Pauses = pauses } });
        Assert.Equal(isFound, HangAnalysis.Run(builder.Build()).Verdicts.Any(v => v.DetectorId == "DUMP2002"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(14)]
    [InlineData(174)]
    public void A_computing_owner_is_a_suspicion_in_one_dump_however_long_its_queue(uint waiters)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, times: s_computing).Own(Section(0xA), 1);
        for (uint id = 2; id < 2 + waiters; id++)
        {
            builder.Thread(id, times: s_idle).Wait(id, Section(0xA));
        }

        Assert.Equal(Confidence.Suspected, Verdict(builder, "DUMP2001")?.Confidence);
    }

    [Theory]
    [InlineData(false, "It yields its time slice in")]
    [InlineData(true, "It yields its time slice in a loop in")]
    public void An_owner_that_yields_once_is_in_no_loop(bool polls, string says)
    {
        Verdict verdict = Verdict(
            new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, s_yield, polls ? s_polling : s_computing).Own(Section(0xA), 1)
                .Thread(2, frames: ["other!wait"], times: s_idle).Wait(2, Section(0xA)),
            "DUMP2001")!;
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.StartsWith(says, verdict.Claims[1].Text, StringComparison.Ordinal);
        Assert.Equal(polls, verdict.Claims[1].Text.Contains("loop", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("computes", Confidence.Suspected)]
    [InlineData("polls in turns", Confidence.Suspected)]
    [InlineData("polls", Confidence.Likely)]
    public void A_thread_that_computes_and_yields_once_is_no_proven_polling(string does, Confidence expected)
    {
        ThreadTimes times = does switch { "polls" => s_onlyPolling, "computes" => s_computing, _ => s_polling };
        Verdict verdict = Verdict(new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, s_yield, times), "DUMP2002")!;
        Assert.Equal(expected, verdict.Confidence);
        Assert.Equal(does != "computes", verdict.Claims[1].Text.Contains("for nothing", StringComparison.Ordinal));
    }

    /// <summary>
    /// The first thread of a program waits for its tasks, which compute: that is what programs do. A lock that somebody wants, or a second waiter, makes the
    /// difference.
    /// </summary>
    [Theory]
    [InlineData("its tasks", null)]
    [InlineData("its tasks under a lock", Confidence.Likely)]
    [InlineData("as others do", Confidence.Suspected)]
    public void A_task_that_computes_is_no_lock_that_is_held(string waits, Confidence? expected)
    {
        Resource task = new(ResourceKind.ManagedTask, 0x5000);
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, ThreadActivityKind.Running, times: s_computing)
            .With(t => t with { RecentUse = new ProcessorUse(TimeSpan.FromSeconds(9.9), TimeSpan.FromSeconds(10), true) })
            .Own(task, 1)
            .Thread(2).With(t => t with { RecentUse = new ProcessorUse(TimeSpan.Zero, TimeSpan.FromSeconds(10), false) }).Wait(2, task);
        if (waits != "its tasks")
        {
            builder.Thread(3).Wait(3, waits == "as others do" ? task : Section(0xA));
        }

        if (waits == "its tasks under a lock")
        {
            builder.Own(Section(0xA), 2);
        }

        Assert.Equal(expected, Verdict(builder, "DUMP2001")?.Confidence);
    }

    [Fact]
    public void Waiters_with_time_limits_make_no_likely_head_blocker()
    {
        SnapshotBuilder builder = Stuck();
        Queue(builder, 3, Section(0xA), WaitTimeout.Finite);
        Verdict verdict = Verdict(builder, "DUMP1005")!;
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.Contains("3 threads queue behind it, each with a time limit", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ResourceKind.InputOutput, Confidence.Suspected)]
    [InlineData(ResourceKind.RemoteCall, Confidence.Suspected)]
    [InlineData(ResourceKind.ManagedTask, Confidence.Suspected)]
    [InlineData(ResourceKind.Event, Confidence.Suspected)]
    [InlineData(ResourceKind.Semaphore, Confidence.Suspected)]
    [InlineData(ResourceKind.ConditionVariable, Confidence.Likely)]
    public void Head_that_something_outside_may_wake_is_only_suspected(ResourceKind kind, Confidence expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Own(Section(0xA), 1).Wait(1, new Resource(kind, 0x44));
        Queue(builder, 3, Section(0xA), WaitTimeout.Infinite);
        Assert.Equal(expected, Verdict(builder, "DUMP1005")!.Confidence);
    }

    [Theory]
    [InlineData(2, 1, Confidence.Suspected)]
    [InlineData(3, 1, Confidence.Suspected)]
    [InlineData(3, 0, Confidence.Likely)]
    public void Only_endless_waits_make_a_head_blocker_likely(uint endless, uint timed, Confidence expected)
    {
        SnapshotBuilder builder = Stuck();
        Queue(builder, endless, Section(0xA), WaitTimeout.Infinite);
        Queue(builder, timed, Section(0xA), WaitTimeout.Finite, first: 50);
        Verdict verdict = Verdict(builder, "DUMP1005")!;
        Assert.Equal(expected, verdict.Confidence);
        Assert.Contains($"{endless + timed} threads queue behind it{(timed == 0 ? "" : ", 1 of them with a time limit")}", verdict.Claims[0].Text,
            StringComparison.Ordinal);
    }

    /// <summary>Clients that each hold a lock until a device thread replies: whoever lives beside the queue may be the one that replies.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running, null, null, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Unknown, null, null, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Idle, null, null, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Waiting, ResourceKind.Event, null, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Sleeping, ResourceKind.Time, 40L, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Sleeping, ResourceKind.Time, 60_000L, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Sleeping, ResourceKind.Time, null, Confidence.Likely)]
    public void Head_that_another_thread_may_wake_is_only_suspected(ThreadActivityKind activity, ResourceKind? waits, long? milliseconds, Confidence expected)
    {
        SnapshotBuilder builder = Stuck();
        Queue(builder, 12, Section(0xA), WaitTimeout.Infinite);
        builder.Thread(40, activity);
        if (waits is { } kind)
        {
            builder.Wait(40, new Resource(kind, 0x80, 40), milliseconds is null ? WaitTimeout.Infinite : WaitTimeout.Finite, milliseconds: milliseconds);
        }

        Assert.Equal(expected, Verdict(builder, "DUMP1005")!.Confidence);
    }

    [Theory]
    [InlineData(Grade.Proven, Confidence.Likely)]
    [InlineData(Grade.Derived, Confidence.Likely)]
    [InlineData(Grade.Suspected, Confidence.Suspected)]
    public void Head_is_never_surer_than_its_wait(Grade grade, Confidence expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Own(Section(0xA), 1)
            .Wait(1, new Resource(ResourceKind.ConditionVariable, 0x44), grade: grade);
        Queue(builder, 12, Section(0xA), WaitTimeout.Infinite);
        Assert.Equal(expected, Verdict(builder, "DUMP1005")!.Confidence);
    }

    [Fact]
    public void Owner_that_sleeps_without_end_cannot_go_on_whoever_else_lives()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Own(Section(0xA), 1).Wait(1, new Resource(ResourceKind.Time, 0, 1))
            .Thread(40, ThreadActivityKind.Running);
        Queue(builder, 3, Section(0xA), WaitTimeout.Infinite);
        Assert.Equal(Confidence.Likely, Verdict(builder, "DUMP1005")!.Confidence);
    }

    /// <summary>It burns a processor now, but has slept for a day: its average says nothing. An idle owner burns none.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Idle, null)]
    public void Owner_that_slept_for_a_day_is_suspected_by_what_it_does_now(ThreadActivityKind activity, Confidence? expected)
    {
        ThreadTimes day = new(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(29), null, TimeSpan.FromSeconds(86_400));
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, activity, times: day).Own(Section(0xA), 1);
        Queue(builder, 174, Section(0xA), WaitTimeout.Infinite);
        Verdict? verdict = Verdict(builder, "DUMP2001");
        Assert.Equal(expected, verdict?.Confidence);
        Assert.Equal(expected is not null, verdict?.Remedies.Any(r => r.Contains("a second one some seconds later", StringComparison.Ordinal)) == true);
    }

    /// <summary>
    /// A living process is sampled twice within a moment: an owner that runs in the second and used no processor time is at work like any other.
    /// </summary>
    [Theory]
    [InlineData(0, null)]
    [InlineData(90, Confidence.Suspected)]
    public void Owner_that_runs_in_a_sample_without_having_used_time_is_no_spinner(int milliseconds, Confidence? expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, times: s_idle)
            .With(t => t with { RecentUse = new ProcessorUse(TimeSpan.FromMilliseconds(milliseconds), TimeSpan.FromMilliseconds(100)) })
            .Own(Section(0xA), 1).Thread(2, times: s_idle).Wait(2, Section(0xA));
        Assert.Equal(expected, Verdict(builder, "DUMP2001")?.Confidence);
    }

    [Fact]
    public void Spinner_with_waiters_is_told_once()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, s_yield, s_onlyPolling).Own(Section(0xA), 1)
            .Thread(2, frames: ["other!wait"], times: s_idle).Wait(2, Section(0xA));
        Verdict verdict = Assert.Single(Run(builder).Verdicts);
        Assert.Equal(("DUMP2001", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
    }

    [Fact]
    public void Threads_content_with_another_object_queue_for_nothing()
    {
        SnapshotBuilder builder = Stuck();
        for (uint id = 10; id < 14; id++)
        {
            builder.Thread(id).Wait(id, Section(0xA), any: true);
        }

        Assert.Null(Verdict(builder, "DUMP1005"));
    }

    [Fact]
    public void Threads_that_watch_for_the_end_of_another_are_no_queue()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Wait(1, new Resource(ResourceKind.Event, 0x44)).Own(new Resource(ResourceKind.Thread, 1), 1);
        Queue(builder, 12, new Resource(ResourceKind.Thread, 1), WaitTimeout.Infinite);
        Assert.Null(Verdict(builder, "DUMP1005"));
    }

    [Theory]
    [InlineData(false, Confidence.Suspected, "Lock that may be orphaned")]
    [InlineData(true, Confidence.Likely, "Orphaned lock")]
    public void Load_ownership_between_two_owners_is_no_orphan(bool lockIsOrphaned, Confidence expected, string title)
    {
        Resource ownership = new(ResourceKind.LoadOwnership, 0);
        SnapshotBuilder builder = new SnapshotBuilder { Loader = LoaderState.Unknown with { LoadOwnershipIsKnown = true } }
            .Thread(1, isLoadOwner: false).Wait(1, ownership, grade: Grade.Derived);
        if (lockIsOrphaned)
        {
            builder.Own(LoaderLock, 99, alive: false);
        }

        Verdict verdict = Verdict(builder, "DUMP1003")!;
        Assert.Equal((expected, title), (verdict.Confidence, verdict.Title));
    }

    [Fact]
    public void A_callback_known_only_from_the_frames_around_it_is_a_claim_of_its_own()
    {
        string[] frames = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "plug", "ntdll", "ntdll!LdrShutdownThread",
            "ntdll!RtlExitUserThread"];
        Verdict verdict = Verdict(
            new SnapshotBuilder().Thread(1, frames: frames).Thread(2).Own(LoaderLock, 1).Wait(1, Section(0xA)).Own(Section(0xA), 2).Wait(2, LoaderLock),
            "DUMP1001")!;
        Assert.Equal("Thread 0 (0x1) holds the loader lock (critical section 0x7000).", verdict.Claims[0].Text);
        Assert.Equal(Confidence.Confirmed, verdict.Claims[0].Confidence);
        Assert.Contains("plug.dll's", verdict.Claims[1].Text, StringComparison.Ordinal);
        Assert.Equal(Confidence.Likely, verdict.Claims[1].Confidence);
    }

    [Theory]
    [InlineData("app!wait", null)]
    [InlineData("plug!wait", Confidence.Suspected)]
    public void That_two_threads_are_in_the_program_itself_says_nothing(string holder, Confidence? expected)
    {
        string[] spinner = ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", holder[..holder.IndexOf('!', StringComparison.Ordinal)] + "!work"];
        Assert.Equal(expected, Verdict(
            new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, spinner, s_idle).Own(Section(0xA), 1).Thread(2, frames: [holder], times: s_idle)
                .Wait(2, Section(0xA)),
            "DUMP1002")?.Confidence);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Nothing_found_in_a_damaged_file_is_no_all_clear(bool losesFacts)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, times: s_idle).Build() with
        {
            Problems = [new ReaderProblem("memory", "damaged") { LosesFacts = losesFacts }],
        };
        Assert.Equal(losesFacts, HangAnalysis.Run(snapshot).IsUndecidable);
    }

    private static SnapshotBuilder Stuck() => new SnapshotBuilder().Thread(1).Own(Section(0xA), 1).Wait(1, new Resource(ResourceKind.ConditionVariable, 0x44));

    private static void Queue(SnapshotBuilder builder, uint waiters, Resource resource, WaitTimeout timeout, uint first = 10)
    {
        for (uint id = first; id < first + waiters; id++)
        {
            builder.Thread(id).Wait(id, resource, timeout);
        }
    }

    /// <summary>The owner of a queue waits for an SRW lock whose only candidate stands in that very queue.</summary>
    [Fact]
    public void A_cycle_through_a_mere_candidate_hides_no_head_blocker()
    {
        Resource section = SnapshotBuilder.Section(0x5000);
        Resource slim = new(ResourceKind.SlimReaderWriterLock, 0x6000);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Wait(1, slim).Own(section, 1).Own(slim, 2, grade: Grade.Suspected);
        for (uint id = 2; id < 10; id++)
        {
            builder.Thread(id).Wait(id, section);
        }

        AnalysisResult result = HangAnalysis.Run(builder.Build());
        Assert.Equal([("DUMP1005", Confidence.Likely), ("DUMP1002", Confidence.Suspected)], result.Verdicts.Select(v => (v.DetectorId, v.Confidence)));
    }

    [Fact]
    public void Nobody_queues_behind_a_mere_candidate()
    {
        Resource slim = new(ResourceKind.SlimReaderWriterLock, 0x6000);
        Resource first = SnapshotBuilder.Section(0x5000);
        Resource second = SnapshotBuilder.Section(0x5100);
        Verdict verdict = Assert.Single(HangAnalysis.Run(new SnapshotBuilder()
            .Thread(1).Thread(2).Thread(3)
            .Wait(1, second).Own(first, 1).Wait(2, first).Own(second, 2)
            .Wait(3, slim).Own(slim, 1, grade: Grade.Suspected).Build()).Verdicts);
        Assert.Empty(verdict.Victims);
    }
}
