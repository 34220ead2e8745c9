using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>Messages that are handled inside a wait or a loop of another handler.</summary>
public sealed class UiReentrancyTests
{
    // Callbacks of the kernel as in the stack of dotnet/winforms #8405: NtUserMessageCall < KiUserCallbackDispatcherContinue < __fnDWORD <
    // UserCallWinProcCheckWow.
    private static readonly string[] s_callback = ["user32!UserCallWinProcCheckWow", "user32!DispatchClientMessage", "user32!__fnDWORD",
        "ntdll!KiUserCallbackDispatcher", "win32u!NtUserMessageCall", "user32!SendMessageWorker", "user32!SendMessageW"];

    private static string[] Inside(params string[] delivery) => UiThreadStacks.Exports(
        [.. UiThreadStacks.EventWait, "app!OnProgress", "app!InnerProc", .. delivery, "app!OnSave"]);

    private static UiThread Find(string[] frames) => Assert.Single(UiThreads.Find(new SnapshotBuilder().Thread(1, frames: frames).Handling(0x10046).Build()));

    private static string? Delivery(UiThread ui) => ui.Reentry is { } reentry ? ui.Thread.Stack.Frames[reentry.CallIndex].Function : null;

    [Fact]
    public void Message_handled_inside_a_send_is_shown_on_top_of_the_other_handler()
    {
        UiThread ui = Find(Inside(s_callback));
        Assert.Equal("SendMessageW", Delivery(ui));
        Assert.Equal(("InnerProc", "WndProc"), (ui.Handler?.Function, ui.Thread.Stack.Frames[ui.Reentry!.OuterIndex].Function));
        Assert.Null(ui.Message);
    }

    [Fact]
    public void Message_handled_in_a_dialog_of_a_handler_is_one_too()
    {
        UiThread ui = Find(Inside("user32!UserCallWinProcCheckWow", "user32!DispatchMessageWorker", "user32!IsDialogMessageW", "user32!DialogBox2",
            "user32!DialogBoxIndirectParamW"));
        Assert.Equal("DialogBoxIndirectParamW", Delivery(ui));
        Assert.Equal("InnerProc", ui.Handler?.Function);
    }

    [Fact]
    public void Message_to_a_window_of_the_same_thread_is_an_ordinary_call() =>
        Assert.Null(Find(Inside("user32!UserCallWinProcCheckWow", "user32!SendMessageWorker", "user32!SendMessageW")).Reentry);

    [Fact]
    public void Handler_alone_is_none()
    {
        UiThread ui = Find(UiThreadStacks.Exports(UiThreadStacks.EventWait));
        Assert.Null(ui.Reentry);
        Assert.NotNull(ui.Message);
    }

    [Fact]
    public void Program_s_own_loop_around_the_dispatch_is_no_handler() => Assert.Null(Find(
        [.. UiThreadStacks.EventWait, "app!CView::OnSave", "user32!UserCallWinProcCheckWow", "user32!DispatchMessageWorker", "app!CShopApp::PumpMessage",
            "mfc140u!CWinThread::Run", "app!WinMain"]).Reentry);

    [Theory]
    [InlineData(FrameTrust.UnwindInfo, Confidence.Confirmed)]
    [InlineData(FrameTrust.Scan, Confidence.Suspected)]
    public void Report_says_so_as_surely_as_the_frames_are_known(FrameTrust trust, Confidence expected)
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: Inside(s_callback), trust: trust).Wait(1, Event));
        Claim claim = Assert.Single(verdict!.Claims, c => c.Text.Contains("reentrancy", StringComparison.Ordinal));
        Assert.Equal(expected, claim.Confidence);
        Assert.StartsWith("On thread 0 (0x1) the handler app.exe!InnerProc runs inside user32!SendMessageW, which another handler, app.exe!WndProc, called",
            claim.Text, StringComparison.Ordinal);
    }
}
