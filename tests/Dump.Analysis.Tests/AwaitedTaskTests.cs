using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// Tasks of completion sources that many async methods await: told from ten on, and an open question where a hundred depend on nobody that is known.
/// </summary>
public sealed class AwaitedTaskTests
{
    private static AwaitedTask Of(int waiters, bool? ends = false) => new(0x5000)
    {
        Waiters = waiters, EndsByItself = ends, Methods = [new AwaitingMethod("App.Load", waiters)], Stopped = ["App.Handle", "App.Load"],
    };

    private static AnalysisResult Run(SnapshotBuilder builder, params AwaitedTask[] tasks) =>
        HangAnalysis.Run(builder.Build() with { AsyncWaits = new AsyncWaits { Tasks = [.. tasks] } });

    private static SnapshotBuilder Idle() => new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, ["libc"]).With(t => t with { ManagedId = 1 });

    private static SnapshotBuilder Running(string method) =>
        Idle().Thread(2, ThreadActivityKind.Running, [$"app!{method}"]).With(t => t with { ManagedId = 2 });

    [Theory]
    [InlineData(9, false, 0, false)]
    [InlineData(10, false, 1, false)]
    [InlineData(99, false, 1, false)]
    [InlineData(100, false, 1, true)]
    [InlineData(100, null, 1, true)]
    [InlineData(100, true, 1, false)]
    public void Many_waiters_leave_the_answer_open(int waiters, bool? ends, int lines, bool isUndecidable)
    {
        AnalysisResult result = Run(Idle(), Of(waiters, ends));
        Assert.Empty(result.Verdicts);
        Assert.Equal((lines, isUndecidable), (result.OpenWaits.Length, result.IsUndecidable));
        Resource task = new(ResourceKind.ManagedTask, 0x5000);
        Assert.All(result.OpenWaits, w => Assert.Equal(
            (null, isUndecidable, task, WaitTimeout.Infinite), (w.ThreadId, w.LeavesUndecided, w.Resource, w.Timeout)));
    }

    [Theory]
    [InlineData("App.Other", true)]
    [InlineData("App.Load", false)]
    [InlineData("App.Handle", false)]
    public void Thread_that_executes_a_waiting_method_may_complete_it(string method, bool isUndecidable) =>
        Assert.Equal(isUndecidable, Run(Running(method), Of(100)).IsUndecidable);

    [Fact]
    public void Call_that_has_got_further_may_complete_it()
    {
        AnalysisResult result = Run(Idle(), Of(200) with { Further = 2 });
        Assert.EndsWith(
            "token. No timer and no cancellation token is known to lead to it. 2 other calls of their methods do not, and may complete it. Look at App.Load "
                + "(200).",
            Assert.Single(result.OpenWaits).Activity, StringComparison.Ordinal);
        Assert.False(result.IsUndecidable);
    }

    [Fact]
    public void What_would_decide_is_told_for_semaphores_and_sources_apart()
    {
        AwaitedSemaphore semaphore = new(0x6000) { Waiters = 100, Unlimited = 100, Users = SemaphoreUsers.Others };
        AnalysisResult result = HangAnalysis.Run(
            Idle().Build() with { AsyncWaits = new AsyncWaits { Tasks = [Of(100), Of(100) with { Address = 0x5100 }], Semaphores = [semaphore] } });
        Assert.Equal(
            [
                "who releases the semaphore that many async methods wait for (What it waits for)",
                "who completes the tasks of 2 completion sources that many async methods wait for (What it waits for)",
            ],
            result.Outcomes.SelectMany(o => o.Missing).Select(m => m.What).Where(w => w.StartsWith("who ", StringComparison.Ordinal)).Distinct());
    }
}
