using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>
/// Outcomes about user-interface threads, with stacks after public listings: libsdl-org/SDL #10529 (MFC), FriendsOfCADability/CADability #52 and
/// dotnet/winforms #4536 (WinForms), dotnet/winforms #8405 (COM).
/// </summary>
internal static class UiScenes
{
    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Named => new Dictionary<string, Func<Scene>>
    {
        ["ui-busy"] = BusyHandler,
        ["ui-com-call-hung"] = ComCallInHungWindow,
        ["ui-driver-call"] = CallOfTheGraphicsDriver,
        ["ui-driver-call-hung"] = CallOfTheGraphicsDriverInHungWindow,
        ["ui-dialog-over-com-call"] = DialogOverComCall,
        ["ui-hung-window-idle"] = HungWindowOfIdleThread,
        ["ui-lock-stuck"] = LockOfStuckOwner,
        ["ui-task-invoke"] = TaskThatInvokes,
    };

    private const string MfcLoop =
        "server!COrdersView::OnSave+0x51 mfc140u+0x2a1b0 user32!UserCallWinProcCheckWow+0x2d1 user32!DispatchMessageWorker+0x1f2 mfc140u!AfxInternalPumpMessage+0x4b mfc140u!CWinThread::Run+0x7d"
        + " mfc140u!AfxWinMain+0xa6 kernel32!BaseThreadInitThunk+0x14 ntdll!RtlUserThreadStart+0x21";

    private const string WinFormsLoop =
        "server!Shop.MainForm.Save_Click+0x38 system.windows.forms!System.Windows.Forms.NativeWindow.Callback+0x2f user32!UserCallWinProcCheckWow+0x2d1 user32!DispatchMessageWorker+0x1f2"
        + " system.windows.forms!System.Windows.Forms.Application.ThreadContext.RunMessageLoopInner+0x121 system.windows.forms!System.Windows.Forms.Application.Run+0x33 server!Shop.Program.Main+0x4a";

    private const string ComCall =
        "win32u!NtUserMsgWaitForMultipleObjectsEx+0x14 user32!RealMsgWaitForMultipleObjectsEx+0x1e combase!CCliModalLoop::BlockFn+0x28a combase!ModalLoop+0xa9"
        + " combase!ClassicSTAThreadDispatchCrossApartmentCall+0x64 combase!CSyncClientCall::SendReceive2+0x6d0 rpcrt4!NdrpClientCall3+0x47b";

    public static Scene LockOfStuckOwner() => new SceneBuilder()
        .Waiting(0x100, MfcLoop).Wait(0x100, SceneBuilder.Section(0x2A0_1000)).Own(SceneBuilder.Section(0x2A0_1000), 0x104)
        .WaitingForHandle(0x104, "server!Backup+0x88", "backup").Wait(0x104, new Resource(ResourceKind.Event, 0x44))
        .Judged();

    public static Scene TaskThatInvokes()
    {
        Resource task = new(ResourceKind.ManagedTask, 0x1F0_2B3C_5000);
        return new SceneBuilder()
            .WaitingForHandle(0x100, "system.private.corelib!System.Threading.Tasks.Task.InternalWaitCore+0x1a5 " + WinFormsLoop).Wait(0x100, task)
                .Own(task, 0x104)
            .WaitingForHandle(0x104,
                "system.windows.forms!System.Windows.Forms.Control.MarshaledInvoke+0x3c1 system.windows.forms!System.Windows.Forms.Control.Invoke+0x62 server!Shop.Worker.Report+0x29")
            .Wait(0x104, new Resource(ResourceKind.Event, 0x44))
            .Judged();
    }

    public static Scene ComCallInHungWindow() => new SceneBuilder { Comment = "*** procdump -ma -h 4711\n*** Hung window detected: 140aa0" }
        .Thread(0x100, "NtUserMsgWaitForMultipleObjectsEx", ThreadActivityKind.Idle, ComCall + " " + MfcLoop)
        .Thread(0x104, "NtUserGetMessage", ThreadActivityKind.Idle, "win32u!NtUserGetMessage+0x14 user32!GetMessageW+0x2e server!Tray::Run+0x40")
        .Judged();

    /// <summary>A handler stands in a call that is in no table.</summary>
    public static Scene CallOfTheGraphicsDriver() => DriverCall(null);

    public static Scene CallOfTheGraphicsDriverInHungWindow() => DriverCall("*** procdump -ma -h 4711\n*** Hung window detected: 140aa0");

    /// <summary>The healthy dialog of a message filter, above a call that nobody answers: dotnet/docs #8965.</summary>
    public static Scene DialogOverComCall() => new SceneBuilder()
        .Thread(0x100, "NtUserWaitMessage", ThreadActivityKind.Idle,
            "win32u!NtUserWaitMessage+0x14 user32!DialogBox2+0x266 user32!DialogBoxIndirectParamW+0x1b oledlg!OleUIBusyW+0x9f server!Filter::OnNotResponding+0x41"
            + " combase!CCliModalLoop::HandlePendingMessage+0x1d combase!CCliModalLoop::BlockFn+0x28a combase!ModalLoop+0xa9 combase!CSyncClientCall::SendReceive2+0x6d0 "
            + MfcLoop)
        .Judged();

    /// <summary>procdump found the window hung, but at the moment of the dump its thread waits for messages.</summary>
    public static Scene HungWindowOfIdleThread() => new SceneBuilder { Comment = "*** procdump -ma -h 4711\n*** Hung window detected: 140aa0" }
        .Thread(0x100, "NtUserGetMessage", ThreadActivityKind.Idle, "win32u!NtUserGetMessage+0x14 user32!GetMessageW+0x2e server!Tray::Run+0x40")
        .Judged();

    private static Scene DriverCall(string? comment) => new SceneBuilder { Comment = comment }
        .Thread(0x100, "NtGdiDdDDIEscape", ThreadActivityKind.SystemCall,
            "win32u!NtGdiDdDDIEscape+0x14 nvwgf2umx+0x2ffa1 d3d11!CContext::Flush+0x51 server!Chart::Render+0x9b " + MfcLoop)
        .Judged();

    public static Scene BusyHandler() => new SceneBuilder().Thread(0x100, "", ThreadActivityKind.Running, MfcLoop, SceneBuilder.Busy).Judged();
}
