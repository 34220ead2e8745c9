using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// Without a verdict, the thread that a person would look at first: by evidence, in the documented order, and none where only the order of threads could
/// decide.
/// </summary>
public sealed class FocusTests
{
    private static readonly DateTime s_start = new(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc);
    private static readonly string[] s_worker = ["ntdll!NtWaitForSingleObject", "app!Work", "kernel32!BaseThreadInitThunk"];

    [Fact]
    public void Thread_with_a_message_loop_comes_first() => Check(
        3, "handles the user interface",
        Windows().Thread(1, frames: s_worker, times: Born(0)).Thread(2, frames: s_worker, times: Born(1))
            .Thread(3, frames: UiThreadStacks.IdleWin32, times: Born(2)).Build() with { TriggerThread = 2 });

    [Fact]
    public void Then_the_thread_that_made_the_writer_dump_the_process() => Check(
        2, "is named by the dump's exception record",
        Windows().Thread(1, frames: s_worker, times: Born(0)).Thread(2, frames: s_worker, times: Born(1)).Build() with { TriggerThread = 2 });

    [Fact]
    public void Then_the_owner_of_the_lock_that_most_wait_for_and_before_a_message_loop_without_messages()
    {
        Resource wanted = SnapshotBuilder.Section(0x1000), other = SnapshotBuilder.Section(0x2000);
        SnapshotBuilder Queue() => Windows().Thread(1, frames: s_worker, times: Born(0)).Thread(2, ThreadActivityKind.Sleeping, s_worker, Born(1))
            .Thread(3, ThreadActivityKind.Sleeping, s_worker, Born(1))
            .Thread(4, frames: s_worker, times: Born(1)).Thread(5, frames: s_worker, times: Born(1)).Thread(6, frames: s_worker, times: Born(1))
            .Own(wanted, 2).Own(other, 3).Wait(4, wanted).Wait(5, wanted).Wait(6, other);
        Check(2, "holds the lock that most threads wait for", Queue().Build());
        Check(2, "holds the lock that most threads wait for", Queue().Thread(7, frames: UiThreadStacks.IdleWin32, times: Born(2)).Build());
        Check(1, "is the program's first thread", Queue().Thread(8, frames: s_worker, times: Born(1)).Wait(8, other).Build());
    }

    [Fact]
    public void Then_the_oldest_thread() => Check(
        2, "is the program's first thread",
        Windows().Thread(1, frames: s_worker, times: Born(5)).Thread(2, frames: s_worker, times: Born(0)).Build());

    [Fact]
    public void Of_two_message_loops_that_are_alike_the_older_thread_s_counts() => Check(
        4, "handles the user interface",
        Windows().Thread(3, frames: UiThreadStacks.IdleWin32, times: Born(2)).Thread(4, frames: UiThreadStacks.IdleWin32, times: Born(1)).Build());

    [Fact]
    public void First_thread_of_a_linux_process_has_the_process_id()
    {
        ProcessSnapshot snapshot = Windows().Thread(10, frames: ["app!main"]).Thread(11, frames: ["app!work"]).Build();
        Check(11, "is the program's first thread", snapshot with { ProcessId = 11, System = snapshot.System with { Family = OperatingSystemFamily.Linux } });
    }

    /// <summary>Threads of a container have the ids inside of it, one of which may be the process id outside.</summary>
    [Fact]
    public void First_thread_of_a_container_is_not_told_by_the_id_outside_of_it()
    {
        ProcessSnapshot snapshot = Windows().Thread(1, frames: ["app!main"]).With(t => t with { IsFirst = true }).Thread(11, frames: ["app!work"]).Build();
        Check(1, "is the program's first thread", snapshot with { ProcessId = 11, System = snapshot.System with { Family = OperatingSystemFamily.Linux } });
    }

    [Fact]
    public void Nobody_is_preferred_where_only_the_order_of_threads_could_decide()
    {
        Assert.Null(HangAnalysis.Run(Windows().Thread(1, frames: s_worker).Thread(2, frames: s_worker).Build()).Focus);
        Assert.Null(HangAnalysis.Run(Windows().Thread(1, frames: s_worker, times: Born(1)).Thread(2, frames: s_worker, times: Born(1)).Build()).Focus);
        Assert.Null(HangAnalysis.Run(Windows().Thread(3, frames: UiThreadStacks.IdleWin32).Thread(4, frames: UiThreadStacks.IdleWin32).Build()).Focus);
    }

    /// <summary>The thread at the end of the threads that the first one joins is shown too, where it waits itself: what goes on is somewhere else at each
    /// moment.</summary>
    [Theory]
    [InlineData(true, WaitTimeout.Infinite, true)]
    [InlineData(true, WaitTimeout.Finite, false)]
    [InlineData(false, WaitTimeout.Infinite, false)]
    public void Thread_that_the_first_one_joins_is_shown_where_it_waits(bool waits, WaitTimeout timeout, bool isShown)
    {
        Resource worker = new(ResourceKind.Thread, 2), helper = new(ResourceKind.Thread, 3);
        SnapshotBuilder scene = Windows().Thread(1, frames: ["ntdll!NtWaitForSingleObject", "app!main"], times: Born(0))
            .Thread(2, frames: ["ntdll!NtWaitForSingleObject", "app!supervise"], times: Born(1)).Thread(3, frames: s_worker, times: Born(2))
            .Own(worker, 2).Own(helper, 3).Wait(1, worker).Wait(2, helper);
        AnalysisResult result = HangAnalysis.Run((waits ? scene.Wait(3, new Resource(ResourceKind.Event, 7), timeout) : scene).Build());
        Assert.Empty(result.Verdicts);
        Assert.Equal(1u, result.Focus!.ThreadId);
        Assert.Equal(isShown ? 3u : null, result.FocusAwaits?.ThreadId);
        Assert.Equal(isShown ? "is what thread 0 (0x1) waits for in the end" : null, result.FocusAwaits?.Role);
    }

    [Fact]
    public void With_a_verdict_there_is_no_such_thread()
    {
        Resource one = SnapshotBuilder.Section(0x1000), other = SnapshotBuilder.Section(0x2000);
        AnalysisResult result = HangAnalysis.Run(Windows().Thread(1, times: Born(0)).Thread(2, times: Born(1)).Own(one, 1).Own(other, 2).Wait(1, other)
            .Wait(2, one).Build());
        Assert.NotEmpty(result.Verdicts);
        Assert.Null(result.Focus);
    }

    private static void Check(uint thread, string why, ProcessSnapshot snapshot)
    {
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.Empty(result.Verdicts);
        Assert.Equal((thread, why), (result.Focus!.ThreadId, result.Focus.Role));
        Assert.Equal(snapshot.Threads.Single(t => t.Id == thread).Stack.Frames.Length, result.Focus.FrameIndexes.Length);
    }

    private static ThreadTimes Born(int seconds) => new(TimeSpan.Zero, TimeSpan.Zero, s_start.AddSeconds(seconds), TimeSpan.FromMinutes(10));

    private static SnapshotBuilder Windows() => new();
}
