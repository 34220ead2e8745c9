namespace Dump.Analysis.Tests;

/// <summary>
/// Stacks of threads with message loops, innermost frame first, shaped after public listings; each names its source. Function names and their order come from
/// there, the program's are made up.
/// </summary>
internal static class UiThreadStacks
{
    /// <summary>How Win32 threads begin.</summary>
    private static readonly string[] s_start = ["app!WinMain", "kernel32!BaseThreadInitThunk", "ntdll!RtlUserThreadStart"];

    /// <summary>An idle GetMessage loop (Microsoft Learn, "Using Messages and Message Queues"; NtUserGetMessage as in dotnet/wpf #5585).</summary>
    public static string[] IdleWin32 { get; } = ["win32u!NtUserGetMessage", "user32!GetMessageW", .. s_start];

    /// <summary>
    /// A dialog in a handler: NtUserWaitMessage below DialogBox2, as in dotnet/docs #8965, and the dispatch below it as in libsdl-org/SDL #10529.
    /// </summary>
    public static string[] ModalDialog { get; } =
    [
        "win32u!NtUserWaitMessage", "user32!DialogBox2", "user32!InternalDialogBox", "user32!DialogBoxIndirectParamAorW", "user32!DialogBoxIndirectParamW",
        "app!OnFileOpen", "app!WndProc", "user32!UserCallWinProcCheckWow", "user32!DispatchMessageWorker", .. s_start,
    ];

    /// <summary>The user moves the window: the system's own loop in the kernel, below the default window procedure.</summary>
    public static string[] MovingWindow { get; } =
        ["win32u!NtUserMessageCall", "user32!RealDefWindowProcW", "uxtheme", "user32!DefWindowProcW", "app!WndProc", "user32", "user32!DispatchMessageW",
            .. s_start];

    /// <summary>A handler in MFC: libsdl-org/SDL #10529.</summary>
    public static string[] Mfc(params string[] innermost) =>
    [
        .. innermost, "app!CMainView::OnSave", "mfc140u!CWnd::OnWndMsg", "user32!UserCallWinProcCheckWow", "user32!DispatchMessageWorker",
            "mfc140u!AfxInternalPumpMessage",
        "mfc140u!CWinThread::PumpMessage", "mfc140u!CWinThread::Run", "mfc140u!AfxWinMain", .. s_start[1..],
    ];

    /// <summary>A handler in a Win32 program with the exported names only, on a system where DispatchMessageW stays on the stack.</summary>
    public static string[] Exports(params string[] innermost) => [.. innermost, "app!OnTimer", "app!WndProc", "user32", "user32", "user32!DispatchMessageW",
        .. s_start];

    /// <summary>The same on x64 Windows 10 without user32's symbols: nothing of user32 has a name.</summary>
    public static string[] NoNames(params string[] innermost) => [.. innermost, "app!OnTimer", "app!WndProc", "user32", "user32", .. s_start];

    /// <summary>A WPF handler: dotnet/wpf #3147 (SubclassWndProc, LegacyInvokeImpl) with the loop of oxyplot/oxyplot #1786.</summary>
    public static string[] Wpf(params string[] innermost) =>
    [
        .. innermost, "shop!Shop.MainWindow.Save_Click", "PresentationCore!System.Windows.EventRoute.InvokeHandlersImpl",
            "WindowsBase!MS.Win32.HwndWrapper.WndProc",
        "WindowsBase!System.Windows.Threading.Dispatcher.LegacyInvokeImpl", "WindowsBase!MS.Win32.HwndSubclass.SubclassWndProc", "user32", "user32",
        "WindowsBase!System.Windows.Threading.Dispatcher.TranslateAndDispatchMessage", "WindowsBase!System.Windows.Threading.Dispatcher.PushFrameImpl",
        "WindowsBase!System.Windows.Threading.Dispatcher.PushFrame", "WindowsBase!System.Windows.Threading.Dispatcher.Run",
            "PresentationFramework!System.Windows.Application.RunDispatcher",
        "shop!Shop.App.Main",
    ];

    /// <summary>A WinForms handler of .NET Framework: FriendsOfCADability/CADability #52.</summary>
    public static string[] WinForms(params string[] innermost) =>
    [
        .. innermost, "shop!Shop.MainForm.Save_Click", "System.Windows.Forms!System.Windows.Forms.Button.OnClick",
            "System.Windows.Forms!System.Windows.Forms.NativeWindow.DebuggableCallback",
        "user32", "user32", "System.Windows.Forms!System.Windows.Forms.Application.ComponentManager.System.Windows.Forms.UnsafeNativeMethods.IMsoComponentManager.FPushMessageLoop",
        "System.Windows.Forms!System.Windows.Forms.Application.ThreadContext.RunMessageLoopInner",
            "System.Windows.Forms!System.Windows.Forms.Application.ThreadContext.RunMessageLoop",
        "System.Windows.Forms!System.Windows.Forms.Application.Run", "shop!Shop.Program.Main",
    ];

    /// <summary>A handler in Qt 5: arvidn/libtorrent #1498, with the callback of manisandro/gImageReader #469.</summary>
    public static string[] Qt5(params string[] innermost) =>
    [
        .. innermost, "app!MainWindow::save", "Qt5Widgets!QAbstractButton::clicked", "qwindows!QWindowsContext::windowsProc", "user32", "user32",
        "Qt5Core!QEventDispatcherWin32::processEvents", "qwindows!QWindowsGuiEventDispatcher::processEvents", "Qt5Core!QEventLoop::exec",
            "Qt5Core!QCoreApplication::exec", .. s_start,
    ];

    /// <summary>A handler in Qt 6: openstudiocoalition/OpenStudioApplication #538.</summary>
    public static string[] Qt6(params string[] innermost) =>
    [
        .. innermost, "app!MainWindow::save", "Qt6Widgetsd!QAbstractButton::clicked", "Qt6Cored!QEventDispatcherWin32::processEvents",
            "Qt6Guid!QWindowsGuiEventDispatcher::processEvents",
        "Qt6Cored!QEventLoop::processEvents", "Qt6Cored!QEventLoop::exec", "Qt6Cored!QCoreApplication::exec", .. s_start,
    ];

    /// <summary>
    /// A task on the main thread of an Electron program: electron/electron #23282; the program's file has its own name (electron/electron #12675).
    /// </summary>
    public static string[] Electron(params string[] innermost) =>
    [
        .. innermost, "shop!shop::Browser::OnSave", "shop!base::TaskAnnotator::RunTask",
            "shop!base::sequence_manager::internal::ThreadControllerWithMessagePumpImpl::DoWorkImpl",
        "shop!base::MessagePumpForUI::DoRunLoop", "shop!base::MessagePumpWin::Run", "shop!base::RunLoop::Run", "shop!content::BrowserMain",
            "kernel32!BaseThreadInitThunk",
    ];

    /// <summary>An idle one: electron/electron #12481.</summary>
    public static string[] IdleElectron { get; } =
    [
        "win32u!NtUserMsgWaitForMultipleObjectsEx", "user32!RealMsgWaitForMultipleObjectsEx", "user32!MsgWaitForMultipleObjectsEx",
            "shop!base::MessagePumpForUI::WaitForWork",
        "shop!base::MessagePumpForUI::DoRunLoop", "shop!base::MessagePumpWin::Run", "kernel32!BaseThreadInitThunk",
    ];

    /// <summary>A WinUI 3 handler: microsoft/microsoft-ui-xaml #10444 (the library's window and the kernel's callback), #6401 (its loop).</summary>
    public static string[] WinUI(params string[] innermost) =>
    [
        .. innermost, "shop!Shop.MainWindow.Save_Click", "Microsoft.ui.xaml!CXcpDispatcher::Tick",
            "CoreMessagingXP!Microsoft::CoreUI::Dispatch::Dispatcher::Callback_DispatchNextItem",
        "CoreMessagingXP!Microsoft::CoreUI::Dispatch::EventLoop::Callback_RunCoreLoop", "CoreMessagingXP!Microsoft::CoreUI::Dispatch::UserAdapter::WindowProc",
        "user32!UserCallWinProcCheckWow", "user32!DispatchClientMessage", "user32!__fnDWORD", "ntdll!KiUserCallbackDispatcher", "win32u!NtUserGetMessage",
            "user32!GetMessageW",
        "Microsoft.ui.xaml!DirectUI::FrameworkApplication::RunDesktopWindowMessageLoop", "shop!Shop.Program.Main", "kernel32!BaseThreadInitThunk",
    ];

    /// <summary>A managed wait on a thread of a single-threaded apartment: dotnet/corert #5736 and kellylford/QuickMail #181.</summary>
    public static string[] StaWait { get; } =
    [
        "win32u!NtUserMsgWaitForMultipleObjectsEx", "user32!RealMsgWaitForMultipleObjectsEx", "combase!CCliModalLoop::BlockFn",
            "combase!ClassicSTAThreadWaitForHandles",
        "combase!CoWaitForMultipleHandles", "coreclr!MsgWaitHelper", "System.Private.CoreLib!System.Threading.Monitor.Enter",
    ];

    /// <summary>A call to another apartment: dotnet/winforms #8405.</summary>
    public static string[] ComCall { get; } =
    [
        "win32u!NtUserMsgWaitForMultipleObjectsEx", "user32!RealMsgWaitForMultipleObjectsEx", "combase!CCliModalLoop::BlockFn", "combase!ModalLoop",
        "combase!ClassicSTAThreadDispatchCrossApartmentCall", "combase!CSyncClientCall::SendReceive2", "combase!NdrExtpProxySendReceive",
            "rpcrt4!NdrpClientCall3", "combase!ObjectStublessClient",
    ];

    /// <summary>
    /// A thread of a single-threaded apartment that serves calls: COM's window procedure as in microsoft/WindowsAppSDK #609, dispatched through the kernel as
    /// in windirstat/windirstat #143.
    /// </summary>
    public static string[] ComServer(bool throughTheKernel) =>
    [
        .. EventWait, "server!CServer::Save", "rpcrt4!Invoke", "combase!StdStubBuffer_Invoke", "combase!ThreadWndProc", "user32!UserCallWinProcCheckWow",
        .. throughTheKernel ? ["user32!DispatchClientMessage", "user32!__fnDWORD", "ntdll!KiUserCallbackDispatcherContinue", "win32u!NtUserDispatchMessage"]
            : Array.Empty<string>(),
        "user32!DispatchMessageWorker", .. s_start,
    ];

    /// <summary>The same without symbols: only exports have names.</summary>
    public static string[] ComCallWithoutNames { get; } =
        ["win32u!NtUserMsgWaitForMultipleObjectsEx", "user32", "combase", "combase", "combase", "combase", "combase", "rpcrt4", "combase"];

    /// <summary>A wait for an event.</summary>
    public static string[] EventWait { get; } = ["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObjectEx"];

    /// <summary>A wait for a critical section.</summary>
    public static string[] SectionWait { get; } = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlpWaitOnAddressWithTimeout",
        "ntdll!RtlpEnterCriticalSectionContended"];

    /// <summary>A worker in Control.Invoke (Control.cs in dotnet/winforms; dotnet/winforms #4536).</summary>
    public static string[] ControlInvoke { get; } =
    [
        .. EventWait, "System.Windows.Forms!System.Windows.Forms.Control.WaitForWaitHandle",
            "System.Windows.Forms!System.Windows.Forms.Control.MarshaledInvoke",
        "System.Windows.Forms!System.Windows.Forms.Control.Invoke", "shop!Shop.Worker.Report",
    ];
}
