using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>DUMP1008: owners of locks that somebody has suspended.</summary>
public sealed class SuspendedOwnerTests
{
    private const uint Owner = 1;
    private static readonly ThreadTimes s_idle = new(TimeSpan.Zero, TimeSpan.FromMilliseconds(10), null, TimeSpan.FromSeconds(10));

    private static SnapshotBuilder Add(SnapshotBuilder builder, uint id, int? above, ThreadActivityKind activity = ThreadActivityKind.Waiting, bool waits =
        true)
    {
        builder.Thread(id, activity, times: s_idle).With(t => t with { SuspendedAbove = above });
        return waits ? builder.Wait(id, Section(0xA)) : builder;
    }

    /// <summary>The owner runs, two threads wait for its lock.</summary>
    private static SnapshotBuilder Queue(int? above, Grade owns = Grade.Proven, ThreadActivityKind activity = ThreadActivityKind.Running)
    {
        SnapshotBuilder builder = Add(new SnapshotBuilder(), Owner, above, activity, waits: false).Own(Section(0xA), Owner, grade: owns);
        return Add(Add(builder, 2, above is null ? null : 0), 3, above is null ? null : 0);
    }

    private static Verdict? Only(SnapshotBuilder builder)
    {
        AnalysisResult result = HangAnalysis.Run(builder.Build());
        Assert.DoesNotContain(result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        return result.Verdicts.SingleOrDefault(v => v.DetectorId == "DUMP1008");
    }

    [Theory]
    [InlineData(Grade.Proven)]
    [InlineData(Grade.Derived)]
    public void A_suspended_owner_for_which_all_others_wait_is_likely(Grade owns)
    {
        Verdict? verdict = Only(Queue(1, owns));
        Assert.Equal(Confidence.Likely, verdict?.Confidence);
        Assert.Equal([Owner], verdict!.Threads.ToArray());
        Assert.Equal("Thread 0 (0x1) holds critical section 0xa, for which 2 threads wait.", verdict.Claims[0].Text);
        Assert.StartsWith("It is suspended (count 1 above what the dump's writer gives)", verdict.Claims[1].Text, StringComparison.Ordinal);
        Assert.EndsWith("; suspended (count 1 above what the dump's writer gives)", verdict.Stacks[0].Role, StringComparison.Ordinal);
    }

    /// <summary>A profiler of the process that samples, or anything else that may resume the thread within a moment.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.SystemCall)]
    [InlineData(ThreadActivityKind.Sleeping)]
    [InlineData(ThreadActivityKind.Unknown)]
    public void While_another_thread_acts_it_may_be_the_one_that_resumes(ThreadActivityKind activity) =>
        Assert.Equal(Confidence.Suspected, Only(Add(Queue(1), 4, 0, activity, waits: false))?.Confidence);

    [Fact]
    public void Two_suspended_threads_are_only_suspected() => Assert.Equal(Confidence.Suspected, Only(Add(Queue(1), 4, 1))?.Confidence);

    [Fact]
    public void Two_threads_do_not_say_what_the_writer_gives()
    {
        SnapshotBuilder builder = Add(new SnapshotBuilder(), Owner, 1, ThreadActivityKind.Running, waits: false).Own(Section(0xA), Owner);
        Assert.Equal(Confidence.Suspected, Only(Add(builder, 2, 0))?.Confidence);
    }

    [Fact]
    public void A_queue_with_time_limits_is_only_suspected()
    {
        SnapshotBuilder builder = Add(new SnapshotBuilder(), Owner, 1, ThreadActivityKind.Running, waits: false).Own(Section(0xA), Owner);
        builder.Thread(2, times: s_idle).Wait(2, Section(0xA), WaitTimeout.Finite, milliseconds: 100).Thread(3, times: s_idle)
            .Wait(3, Section(0xA), WaitTimeout.Unknown);
        Assert.Equal(Confidence.Suspected, Only(builder)?.Confidence);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(0)]
    public void An_owner_whose_count_does_not_stand_out_is_not_suspended(int? above) => Assert.Null(Only(Queue(above)));

    /// <summary>The healthy twin: whoever is suspended, it holds nothing that others wait for.</summary>
    [Fact]
    public void A_suspended_thread_that_owns_nothing_is_no_verdict()
    {
        SnapshotBuilder builder = Add(new SnapshotBuilder(), Owner, 1, ThreadActivityKind.Running, waits: false).Own(Section(0xA), 9);
        Assert.Null(Only(Add(Add(Add(builder, 2, 0), 3, 0), 9, 0, ThreadActivityKind.Running, waits: false)));
    }

    [Fact]
    public void A_mere_candidate_for_the_owner_is_no_owner() => Assert.Null(Only(Queue(1, Grade.Suspected)));

    /// <summary>One hang, one verdict: nobody says of it that it burns CPU time or blocks the head of a queue.</summary>
    [Fact]
    public void A_suspended_owner_is_no_head_blocker_and_no_spinner()
    {
        SnapshotBuilder builder = Queue(1);
        for (uint id = 10; id < 30; id++)
        {
            Add(builder, id, 0);
        }

        Assert.Equal(["DUMP1008"], HangAnalysis.Run(builder.Build()).Verdicts.Select(v => v.DetectorId));
    }

    /// <summary>Who waits for the end of a suspended thread owns no lock of it: the head of the queue is told of as DUMP1005.</summary>
    [Fact]
    public void A_suspended_thread_whose_end_an_owner_waits_for_is_the_head_of_the_queue()
    {
        Resource end = new(ResourceKind.Thread, 9);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Own(Section(0xA), 1).Wait(1, end).Own(end, 9);
        Add(Add(Add(Add(builder, 9, 1, ThreadActivityKind.Running, waits: false), 2, 0), 3, 0), 4, 0);
        Verdict verdict = Assert.Single(HangAnalysis.Run(builder.Build()).Verdicts);
        Assert.Equal(("DUMP1005", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal("It ran until somebody suspended it.", verdict.Claims[1].Text);
    }

    [Fact]
    public void A_cycle_explains_it()
    {
        SnapshotBuilder builder = Queue(1, activity: ThreadActivityKind.Waiting).Wait(Owner, Section(0xB)).Own(Section(0xB), 2);
        Assert.Equal(["DUMP1002"], HangAnalysis.Run(builder.Build()).Verdicts.Select(v => v.DetectorId));
    }

    /// <summary>Another thread sleeps for a while, and may resume the owner: only the second dump says that it did not.</summary>
    [Theory]
    [InlineData(1, 6, Confidence.Likely)]
    [InlineData(1, 3, Confidence.Suspected)]
    [InlineData(0, 6, Confidence.Suspected)]
    public void An_owner_that_stays_suspended_is_likely(int before, int seconds, Confidence expected)
    {
        ProcessSnapshot At(int above, int moment)
        {
            ProcessSnapshot snapshot = Add(Queue(above), 4, 0, ThreadActivityKind.Sleeping, waits: false).Build();
            return snapshot with { ProcessId = 7, Source = snapshot.Source with { Captured = new DateTime(2026, 1, 2, 3, 4, 5 + moment, DateTimeKind.Utc) } };
        }

        SnapshotPair pair = SnapshotPair.Create(At(before, 0), At(1, seconds), out _)!;
        Assert.Equal(expected, PairAnalysis.Run(pair).Result.Verdicts.Single(v => v.DetectorId == "DUMP1008").Confidence);
    }

    [Fact]
    public void Without_the_memory_of_locks_the_question_stays_open()
    {
        SnapshotBuilder builder = new() { Available = DataAvailability.All with { LockMemory = false } };
        AnalysisResult result = HangAnalysis.Run(Add(builder, Owner, null, ThreadActivityKind.Running, waits: false).Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP1008").Kind);
    }
}
