using Dump.Model;

namespace Dump.Analysis.Tests;

/// <summary>DUMP4001 to DUMP4004: what makes them speak, how sure they are, and what keeps them silent.</summary>
public sealed class UiDetectorTests
{
    private const string Hung = "*** procdump -ma -h 66144\n*** Hung window detected: 140aa0";
    private static readonly Resource s_section = SnapshotBuilder.Section(0x5000);
    private static readonly Resource s_event = new(ResourceKind.Event, 0x58);
    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x6000);
    private static readonly Resource s_sleep = new(ResourceKind.Time, 0, 2);
    private static readonly Resource s_message = new(ResourceKind.WindowMessage, 0, 2);
    private static readonly ThreadTimes s_busy = new(TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(20), null, TimeSpan.FromSeconds(30));
    private static readonly ThreadTimes s_quiet = new(TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(3), null, TimeSpan.FromHours(3));

    private static SnapshotBuilder Handler(string[] innermost, string? comment = null, ThreadActivityKind activity = ThreadActivityKind.Waiting, ThreadTimes? times = null) =>
        new SnapshotBuilder { Comment = comment }.Thread(1, activity, UiThreadStacks.Exports(innermost), times);

    private static SnapshotBuilder LockedOut(string? comment = null, WaitTimeout timeout = WaitTimeout.Infinite, long? milliseconds = null) =>
        Handler(UiThreadStacks.SectionWait, comment).Wait(1, s_section, timeout, milliseconds: milliseconds).Own(s_section, 2);

    private static Verdict? Only(SnapshotBuilder builder) => Only(builder.Build());

    private static Verdict? Only(ProcessSnapshot snapshot)
    {
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.DoesNotContain(result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        return result.Verdicts.IsEmpty ? null : Assert.Single(result.Verdicts);
    }

    private static void Is(string id, Confidence confidence, Verdict? verdict) => Assert.Equal((id, confidence), (verdict?.DetectorId, verdict?.Confidence));

    // DUMP4001: locks.
    [Fact]
    public void Lock_whose_owner_sleeps_without_end_is_likely_a_hang()
    {
        Verdict? verdict = Only(LockedOut().Thread(2, ThreadActivityKind.Sleeping).Wait(2, s_sleep));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([1u, 2u], verdict!.Threads.AsEnumerable());
        Assert.Equal(new Culprit("app.exe", "message handler WndProc", 1), verdict.Culprit);
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void The_whole_chain_is_followed_to_the_thread_that_must_act()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(LockedOut().Thread(2).Wait(2, monitor).Own(monitor, 3).Thread(3).Wait(3, s_event));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([1u, 2u, 3u], verdict!.Threads.AsEnumerable());
        Assert.Equal([s_section, monitor, s_event], verdict.Chain.Select(l => l.Resource));
    }

    [Fact]
    public void Lock_whose_owner_runs_is_only_suspected() => Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2, ThreadActivityKind.Running)));

    [Fact]
    public void Lock_whose_owner_waits_with_a_limit_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, s_event, WaitTimeout.Finite, milliseconds: 60_000)));

    [Fact]
    public void Lock_whose_owner_waits_for_input_or_output_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, new Resource(ResourceKind.InputOutput, 0, 2))));

    [Fact]
    public void Lock_whose_owner_waits_for_a_task_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, s_task)));

    [Fact]
    public void Lock_whose_owner_waits_for_a_socket_s_event_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2, frames: [.. UiThreadStacks.EventWait, "mswsock", "ws2_32!recv", "app!Read"]).Wait(2, s_event)));

    [Fact]
    public void Weak_edge_makes_no_stuck_thread() => Is(
        "DUMP4001", Confidence.Suspected, Only(Handler(UiThreadStacks.SectionWait).Wait(1, s_section).Own(s_section, 2, grade: Grade.Suspected).Thread(2).Wait(2, s_event)));

    [Fact]
    public void Weak_second_edge_makes_none_either()
    {
        Resource other = SnapshotBuilder.Section(0x5100);
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, other).Own(other, 3, grade: Grade.Suspected).Thread(3).Wait(3, s_event)));
    }

    [Fact]
    public void Lock_without_a_known_owner_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(Handler(UiThreadStacks.SectionWait).Wait(1, new Resource(ResourceKind.SlimReaderWriterLock, 0x5000), grade: Grade.Derived)));

    [Fact]
    public void Window_that_procdump_found_hung_is_likely_this_thread_s()
    {
        Verdict? verdict = Only(LockedOut(Hung).Thread(2, ThreadActivityKind.Running));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("0x140aa0", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("*** procdump -ma 1\n*** Manual dump")]
    [InlineData("Hung window detected: 140aa0")]
    [InlineData("*** Hung window detected: soon")]
    public void Other_comments_say_nothing(string comment) => Is("DUMP4001", Confidence.Suspected, Only(LockedOut(comment).Thread(2, ThreadActivityKind.Running)));

    [Fact]
    public void Hung_window_of_one_of_two_stuck_threads_is_nobody_s()
    {
        SnapshotBuilder builder = LockedOut(Hung).Thread(2, ThreadActivityKind.Running).Thread(3, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Wait(3, s_event);
        Assert.All(HangAnalysis.Run(builder.Build()).Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));
    }

    [Fact]
    public void Handler_known_only_by_unnamed_frames_is_only_suspected() => Is("DUMP4001", Confidence.Suspected, Only(
        new SnapshotBuilder().Thread(1, frames: UiThreadStacks.NoNames(UiThreadStacks.SectionWait)).Wait(1, s_section).Own(s_section, 2).Thread(2).Wait(2, s_event)));

    [Fact]
    public void Deadlock_that_holds_up_the_thread_is_reported_once()
    {
        Resource other = SnapshotBuilder.Section(0x5100);
        Verdict? verdict = Only(LockedOut().Thread(2).Wait(2, other).Own(other, 3).Thread(3).Wait(3, s_section).Own(s_section, 2));
        Is("DUMP1002", Confidence.Confirmed, verdict);
        Assert.Contains(verdict!.Victims, g => g.ThreadIds.Contains(1u));
    }

    [Fact]
    public void Head_blocker_is_part_of_the_same_verdict()
    {
        SnapshotBuilder builder = LockedOut().Thread(2).Wait(2, s_event);
        for (uint id = 10; id < 15; id++)
        {
            builder.Thread(id).Wait(id, s_section);
        }

        Verdict? verdict = Only(builder);
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([10u, 11u, 12u, 13u, 14u], verdict!.Victims.SelectMany(g => g.ThreadIds));
    }

    [Fact]
    public void Managed_lock_in_a_wait_that_takes_com_calls_still_blocks_input()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.StaWait)).Wait(1, monitor).Own(monitor, 2).Thread(2).Wait(2, s_event));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Contains("COM calls", verdict!.Claims[^1].Text, StringComparison.Ordinal);
        Assert.Equal(new Culprit("shop.dll", "message handler Shop.MainWindow.Save_Click", 1), verdict.Culprit);
    }

    [Fact]
    public void Of_several_waits_the_one_with_a_known_holder_counts()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, s_event).Wait(1, monitor, grade: Grade.Derived).Own(monitor, 2).Thread(2, ThreadActivityKind.Running));
        Is("DUMP4001", Confidence.Suspected, verdict);
        Assert.Equal([1u, 2u], verdict!.Threads.AsEnumerable());
    }

    // DUMP4002: tasks.
    [Fact]
    public void Task_is_only_suspected_to_hang_the_thread() =>
        Is("DUMP4002", Confidence.Suspected, Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.EventWait)).Wait(1, s_task)));

    [Fact]
    public void Task_whose_thread_waits_in_invoke_is_a_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, s_task).Own(s_task, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, s_event));
        Is("DUMP4002", Confidence.Likely, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Invoke_that_may_have_a_time_limit_is_not_called_a_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, s_task).Own(s_task, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, s_event, WaitTimeout.Unknown));
        Is("DUMP4002", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Invoke_beside_two_threads_with_loops_is_not_called_a_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, s_task).Own(s_task, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, s_event, WaitTimeout.Unknown).Thread(3, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32));
        Is("DUMP4002", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Wait_that_ends_by_itself_is_no_deadlock()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.WinForms(UiThreadStacks.EventWait)).Wait(1, s_task, WaitTimeout.Finite, milliseconds: 60_000).Own(s_task, 2)
            .Thread(2, frames: UiThreadStacks.ControlInvoke).Wait(2, s_event));
        Is("DUMP4002", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal) || c.Text.Contains("neither", StringComparison.Ordinal));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("ends by itself after 1 min", StringComparison.Ordinal));
    }

    [Fact]
    public void Wait_that_takes_sent_messages_answers_them()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.StaWait)).Wait(1, monitor).Own(monitor, 2)
            .Thread(2, frames: ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!Report"]).Wait(2, s_message, WaitTimeout.Unknown));
        Is("DUMP4001", Confidence.Suspected, verdict);
        Assert.DoesNotContain(verdict!.Claims, c => c.Text.Contains("neither", StringComparison.Ordinal));
    }

    [Fact]
    public void Task_that_needs_this_thread_is_left_to_DUMP1006()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.EventWait)).Wait(1, s_task).Build();
        TaskWait wait = new(
            1, [new AwaitStep(0x6000, "Shop.LoadAsync", TaskState.Pending), new AwaitStep(0x6100, "delay", TaskState.Completed)],
            new SynchronizationContextFact(0x9000, "System.Windows.Threading.DispatcherSynchronizationContext", false), null);
        Is("DUMP1006", Confidence.Likely, Only(snapshot with { TaskWaits = [wait] }));
    }

    // DUMP4003: blocking calls.
    public static TheoryData<ResourceKind, string> Calls => new()
    {
        { ResourceKind.Event, "event" }, { ResourceKind.Process, "process" }, { ResourceKind.InputOutput, "input or output" }, { ResourceKind.RemoteCall, "another process" },
        { ResourceKind.ManagedSignal, "signal" }, { ResourceKind.ConditionVariable, "condition" },
    };

    [Theory]
    [MemberData(nameof(Calls))]
    public void Wait_in_a_handler_is_suspected_and_says_for_what(ResourceKind kind, string words)
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, new Resource(kind, 0x58), WaitTimeout.Unknown));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains(words, verdict!.Claims[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Wait_in_a_hung_window_is_likely() => Is("DUMP4003", Confidence.Likely, Only(Handler(UiThreadStacks.EventWait, Hung).Wait(1, s_event)));

    [Theory]
    [InlineData(250L, null)]
    [InlineData(4_999L, null)]
    [InlineData(5_000L, "DUMP4003")]
    [InlineData(null, "DUMP4003")]
    public void Wait_that_ends_within_a_moment_is_none(long? milliseconds, string? expected)
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, s_event, WaitTimeout.Finite, milliseconds: milliseconds));
        Assert.Equal(expected, verdict?.DetectorId);
        Assert.True(verdict is null or { Confidence: Confidence.Suspected });
    }

    [Fact]
    public void Sleep_without_end_is_likely() => Is("DUMP4003", Confidence.Likely, Only(Handler(["ntdll!NtDelayExecution", "kernelbase!SleepEx"]).Wait(1, s_sleep)));

    [Fact]
    public void Join_of_a_thread_that_sends_to_a_window_is_suspected_and_no_deadlock()
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, new Resource(ResourceKind.Thread, 2)).Own(new Resource(ResourceKind.Thread, 2), 2)
            .Thread(2, frames: ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!Report"]).Wait(2, s_message, WaitTimeout.Unknown));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("is one of thread 0 (0x1), neither", StringComparison.Ordinal));
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Sent_message_names_the_only_other_thread_in_a_handler()
    {
        SnapshotBuilder builder = Handler(["win32u!NtUserMessageCall", "user32!SendMessageWorker", "user32!SendMessageW"]).Wait(1, new Resource(ResourceKind.WindowMessage, 0, 1), WaitTimeout.Unknown)
            .Thread(2, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Wait(2, s_event);
        Verdict verdict = HangAnalysis.Run(builder.Build()).Verdicts.Single(v => v.Threads[0] == 1);
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains(verdict.Claims, c => c.Text.StartsWith("The window may belong to thread 1 (0x2)", StringComparison.Ordinal) && c.Confidence == Confidence.Suspected);
    }

    [Fact]
    public void Call_to_another_apartment_blocks_although_the_thread_pumps()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.Mfc(UiThreadStacks.ComCall)));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains("COM call", verdict!.Claims[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_program_asked_for_is_said()
    {
        Verdict? verdict = Only(Handler([.. UiThreadStacks.EventWait, "rpcrt4!NdrClientCall3", "winspool", "winspool!OpenPrinterW"]).Wait(1, s_event));
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("print spooler", StringComparison.Ordinal) && c.Text.Contains("OpenPrinterW", StringComparison.Ordinal));
    }

    // DUMP4004: processor time.
    [Fact]
    public void Busy_handler_is_suspected() => Is("DUMP4004", Confidence.Suspected, Only(Handler([], null, ThreadActivityKind.Running, s_busy)));

    [Fact]
    public void Busy_handler_of_a_hung_window_is_likely() => Is("DUMP4004", Confidence.Likely, Only(Handler([], Hung, ThreadActivityKind.Running, s_quiet)));

    [Fact]
    public void Handler_caught_running_is_none() => Assert.Null(Only(Handler([], null, ThreadActivityKind.Running, s_quiet)));

    [Fact]
    public void Without_times_a_running_handler_is_open()
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { ThreadTimes = false } }.Thread(1, ThreadActivityKind.Running, UiThreadStacks.Exports()).Build());
        Assert.Empty(result.Verdicts);
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP4004").Kind);
    }

    // All of them.
    [Theory]
    [InlineData("DUMP4001")]
    [InlineData("DUMP4002")]
    [InlineData("DUMP4003")]
    [InlineData("DUMP4004")]
    public void Without_stacks_the_question_is_open(string detector)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { Stacks = false } }.Thread(1).Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == detector).Kind);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(Hung)]
    public void Healthy_loops_and_workers_get_no_verdict(string? comment)
    {
        SnapshotBuilder builder = new SnapshotBuilder { Comment = comment }
            .Thread(1, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32)
            .Thread(2, ThreadActivityKind.Idle, UiThreadStacks.ModalDialog)
            .Thread(3, ThreadActivityKind.Waiting, UiThreadStacks.MovingWindow).Wait(3, new Resource(ResourceKind.WindowMessage, 0, 3), WaitTimeout.Unknown)
            .Thread(4, frames: [.. UiThreadStacks.EventWait, "user32!EnumWindows", "app!Worker"]).Wait(4, s_event)
            .Thread(5, frames: [.. UiThreadStacks.EventWait, "lockmanager!EnterCriticalSection", "app!UiThread"]).Wait(5, s_event)
            .Thread(6, ThreadActivityKind.Idle, [.. UiThreadStacks.StaWait, "app!Worker"]);
        Assert.Null(Only(builder));
    }
}
