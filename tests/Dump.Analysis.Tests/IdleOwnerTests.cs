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
