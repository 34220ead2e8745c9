using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>Sent messages lead to the thread whose window they go to, where the message that its loop is handling tells whose that is.</summary>
public sealed class UiMessageTests
{
    private const ulong Window = 0x1_0046;
    private static readonly Resource s_toWindow = new(ResourceKind.WindowMessage, Window);
    private static readonly Resource s_end = new(ResourceKind.Thread, 2);
    private static readonly string[] s_sending = ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!Report"];

    /// <summary>Thread 1 waits in a handler for the end of thread 2, which sends a message to a window.</summary>
    private static SnapshotBuilder Joined(string[]? handler = null, ulong handled = Window, WaitTimeout timeout = WaitTimeout.Infinite) =>
        new SnapshotBuilder().Thread(1, frames: handler ?? UiThreadStacks.Exports(UiThreadStacks.EventWait)).Handling(handled).Wait(1, s_end).Own(s_end, 2)
            .Thread(2, frames: s_sending).Wait(2, s_toWindow, timeout, Grade.Derived);

    private static bool SpeaksOfDeadlock(Verdict? verdict) => verdict!.Claims.Any(c => c.Text.Contains("deadlock", StringComparison.Ordinal));

    [Fact]
    public void Handler_that_joins_a_thread_which_sends_to_its_window_is_a_deadlock()
    {
        Verdict? verdict = Only(Joined());
        Is("DUMP1002", Confidence.Likely, verdict);
        Assert.Contains(verdict!.Claims, c =>
            c.Text == "Thread 1 (0x2) waits for a message to window 0x10046 to be handled, most likely by thread 0 (0x1), whose window it is.");
        Assert.Contains(verdict.Remedies, r => r.Contains("PostMessage", StringComparison.Ordinal));
        Assert.Equal(new Culprit("app.exe", "message handler WndProc", 1) { Message = "WM_TIMER" }, verdict.Culprit);
    }

    [Fact]
    public void Send_to_another_window_is_no_deadlock() => Assert.False(SpeaksOfDeadlock(Only(Joined(handled: 0x2_0046))));

    [Fact]
    public void Send_with_a_time_limit_is_no_deadlock() => Assert.False(SpeaksOfDeadlock(Only(Joined(timeout: WaitTimeout.Finite))));

    [Fact]
    public void Window_that_two_threads_seem_to_have_is_nobody_s_for_sure()
    {
        SnapshotBuilder builder = Joined().Thread(3, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Handling(Window).Wait(3, Event);
        Assert.All(HangAnalysis.Run(builder.Build()).Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));
    }

    [Fact]
    public void Handler_that_is_only_guessed_makes_a_guess() =>
        Assert.Equal(Confidence.Suspected, Only(Joined(UiThreadStacks.NoNames(UiThreadStacks.EventWait)))?.Confidence);

    [Fact]
    public void Wait_of_com_takes_the_message()
    {
        Verdict? verdict = Only(Joined(UiThreadStacks.Wpf(UiThreadStacks.StaWait)));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.False(SpeaksOfDeadlock(verdict));
    }

    [Fact]
    public void Threads_that_send_to_each_other_handle_each_other_s_messages()
    {
        Resource other = new(ResourceKind.WindowMessage, 0x2_0046);
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, frames: UiThreadStacks.Exports(s_sending)).Handling(Window).Wait(1, other, grade: Grade.Derived)
            .Thread(2, frames: UiThreadStacks.Exports(s_sending)).Handling(0x2_0046).Wait(2, s_toWindow, grade: Grade.Derived);
        AnalysisResult result = HangAnalysis.Run(builder.Build());
        Assert.NotEmpty(result.Verdicts);
        Assert.All(result.Verdicts, v => Assert.Equal(("DUMP4003", Confidence.Suspected), (v.DetectorId, v.Confidence)));
    }

    [Fact]
    public void Window_behind_a_stuck_one_is_part_of_its_verdict()
    {
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.SectionWait)).Handling(Window).Wait(1, Section).Own(Section, 3)
            .Thread(2, frames: UiThreadStacks.Exports(s_sending)).Handling(0x2_0046).Wait(2, s_toWindow, grade: Grade.Derived)
            .Thread(3, ThreadActivityKind.Sleeping).Wait(3, Sleep);
        Verdict? verdict = Only(builder);
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([1u, 3u], verdict!.Threads.AsEnumerable());
        Claim claim = Assert.Single(verdict.Claims, c => c.Text.StartsWith("Thread 1 (0x2), behind it, pumps", StringComparison.Ordinal));
        Assert.EndsWith("messages that other threads send still reach it; input, timers, painting and posted messages do not.", claim.Text,
            StringComparison.Ordinal);
        Assert.Equal(Confidence.Likely, claim.Confidence);
    }

    [Fact]
    public void Receiver_in_a_wait_that_anyone_may_end_is_only_suspected()
    {
        Verdict? verdict = Only(new SnapshotBuilder()
            .Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Handling(Window).Wait(1, Event)
            .Thread(2, frames: UiThreadStacks.Exports(s_sending)).Handling(0x2_0046).Wait(2, s_toWindow, grade: Grade.Derived));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Equal([2u, 1u], verdict!.Threads.AsEnumerable());
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("may belong", StringComparison.Ordinal));
    }

    [Fact]
    public void Hung_window_of_the_comment_is_that_of_the_thread_which_handles_a_message_for_it()
    {
        SnapshotBuilder builder = new SnapshotBuilder { Comment = Hung }
            .Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Handling(0x140aa0).Wait(1, Event)
            .Thread(2, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Handling(Window).Wait(2, Event);
        AnalysisResult result = HangAnalysis.Run(builder.Build());
        Assert.Equal([(1u, Confidence.Likely), (2u, Confidence.Suspected)], result.Verdicts.Select(v => (v.Threads[0], v.Confidence)));
        Assert.Contains(result.Verdicts[0].Claims, c => c.Text.Contains("that window is this thread's", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0x113u, "WM_TIMER")]
    [InlineData(0x400u, "WM_USER+0")]
    [InlineData(0x8001u, "WM_APP+1")]
    [InlineData(0xC123u, "registered message 0xc123")]
    [InlineData(0x3FFu, "message 0x3ff")]
    public void Message_is_named_with_its_window(uint message, string name)
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Handling(Window, message)
            .Wait(1, Event));
        Assert.EndsWith($", for {name} to window 0x10046.", verdict!.Claims[0].Text, StringComparison.Ordinal);
        Assert.Equal(name, verdict.Culprit?.Message);
    }
}
