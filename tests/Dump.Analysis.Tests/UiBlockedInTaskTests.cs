using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>DUMP4002: tasks that a handler blocks in.</summary>
public sealed class UiBlockedInTaskTests
{
    [Fact]
    public void Task_is_only_suspected_to_hang_the_thread() =>
        Is("DUMP4002", Confidence.Suspected, Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.EventWait)).Wait(1, PendingTask)));

    [Fact]
    public void Task_whose_thread_waits_in_invoke_is_a_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, PendingTask)
            .Own(PendingTask, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, Event));
        Is("DUMP4002", Confidence.Likely, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Invoke_that_waits_a_second_at_a_time_without_end_is_a_deadlock_too()
    {
        SnapshotBuilder Sliced(string[] invoke) => new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait))
            .Wait(1, PendingTask).Own(PendingTask, 2)
            .Thread(2, frames: invoke).Wait(2, Event, WaitTimeout.Finite, milliseconds: 1000);
        Is("DUMP4002", Confidence.Likely, Only(Sliced(UiThreadStacks.ControlInvoke)));
        Is("DUMP4002", Confidence.Suspected, Only(Sliced([.. UiThreadStacks.ControlInvoke.Where(f =>
            !f.Contains("WaitForWaitHandle", StringComparison.Ordinal))])));
    }

    [Fact]
    public void Invoke_that_may_have_a_time_limit_is_not_called_a_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, PendingTask)
            .Own(PendingTask, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, Event, WaitTimeout.Unknown));
        Is("DUMP4002", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Invoke_beside_two_threads_with_loops_is_not_called_a_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, PendingTask)
            .Own(PendingTask, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, Event, WaitTimeout.Unknown).Thread(3, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32));
        Is("DUMP4002", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Wait_that_ends_by_itself_is_no_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait))
            .Wait(1, PendingTask, WaitTimeout.Finite, milliseconds: 60_000).Own(PendingTask, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, Event));
        Is("DUMP4002", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal)
            || c.Text.Contains("neither", StringComparison.Ordinal));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("ends by itself after 1 min", StringComparison.Ordinal));
    }

    [Fact]
    public void Wait_that_takes_sent_messages_answers_them()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.StaWait)).Wait(1, monitor).Own(monitor, 2)
            .Thread(2, frames: ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!Report"]).Wait(2, Message, WaitTimeout.Unknown));
        Is("DUMP4001", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("neither", StringComparison.Ordinal));
    }

    [Fact]
    public void Task_that_needs_this_thread_is_left_to_DUMP1006()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.EventWait)).Wait(1, PendingTask).Build();
        TaskWait wait = new(
            1, [new AwaitStep(0x6000, "Shop.LoadAsync", TaskState.Pending), new AwaitStep(0x6100, "delay", TaskState.Completed)],
            new SynchronizationContextFact(0x9000, "System.Windows.Threading.DispatcherSynchronizationContext", false), null);
        Is("DUMP1006", Confidence.Likely, Only(snapshot with { TaskWaits = [wait] }));
    }
}
