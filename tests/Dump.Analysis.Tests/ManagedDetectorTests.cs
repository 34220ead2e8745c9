using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP1006 and DUMP1007: what makes them speak, what keeps them silent.</summary>
public sealed class ManagedDetectorTests
{
    private const ulong Context = 0x9000;
    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x5000);

    private static AwaitStep Step(ulong task, TaskState state) => new(task, $"Shop.Method{task:x}Async", state);

    private static TaskWait Waits(uint thread = 1, TaskState awaited = TaskState.Completed, string type = "Shop.LoopContext", bool isServed = true,
        ulong? continuation = null) => new(
        thread, [Step(0x5000, TaskState.Pending), Step(0x5100, awaited)], new SynchronizationContextFact(Context, type, isServed), continuation);

    private static AnalysisResult Judge(TaskWait wait, WaitTimeout timeout = WaitTimeout.Infinite, Grade grade = Grade.Proven, bool stacks = true) =>
        HangAnalysis.Run(
        new SnapshotBuilder { Available = DataAvailability.All with { Stacks = stacks } }.Thread(1).Wait(1, s_task, timeout, grade)
            .Build() with { TaskWaits = [wait] });

    [Fact]
    public void Thread_that_serves_the_context_of_its_own_continuation_is_deadlocked()
    {
        Verdict verdict = Assert.Single(Judge(Waits()).Verdicts);
        Assert.Equal(("DUMP1006", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("Shop.Method5000Async", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Pending_step_whose_continuation_names_the_thread_s_context_is_one_too() =>
        Assert.Equal("DUMP1006", Assert.Single(Judge(Waits(awaited: TaskState.Pending, continuation: Context)).Verdicts).DetectorId);

    [Fact]
    public void Known_single_threaded_context_needs_no_frames() => Assert.Equal(
        Confidence.Likely, Assert.Single(Judge(Waits(type: "System.Windows.Threading.DispatcherSynchronizationContext", isServed: false)).Verdicts).Confidence);

    /// <summary>WPF's context names its thread, whatever stands on the stacks.</summary>
    [Theory]
    [InlineData(1u, true)]
    [InlineData(2u, false)]
    public void Context_that_names_its_thread_decides_by_that(uint serving, bool isFound)
    {
        TaskWait wait = Waits(type: Wpf, isServed: false);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Thread(2).Wait(1, s_task);
        ProcessSnapshot snapshot = builder.Build() with { TaskWaits = [wait with { ThreadContext = wait.ThreadContext! with { ServingThread = serving } }] };
        Assert.Equal(isFound ? Confidence.Likely : null, HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault()?.Confidence);
    }

    private const string Wpf = "System.Windows.Threading.DispatcherSynchronizationContext";

    [Theory]
    [InlineData(1, Confidence.Likely)]
    [InlineData(2, Confidence.Suspected)]
    public void Context_of_another_thread_s_message_loop_is_no_proof(uint pumping, Confidence expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, frames: pumping == 1 ? UiThreadStacks.Wpf(UiThreadStacks.EventWait) : null).Wait(1, s_task);
        if (pumping == 2)
        {
            builder.Thread(2, ThreadActivityKind.Idle, frames: UiThreadStacks.Wpf("win32u!NtUserGetMessage", "user32!GetMessageW"));
        }

        ProcessSnapshot snapshot = builder.Build() with { TaskWaits = [Waits(awaited: TaskState.Pending, type: Wpf, isServed: false, continuation: Context)] };
        Assert.Equal(expected, HangAnalysis.Run(snapshot).Verdicts.Single(v => v.DetectorId == "DUMP1006").Confidence);
    }

    [Theory]
    [InlineData(5, ThreadActivityKind.Waiting, null, Confidence.Suspected)]
    [InlineData(null, ThreadActivityKind.Waiting, null, Confidence.Suspected)]
    [InlineData(0, ThreadActivityKind.Waiting, null, Confidence.Likely)]
    [InlineData(5, ThreadActivityKind.Idle, null, Confidence.Likely)]
    [InlineData(5, ThreadActivityKind.Waiting, Context, Confidence.Likely)]
    public void Continuation_that_may_stand_in_the_queue_of_a_starved_pool_is_only_suspected(int? queued, ThreadActivityKind worker, ulong? continuation,
        Confidence expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Wait(1, s_task).Thread(2, worker).Build() with
        {
            TaskWaits = [Waits(awaited: continuation is null ? TaskState.Completed : TaskState.Pending, continuation: continuation)],
            ThreadPool = new ThreadPoolState([2], null, queued),
        };
        Assert.Equal(expected, Assert.Single(HangAnalysis.Run(snapshot).Verdicts).Confidence);
    }

    [Fact]
    public void Context_of_unknown_kind_is_only_suspected()
    {
        Verdict verdict = Assert.Single(Judge(Waits(isServed: false)).Verdicts);
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.DoesNotContain("deadlock", verdict.Title, StringComparison.Ordinal);
    }

    [Fact]
    public void Step_that_is_still_pending_and_continues_elsewhere_is_no_deadlock() => Assert.Empty(Judge(Waits(awaited: TaskState.Pending)).Verdicts);

    [Fact]
    public void Continuation_on_another_context_is_no_deadlock() => Assert.Empty(Judge(Waits(awaited: TaskState.Pending, continuation: Context + 8)).Verdicts);

    [Fact]
    public void Step_that_cannot_be_read_is_no_deadlock() => Assert.Empty(Judge(Waits(awaited: TaskState.Unknown)).Verdicts);

    [Fact]
    public void Thread_without_context_is_no_deadlock() => Assert.Empty(Judge(Waits() with { ThreadContext = null }).Verdicts);

    [Fact]
    public void Wait_that_ends_by_itself_is_no_deadlock() => Assert.Empty(Judge(Waits(), WaitTimeout.Finite).Verdicts);

    [Fact]
    public void Wait_of_unknown_time_limit_is_only_suspected() => Assert.Equal(Confidence.Suspected, Assert.Single(Judge(Waits(), WaitTimeout.Unknown).Verdicts)
        .Confidence);

    [Theory]
    [InlineData("DUMP1006")]
    [InlineData("DUMP1007")]
    public void Without_stacks_the_question_is_open(string detector)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { Stacks = false } }.Thread(1).Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == detector).Kind);
    }

    private static AnalysisResult Pool(int? queued, int? maximum, WaitTimeout timeout = WaitTimeout.Infinite, bool secondIsBlocked = true, bool inTask = true)
    {
        Resource first = inTask ? s_task : new Resource(ResourceKind.ManagedSignal, 0x5000);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Thread(2, secondIsBlocked ? ThreadActivityKind.Waiting : ThreadActivityKind.Idle)
            .Wait(1, first, timeout);
        if (secondIsBlocked)
        {
            builder.Wait(2, new Resource(ResourceKind.ManagedSignal, 0x6000));
        }

        return HangAnalysis.Run(builder.Build() with
        {
            ThreadPool = new ThreadPoolState([1, 2], maximum, queued),
            TaskWaits = inTask ? [new TaskWait(1, [Step(0x5000, TaskState.Pending)], null, null)] : [],
        });
    }

    [Theory]
    [InlineData(2, Confidence.Likely)]
    [InlineData(100, Confidence.Suspected)]
    [InlineData(null, Confidence.Suspected)]
    public void Blocked_pool_with_queued_work_is_starved(int? maximum, Confidence expected)
    {
        Verdict verdict = Assert.Single(Pool(14, maximum).Verdicts);
        Assert.Equal(("DUMP1007", expected), (verdict.DetectorId, verdict.Confidence));
    }

    [Fact]
    public void Blocked_pool_without_queued_work_is_not_starved() => Assert.Empty(Pool(0, 2).Verdicts);

    [Fact]
    public void Queue_that_cannot_be_counted_leaves_the_question_open()
    {
        AnalysisResult result = Pool(null, 2);
        Assert.Empty(result.Verdicts);
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP1007").Kind);
    }

    [Fact]
    public void Queue_of_a_pool_with_an_idle_worker_need_not_be_counted() =>
        Assert.Equal(DetectorOutcomeKind.NotDetected, Pool(null, 2, secondIsBlocked: false).Outcomes.Single(o => o.DetectorId == "DUMP1007").Kind);

    [Fact]
    public void Pool_with_an_idle_worker_is_not_starved() => Assert.Empty(Pool(14, 2, secondIsBlocked: false).Verdicts);

    [Fact]
    public void Pool_whose_waits_end_by_themselves_is_not_starved() => Assert.Empty(Pool(14, 2, WaitTimeout.Finite).Verdicts);

    [Fact]
    public void Pool_that_waits_for_no_task_and_can_grow_is_not_called_starved() => Assert.Empty(Pool(14, 3, inTask: false).Verdicts);

    [Fact]
    public void Full_pool_whose_workers_wait_for_events_and_semaphores_is_suspected() =>
        Assert.Equal(("DUMP1007", Confidence.Suspected), Assert.Single(Pool(14, 2, inTask: false).Verdicts) is var v ? (v.DetectorId, v.Confidence) : default);

    [Fact]
    public void Full_pool_whose_workers_wait_for_locks_is_not_called_starved() => Assert.DoesNotContain(
        Workers(3, 0, 3, new Resource(ResourceKind.Monitor, 0x7000)).Verdicts, v => v.DetectorId == "DUMP1007");

    /// <summary>One worker that was just added, or is between two items, hides nothing beside three that block; of several, each beside eight.</summary>
    [Theory]
    [InlineData(3, 1, true)]
    [InlineData(2, 1, false)]
    [InlineData(6, 2, false)]
    [InlineData(15, 2, false)]
    [InlineData(16, 2, true)]
    [InlineData(44, 5, true)]
    public void One_worker_that_does_not_block_makes_starvation_a_suspicion(int blocked, int others, bool expected) =>
        Assert.Equal(expected ? [Confidence.Suspected] : [],
            Workers(blocked, others, blocked + others, s_task).Verdicts.Where(v => v.DetectorId == "DUMP1007").Select(v => v.Confidence));

    [Fact]
    public void Workers_are_shown_in_groups_by_the_function_of_the_program()
    {
        Verdict verdict = Workers(40, 0, 40, s_task).Verdicts.Single(v => v.DetectorId == "DUMP1007");
        Assert.Contains(verdict.Claims, c => c.Text == "36 of them block in app!Svc.Handle, 4 in app!Svc.Load.");
        Assert.Equal(2, verdict.Stacks.Length);
    }

    /// <summary>A pool of workers of which the first block, most of them in Svc.Handle, every tenth in Svc.Load.</summary>
    private static AnalysisResult Workers(int blocked, int others, int maximum, Resource resource)
    {
        SnapshotBuilder builder = new();
        for (uint id = 1; id <= blocked; id++)
        {
            builder.Thread(id, frames: ["system.private.corelib!Monitor.Wait", id % 10 == 0 ? "app!Svc.Load" : "app!Svc.Handle"]).Wait(id, resource);
        }

        for (uint id = 1; id <= others; id++)
        {
            builder.Thread(1000 + id, ThreadActivityKind.Idle);
        }

        ProcessSnapshot snapshot = builder.Build();
        return HangAnalysis.Run(snapshot with
        {
            ThreadPool = new ThreadPoolState([.. snapshot.Threads.Select(t => t.Id)], maximum, 5),
            TaskWaits = resource == s_task ? [.. snapshot.Waits.Select(w => new TaskWait(w.ThreadId, [Step(0x5000, TaskState.Pending)], null, null))] : [],
        });
    }
}
