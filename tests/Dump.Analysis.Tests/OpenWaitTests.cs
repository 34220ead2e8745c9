using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// Waits that no verdict judges: they are said where others depend on the thread, and the answer is not "no hang found" then; idle threads are never said.
/// </summary>
public sealed class OpenWaitTests
{
    private static readonly Resource s_lock = SnapshotBuilder.Section(0x5000);
    private static readonly Resource s_event = new(ResourceKind.Event, 0x58);
    private static readonly string[] s_dialogOverComCall =
    [
        "win32u!NtUserWaitMessage", "user32!DialogBox2", "user32!DialogBoxIndirectParamW", "oledlg!OleUIBusyW", "combase!CCliModalLoop::BlockFn",
            "combase!ModalLoop",
        "combase!CSyncClientCall::SendReceive2", "app!OnClick", "user32!UserCallWinProcCheckWow", "user32!DispatchMessageWorker", "app!MessageLoop",
            "app!WinMain",
    ];

    /// <summary>A wait with a limit may be a poll: one dump does not tell whether the owner goes round and round.</summary>
    [Theory]
    [InlineData(WaitTimeout.Unknown, null)]
    [InlineData(WaitTimeout.Infinite, null)]
    [InlineData(WaitTimeout.Finite, 60_000L)]
    [InlineData(WaitTimeout.Finite, 250L)]
    public void Owner_of_a_lock_that_waits_leaves_the_answer_open(WaitTimeout timeout, long? milliseconds)
    {
        AnalysisResult result = HangAnalysis.Run(Owner(b => b.Wait(1, s_event, timeout, milliseconds: milliseconds)));
        Assert.Empty(result.Verdicts);
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal((1u, true, s_event), (wait.ThreadId, wait.LeavesUndecided, wait.Resource));
        Assert.Equal(2, wait.OwnIndex);
        Assert.Contains("for which 1 thread waits", wait.Role, StringComparison.Ordinal);
        Assert.True(result.IsUndecidable);
    }

    [Theory]
    [InlineData(WaitTimeout.Unknown, null)]
    [InlineData(WaitTimeout.Finite, 10L)]
    [InlineData(WaitTimeout.Infinite, null)]
    public void Owner_that_sleeps_leaves_the_answer_open(WaitTimeout timeout, long? milliseconds)
    {
        Resource sleep = new(ResourceKind.Time, 0, 1);
        AnalysisResult result = HangAnalysis.Run(Owner(b => b.Wait(1, sleep, timeout, milliseconds: milliseconds), ThreadActivityKind.Sleeping));
        Assert.True(Assert.Single(result.OpenWaits).LeavesUndecided && result.IsUndecidable);
    }

    /// <summary>Linux cores tell that a thread sleeps, and not for how long.</summary>
    [Fact]
    public void Owner_that_sleeps_for_an_unknown_time_leaves_the_answer_open() =>
        Assert.True(Assert.Single(HangAnalysis.Run(Owner(b => b, ThreadActivityKind.Sleeping)).OpenWaits).LeavesUndecided);

    /// <summary>The healthy twin: whoever waits gives up by itself, and the owner's wait ends by itself.</summary>
    [Fact]
    public void Owner_that_sleeps_leaves_nothing_open_where_waiters_give_up()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping)
            .Wait(1, new Resource(ResourceKind.Time, 0, 1), WaitTimeout.Finite, milliseconds: 10)
            .Own(s_lock, 1).Thread(2).Wait(2, s_lock, WaitTimeout.Finite, milliseconds: 100);
        Assert.False(HangAnalysis.Run(builder.Build()).IsUndecidable);
    }

    /// <summary>A launcher that waits for its child is well, and the child may hang: the wait is told, and leaves nothing open.</summary>
    [Theory]
    [InlineData(WaitTimeout.Infinite, null, 1)]
    [InlineData(WaitTimeout.Unknown, null, 1)]
    [InlineData(WaitTimeout.Finite, 250L, 0)]
    public void Wait_for_a_child_process_is_told_and_leaves_nothing_open(WaitTimeout timeout, long? milliseconds, int told)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1)
            .Wait(1, new Resource(ResourceKind.ChildProcess, 4711), timeout, milliseconds: milliseconds).Build());
        Assert.Empty(result.Verdicts);
        Assert.Equal(told, result.OpenWaits.Length);
        Assert.All(result.OpenWaits, w => Assert.False(w.LeavesUndecided));
        Assert.False(result.IsUndecidable);
    }

    /// <summary>
    /// A wait for all of several objects lasts until the last of them: an object that is signalled says nothing. One is enough for a wait for any.
    /// </summary>
    [Theory]
    [InlineData(false, true, false, true)]
    [InlineData(false, false, true, true)]
    [InlineData(false, true, true, false)]
    [InlineData(true, true, false, false)]
    [InlineData(true, false, false, true)]
    public void Wait_for_all_lasts_until_the_first_object_that_is_not_signalled(bool any, bool first, bool second, bool isOpen)
    {
        Resource other = new(ResourceKind.Event, 0x5C);
        ProcessSnapshot snapshot = Owner(b => b.Wait(1, s_event, any: any).Wait(1, other, any: any));
        AnalysisResult result = HangAnalysis.Run(snapshot with
        {
            Waits = [.. snapshot.Waits.Select(w => w with { IsSatisfied = (w.Resource == s_event && first) || (w.Resource == other && second) })],
        });
        Assert.Equal(isOpen, result.IsUndecidable);
        Assert.Equal(isOpen ? first ? other : s_event : null, result.OpenWaits.SingleOrDefault()?.Resource);
    }

    [Theory]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.Unknown)]
    public void Owner_that_runs_or_of_which_nothing_is_known_is_not_said(ThreadActivityKind activity) =>
        Assert.Empty(HangAnalysis.Run(Owner(b => b, activity)).OpenWaits);

    [Fact]
    public void Load_owner_in_a_system_call_leaves_the_answer_open()
    {
        AnalysisResult result = HangAnalysis.Run(LoadOwner(ThreadActivityKind.SystemCall));
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.True(wait.LeavesUndecided && result.IsUndecidable);
        Assert.Equal((2, 3), (wait.ThroughIndex, wait.OwnIndex));
        Assert.Contains("is the load owner", wait.Role, StringComparison.Ordinal);
    }

    [Fact]
    public void Load_owner_that_runs_is_at_work() => Assert.False(HangAnalysis.Run(LoadOwner(ThreadActivityKind.Running)).IsUndecidable);

    [Fact]
    public void Dialog_above_an_unanswered_com_call_is_healthy_and_the_call_is_said()
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, s_dialogOverComCall).Build());
        Assert.Empty(result.Verdicts);
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal((ResourceKind.ComCall, 7, true, Grade.Derived), (wait.Resource!.Kind, wait.OwnIndex, wait.LeavesUndecided, wait.Grade));
        Assert.True(result.IsUndecidable);
    }

    /// <summary>The same without COM's and user32's names, as without symbols.</summary>
    [Fact]
    public void Without_names_the_call_is_suspected()
    {
        string[] frames = [.. s_dialogOverComCall.Select(f => f.StartsWith("combase", StringComparison.Ordinal) ? "combase"
            : f is "user32!DialogBox2" or "user32!UserCallWinProcCheckWow" or "user32!DispatchMessageWorker" ? "user32" : f)];
        OpenWait wait = Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, frames).Build()).OpenWaits);
        Assert.Equal((ResourceKind.ComCall, Grade.Suspected), (wait.Resource!.Kind, wait.Grade));
    }

    [Fact]
    public void Dialog_of_a_handler_without_such_a_call_is_healthy()
    {
        string[] frames = [.. s_dialogOverComCall.Where(f => !f.StartsWith("combase", StringComparison.Ordinal))];
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, frames).Build());
        Assert.Empty(result.OpenWaits);
        Assert.False(result.IsUndecidable);
    }

    [Theory]
    [InlineData(ResourceKind.Address, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.Address, WaitTimeout.Finite, false)]
    [InlineData(ResourceKind.GraphicsProcessor, WaitTimeout.Unknown, true)]
    [InlineData(ResourceKind.Event, WaitTimeout.Infinite, false)]
    public void Of_the_thread_to_look_at_first_only_waits_that_no_idle_program_has_leave_the_answer_open(ResourceKind kind, WaitTimeout timeout, bool isOpen)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: ["ntdll!NtWait", "kernelbase!Wait", "app!til::ticket_lock::lock"])
            .Wait(1, new Resource(kind, 0x3000), timeout).Build() with { TriggerThread = 1 };
        AnalysisResult result = HangAnalysis.Run(snapshot);
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal((isOpen, 2), (wait.LeavesUndecided, wait.OwnIndex));
        Assert.Equal(isOpen, result.IsUndecidable);
    }

    [Fact]
    public void Graphics_wait_of_any_thread_is_said_and_decides_nothing()
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32)
            .Thread(2, frames: ["win32u!NtGdiDdDDIWaitForIdle", "d3d11!Flush", "app!Present"])
                .Wait(2, new Resource(ResourceKind.GraphicsProcessor, 0, 2), WaitTimeout.Unknown).Build());
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal((2u, false, null), (wait.ThreadId, wait.LeavesUndecided, wait.Role));
        Assert.False(result.IsUndecidable);
    }

    [Theory]
    [InlineData(ThreadActivityKind.Idle)]
    [InlineData(ThreadActivityKind.Running)]
    public void Idle_and_busy_programs_have_none(ThreadActivityKind activity)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1, activity).Build() with { TriggerThread = 1 });
        Assert.Empty(result.OpenWaits);
        Assert.False(result.IsUndecidable);
    }

    [Fact]
    public void Threads_of_a_verdict_and_those_behind_it_are_left_out()
    {
        Resource other = SnapshotBuilder.Section(0x6000);
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1).Thread(2).Thread(3).Own(s_lock, 1).Own(other, 2).Wait(1, other).Wait(2, s_lock)
            .Wait(3, s_lock).Build());
        Assert.NotEmpty(result.Verdicts);
        Assert.Empty(result.OpenWaits);
    }

    [Fact]
    public void Hung_window_of_a_thread_that_waits_for_messages_is_not_no_hang()
    {
        SnapshotBuilder idle = new SnapshotBuilder { Comment = UiDetections.Hung }.Thread(1, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32);
        AnalysisResult result = HangAnalysis.Run(idle.Build());
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
        Assert.False(HangAnalysis.Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32).Build()).IsUndecidable);
    }

    /// <summary>Windows called a window hung just before; what its thread did then the stack does not show.</summary>
    [Theory]
    [InlineData(true, true, true, true)]
    [InlineData(true, true, false, true)] // A message loop of a hidden window is meant to take messages.
    [InlineData(true, false, true, true)] // So is a window that is shown.
    [InlineData(true, false, false, false)] // A worker with a hidden window may never mean to.
    [InlineData(false, true, true, false)] // A late answer of a thread that waits for messages again.
    public void Window_that_Windows_calls_hung_without_a_handler_on_the_stack_is_not_no_hang(bool isHung, bool hasLoop, bool isVisible, bool expected)
    {
        string[] frames = hasLoop ? UiThreadStacks.IdleWin32 : ["ntdll!NtRemoveIoCompletion", "kernelbase!GetQueuedCompletionStatus", "app!Work"];
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, frames);
        AnalysisResult result = HangAnalysis.Run(builder.With(t => t with { UnansweredWindow = UiDetections.Unanswered(isHung, isVisible) }).Build());
        Assert.Empty(result.Verdicts);
        Assert.Equal(expected, result.IsUndecidable);
    }

    private static ProcessSnapshot Owner(Func<SnapshotBuilder, SnapshotBuilder> waits, ThreadActivityKind activity = ThreadActivityKind.Waiting) =>
        waits(new SnapshotBuilder().Thread(1, activity, ["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObject", "app!Flush"]).Thread(2)
            .Own(s_lock, 1).Wait(2, s_lock)).Build();

    private static ProcessSnapshot LoadOwner(ThreadActivityKind activity) => new SnapshotBuilder()
        .Thread(1, activity, ["ntdll!NtCreateSection", "ntdll!LdrLoadDll", "kernelbase!LoadLibraryExW", "app!Load"], isLoadOwner: true).Build();
}
