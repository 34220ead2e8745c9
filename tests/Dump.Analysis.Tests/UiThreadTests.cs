using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Which threads pump messages, and what they do: by exact functions on the stack, not by names, telling modules or a call into user32.</summary>
public sealed class UiThreadTests
{
    public static TheoryData<string, UiThreadState, string[]> Loops => new()
    {
        { "idle", UiThreadState.Idle, UiThreadStacks.IdleWin32 },
        { "dialog", UiThreadState.Modal, UiThreadStacks.ModalDialog },
        { "moving", UiThreadState.Modal, UiThreadStacks.MovingWindow },
        { "default handling of a message to its own control", UiThreadState.Modal,
            UiThreadStacks.Exports("win32u!NtUserMessageCall", "user32!RealDefWindowProcW", "user32!DefWindowProcW", "user32", "user32!SendMessageW") },
        { "menu", UiThreadState.Modal, UiThreadStacks.Exports("win32u!NtUserTrackPopupMenuEx", "user32!TrackPopupMenuEx") },
        { "modal loop of a program", UiThreadState.Modal, UiThreadStacks.Exports("win32u!NtUserMsgWaitForMultipleObjectsEx",
            "user32!MsgWaitForMultipleObjectsEx") },
        { "WPF idle", UiThreadState.Idle, ["win32u!NtUserGetMessage", "user32!GetMessageW", "WindowsBase!System.Windows.Threading.Dispatcher.GetMessage",
            "WindowsBase!System.Windows.Threading.Dispatcher.PushFrameImpl", "shop!Shop.App.Main"] },
        { "WPF ShowDialog", UiThreadState.Modal, UiThreadStacks.Wpf("win32u!NtUserGetMessage", "user32!GetMessageW",
            "WindowsBase!System.Windows.Threading.Dispatcher.GetMessage", "WindowsBase!System.Windows.Threading.Dispatcher.PushFrameImpl") },
        { "drag and drop", UiThreadState.Modal, UiThreadStacks.Mfc("win32u!NtUserMsgWaitForMultipleObjectsEx", "user32!RealMsgWaitForMultipleObjectsEx",
            "ole32!DoDragDrop") },
        { "drag and drop without symbols", UiThreadState.Modal, UiThreadStacks.Exports("win32u!NtUserMsgWaitForMultipleObjectsEx", "user32",
            "user32!MsgWaitForMultipleObjectsEx", "ole32", "ole32!DoDragDrop") },
        { "wait of a call beside drag and drop", UiThreadState.Handling, UiThreadStacks.Mfc("win32u!NtUserMsgWaitForMultipleObjectsEx",
            "user32!MsgWaitForMultipleObjectsEx", "combase", "app!OnDrop", "user32", "ole32!DoDragDrop") },
        { "MFC handler", UiThreadState.Handling, UiThreadStacks.Mfc(UiThreadStacks.EventWait) },
        { "exports", UiThreadState.Handling, UiThreadStacks.Exports(UiThreadStacks.EventWait) },
        { "WPF handler", UiThreadState.Handling, UiThreadStacks.Wpf(UiThreadStacks.EventWait) },
        { "WinForms handler", UiThreadState.Handling, UiThreadStacks.WinForms(UiThreadStacks.EventWait) },
        { "Qt 5", UiThreadState.Handling, UiThreadStacks.Qt5(UiThreadStacks.EventWait) },
        { "Qt 6", UiThreadState.Handling, UiThreadStacks.Qt6(UiThreadStacks.EventWait) },
        { "Electron task", UiThreadState.Handling, UiThreadStacks.Electron(UiThreadStacks.EventWait) },
        { "Electron idle", UiThreadState.Idle, UiThreadStacks.IdleElectron },
        { "WinUI", UiThreadState.Handling, UiThreadStacks.WinUI(UiThreadStacks.EventWait) },
        { "COM wait", UiThreadState.Handling, UiThreadStacks.Wpf(UiThreadStacks.StaWait) },
        { "COM call", UiThreadState.Handling, UiThreadStacks.Mfc(UiThreadStacks.ComCall) },
        { "lock inside GetMessage", UiThreadState.Handling, [.. UiThreadStacks.SectionWait, "user32!GetMessageW", "app!WinMain"] },
        { "hook inside GetMessage", UiThreadState.Handling, [.. UiThreadStacks.EventWait, "hook!Filter", "user32", "ntdll!KiUserCallbackDispatcher",
            "win32u!NtUserGetMessage", "user32!GetMessageW", "app!WinMain"] },
    };

    public static TheoryData<string, string[]> NoLoops => new()
    {
        { "worker in user32", [.. UiThreadStacks.EventWait, "user32!EnumWindows", "app!Worker"] },
        { "callback of an exported function", [.. UiThreadStacks.EventWait, "app!OnWindow", "user32", "user32!EnumWindows", "app!Worker"] },
        { "callback from the kernel without a loop", [.. UiThreadStacks.EventWait, "app!WndProc", "user32", "user32", "ntdll!KiUserCallbackDispatcher",
            "win32u!NtUserCreateWindowEx", "user32!CreateWindowExW", "app!Worker"] },
        { "telling names", [.. UiThreadStacks.EventWait, "uithread!DispatchMessageW", "mainwindow!GetMessageW", "app!Worker"] },
        { "similar names", [.. UiThreadStacks.EventWait, "user32!DispatchMessageWrapped", "app!MyGetMessageW", "app!Worker"] },
        { "wait of an apartment's worker", [.. UiThreadStacks.StaWait, "app!Worker"] },
        { "window of .NET's system events", [.. UiThreadStacks.EventWait, "user32!DispatchMessageW", "System!Microsoft.Win32.SystemEvents.WindowThreadProc"] },
        { "pump of no framework", [.. UiThreadStacks.EventWait, "app!base::MessagePumpForUIX::DoRunLoop", "app!QEventLoop::exec",
            "app!Microsoft::CoreUI::Dispatch::EventLoop::Callback_RunCoreLoop"] },
        { "nothing", [] },
    };

    /// <summary>Without user32's symbols a loop that dispatches has no name; what the program called tells a move from a send.</summary>
    [Theory]
    [InlineData("user32!DefWindowProcW", UiThreadState.Modal)]
    [InlineData("user32!SendMessageW", UiThreadState.Handling)]
    [InlineData("user32", UiThreadState.Handling)]
    public void Default_handling_below_an_inferred_loop_is_a_loop_of_the_system(string called, UiThreadState expected) => Assert.Equal(
        (expected, Grade.Suspected),
        Find("win32u!NtUserMessageCall", "user32", "uxtheme", called, "app!WndProc", "user32", "user32", "app!WinMain", "kernel32!BaseThreadInitThunk") is { } found
            ? (found.State, found.Grade) : default);

    /// <summary>Windows before 16299 waits for messages in its wait for several objects, which a handler's own wait also is.</summary>
    [Theory]
    [InlineData(14393, "user32!RealMsgWaitForMultipleObjectsEx", UiThreadState.Idle)]
    [InlineData(15063, "user32!MsgWaitForMultipleObjectsEx", UiThreadState.Idle)]
    [InlineData(7601, "user32!MsgWaitForMultipleObjects", UiThreadState.Idle)]
    [InlineData(16299, "user32!MsgWaitForMultipleObjectsEx", UiThreadState.Handling)]
    [InlineData(14393, "user32!GetMessageW", UiThreadState.Handling)]
    public void Old_systems_wait_for_messages_by_objects(uint build, string function, UiThreadState expected)
    {
        string[] frames = ["ntdll!NtWaitForMultipleObjects", "kernelbase!WaitForMultipleObjectsEx", function, "app!Loop", "app!WinMain"];
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: frames).Build();
        Assert.Equal(expected, Assert.Single(UiThreads.Find(snapshot with { System = snapshot.System with { Build = build } })).State);
    }

    private static UiThread? Find(params string[] frames) => UiThreads.Find(new SnapshotBuilder().Thread(1, frames: frames).Build()).SingleOrDefault();

    [Theory]
    [MemberData(nameof(Loops))]
    public void Thread_with_a_message_loop_is_known_by_its_functions(string what, UiThreadState state, string[] frames)
    {
        UiThread? found = Find(frames);
        Assert.True(found is not null, what);
        Assert.Equal((what, state, Grade.Proven), (what, found.State, found.Grade));
    }

    [Theory]
    [MemberData(nameof(NoLoops))]
    public void Thread_without_a_message_loop_is_none(string what, string[] frames) => Assert.True(Find(frames) is null, what);

    [Fact]
    public void Thread_that_is_merely_called_UI_is_none()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: [.. UiThreadStacks.EventWait, "app!UiThread"]).Build();
        Assert.Empty(UiThreads.Find(snapshot with { Threads = [snapshot.Threads[0] with { Name = "UI" }] }));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Handler_without_any_name_in_user32_is_only_suspected(bool inComCall)
    {
        UiThread? found = Find(UiThreadStacks.NoNames(inComCall ? UiThreadStacks.ComCallWithoutNames : UiThreadStacks.EventWait));
        Assert.Equal((UiThreadState.Handling, Grade.Suspected), (found?.State, found?.Grade));
    }

    [Fact]
    public void Guessed_frames_make_it_only_suspected()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait), trust: FrameTrust.Scan).Build();
        Assert.Equal(Grade.Suspected, Assert.Single(UiThreads.Find(snapshot)).Grade);
    }

    [Fact]
    public void Thread_that_has_exited_and_other_systems_have_none()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.IdleWin32).Build();
        Assert.Empty(UiThreads.Find(snapshot with { Threads = [snapshot.Threads[0] with { HasExited = true }] }));
        Assert.Empty(UiThreads.Find(snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux } }));
    }

    [Fact]
    public void Handler_is_the_outermost_frame_of_the_program_s_own_code()
    {
        Assert.Equal("Shop.MainWindow.Save_Click", Find(UiThreadStacks.Wpf([.. UiThreadStacks.EventWait, "lockmanager!Enter"]))?.Handler?.Function);
        Assert.Equal("shop::Browser::OnSave", Find(UiThreadStacks.Electron(UiThreadStacks.EventWait))?.Handler?.Function);
        Assert.Equal("MainWindow::save", Find(UiThreadStacks.Qt6(UiThreadStacks.EventWait))?.Handler?.Function);
        Assert.Equal("Shop.MainWindow.Save_Click", Find(UiThreadStacks.WinUI(UiThreadStacks.EventWait))?.Handler?.Function);
        Assert.Null(Find(UiThreadStacks.WinUI(UiThreadStacks.EventWait))?.Reentry);
        Assert.Equal("CMainView::OnSave", Find(UiThreadStacks.Mfc(UiThreadStacks.EventWait))?.Handler?.Function);
        Assert.Null(Find([.. UiThreadStacks.EventWait, "comctl32", "user32!DispatchMessageW", "app!WinMain"])?.Handler);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Call_that_a_thread_serves_is_no_window_s_message(bool throughTheKernel)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.ComServer(throughTheKernel)).Handling(0x10046, 0x400)
            .Wait(1, new Resource(ResourceKind.Event, 0x58)).Build();
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Contains("serves a call of another apartment to a COM object of its own (server.dll!CServer::Save)", verdict.Claims[0].Text,
            StringComparison.Ordinal);
        Assert.Contains("if it has any", verdict.Claims[^1].Text, StringComparison.Ordinal);
        Assert.Equal(new Culprit("server.dll", "COM call CServer::Save", 1), verdict.Culprit);
        Assert.False(Find(UiThreadStacks.Exports(UiThreadStacks.EventWait))!.ServesComCall);
        Assert.False(Find([.. UiThreadStacks.EventWait, "app!CData::GetData", "ole32", "user32!UserCallWinProcCheckWow", "user32!DispatchMessageWorker",
            "app!WinMain"])!.ServesComCall);
    }

    [Fact]
    public void Call_to_another_apartment_is_told_from_a_wait_for_handles()
    {
        Assert.Equal(new ComWait("CoWaitForMultipleHandles", IsCall: false), Find(UiThreadStacks.Wpf(UiThreadStacks.StaWait))?.ComWait);
        Assert.True(Find(UiThreadStacks.Mfc(UiThreadStacks.ComCall))?.ComWait?.IsCall);
        Assert.True(Find(UiThreadStacks.Exports(UiThreadStacks.ComCallWithoutNames))?.ComWait?.IsCall);
    }
}
