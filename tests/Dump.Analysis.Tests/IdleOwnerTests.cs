using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP1003: a managed lock that an idle worker of the thread pool owns has been left locked.</summary>
public sealed class IdleOwnerTests
{
    private const uint Worker = 1;
    private static readonly Resource s_monitor = new(ResourceKind.Monitor, 0xA000);

    private static AnalysisResult Run(
        ThreadActivityKind activity = ThreadActivityKind.Idle, uint[]? workers = null, Grade owner = Grade.Proven, WaitTimeout timeout = WaitTimeout.Infinite,
        Resource? held = null) =>
        HangAnalysis.Run(new SnapshotBuilder().Thread(Worker, activity).Thread(2).Wait(2, held ?? s_monitor, timeout)
            .Own(held ?? s_monitor, Worker, grade: owner).Build() with
        {
            ThreadPool = new ThreadPoolState([.. workers ?? [Worker]], 10, 0),
        });

    [Theory]
    [InlineData(Grade.Proven, WaitTimeout.Infinite, Confidence.Likely)]
    [InlineData(Grade.Derived, WaitTimeout.Infinite, Confidence.Likely)]
    [InlineData(Grade.Proven, WaitTimeout.Unknown, Confidence.Suspected)]
    public void Idle_worker_has_left_the_lock_locked(Grade owner, WaitTimeout timeout, Confidence expected)
    {
        Verdict verdict = Assert.Single(Run(owner: owner, timeout: timeout).Verdicts);
        Assert.Equal(("DUMP1003", expected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal((uint[])[Worker, 2], verdict.Threads.AsEnumerable());
    }

    private static ProcessSnapshot ById(SnapshotBuilder builder, params uint[] workers)
    {
        ProcessSnapshot snapshot = builder.Build();
        return snapshot with
        {
            Ownerships = [.. snapshot.Ownerships.Select(o => o.Resource == s_monitor ? o with { ManagedIdAlone = 7 } : o)],
            ThreadPool = new ThreadPoolState([.. workers], 10, 0),
        };
    }

    [Fact]
    public void Idle_worker_that_only_has_the_id_may_be_a_later_thread_but_nobody_leaves_the_lock()
    {
        Verdict verdict = Assert.Single(HangAnalysis.Run(ById(
            new SnapshotBuilder().Thread(Worker, ThreadActivityKind.Idle).Thread(2).Wait(2, s_monitor, WaitTimeout.Infinite)
                .Own(s_monitor, Worker, grade: Grade.Suspected), Worker)).Verdicts);
        Assert.Equal(("DUMP1003", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("has the managed id 7 that the lock stores (perhaps a later thread of the same id)", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Contains("its thread has ended with the lock", verdict.Claims[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Busy_thread_that_only_has_the_id_makes_an_orphan_suspected_and_is_not_accused()
    {
        Verdict verdict = Assert.Single(HangAnalysis.Run(ById(
            new SnapshotBuilder().Thread(Worker, ThreadActivityKind.Sleeping).Thread(2).Thread(3).Wait(2, s_monitor, WaitTimeout.Infinite)
                .Wait(3, s_monitor, WaitTimeout.Infinite).Own(s_monitor, Worker, grade: Grade.Suspected))).Verdicts);
        Assert.Equal(("DUMP1003", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal((uint[])[2, 3], verdict.Threads.AsEnumerable());
        Assert.Contains("perhaps a later thread of the same id", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(WaitTimeout.Finite)]
    [InlineData(WaitTimeout.Unknown)]
    public void Wait_that_may_give_up_says_nothing_of_a_thread_that_only_has_the_id(WaitTimeout timeout) =>
        Assert.DoesNotContain(HangAnalysis.Run(ById(
            new SnapshotBuilder().Thread(Worker, ThreadActivityKind.Sleeping).Thread(2).Wait(2, s_monitor, timeout)
                .Own(s_monitor, Worker, grade: Grade.Suspected))).Verdicts, v => v.DetectorId == "DUMP1003");

    [Fact]
    public void Wait_that_gives_up_is_no_verdict() => Assert.Empty(Run(timeout: WaitTimeout.Finite).Verdicts);

    [Theory]
    [InlineData(ThreadActivityKind.Waiting)]
    [InlineData(ThreadActivityKind.Sleeping)]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.Unknown)]
    public void Worker_that_does_something_may_still_leave_it(ThreadActivityKind activity) =>
        Assert.DoesNotContain(Run(activity).Verdicts, v => v.DetectorId == "DUMP1003");

    [Fact]
    public void Idle_thread_that_is_no_worker_may_come_back_to_its_work() =>
        Assert.DoesNotContain(Run(workers: [7]).Verdicts, v => v.DetectorId == "DUMP1003");

    [Fact]
    public void Native_lock_is_not_judged_by_the_managed_pool() =>
        Assert.DoesNotContain(Run(held: SnapshotBuilder.Section(0xB000)).Verdicts, v => v.DetectorId == "DUMP1003");
}
