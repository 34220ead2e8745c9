using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Functions of message pumps by exact module and name. Without symbols only the exported ones of user32 and
/// win32u have names, and managed methods, which the runtime itself names.
/// </summary>
public static class MessagePumpFunctions
{
    // Exports: Microsoft Learn, "winuser.h". The Nt functions are exports of win32u since Windows 10 1607. RealMsgWaitForMultipleObjectsEx,
    // DispatchMessageWorker and DialogBox2 are no exports: they stand in the public stacks of dotnet/winforms #8405, libsdl-org/SDL #10529 and dotnet/docs
    // #8965. On x64 DispatchMessageW ends in a jump to DispatchMessageWorker, so that only the latter is on the stack there (SDL #10529). The move, size and
    // menu loops run in the kernel, below DefWindowProc or TrackPopupMenu.
    private static readonly (string Module, MessagePumpRole Role, string[] Functions)[] s_windows =
    [
        ("win32u", MessagePumpRole.Retrieves,
        ["NtUserGetMessage", "NtUserPeekMessage", "NtUserWaitMessage", "NtUserMsgWaitForMultipleObjectsEx", "NtUserRealInternalGetMessage",
            "NtUserRealWaitMessageEx"]),
        ("win32u", MessagePumpRole.Dispatches, ["NtUserDispatchMessage"]),
        ("win32u", MessagePumpRole.Loops, ["NtUserTrackPopupMenuEx"]),
        ("user32", MessagePumpRole.Retrieves,
        ["GetMessageA", "GetMessageW", "PeekMessageA", "PeekMessageW", "WaitMessage", "MsgWaitForMultipleObjects", "MsgWaitForMultipleObjectsEx",
            "RealMsgWaitForMultipleObjectsEx"]),
        ("user32", MessagePumpRole.Dispatches,
        ["DispatchMessageA", "DispatchMessageW", "DispatchMessageWorker", "IsDialogMessageA", "IsDialogMessageW", "TranslateAcceleratorA",
            "TranslateAcceleratorW"]),
        ("user32", MessagePumpRole.Loops,
        ["DialogBox2", "InternalDialogBox", "DialogBoxIndirectParamAorW", "DialogBoxIndirectParamA", "DialogBoxIndirectParamW", "DialogBoxParamA",
            "DialogBoxParamW",
            "MessageBoxA", "MessageBoxW", "MessageBoxExA", "MessageBoxExW", "MessageBoxIndirectA", "MessageBoxIndirectW", "MessageBoxTimeoutA",
            "MessageBoxTimeoutW", "SoftModalMessageBox",
            "TrackPopupMenu", "TrackPopupMenuEx"]),
        ("ole32", MessagePumpRole.Loops, ["DoDragDrop"]),
    ];

    // WPF: dotnet/wpf, Dispatcher.cs; stacks in dotnet/wpf #3147. WinForms: dotnet/winforms, Application.ThreadContext and Application.LightThreadContext (.NET
    // 9 and later), stacks in dotnet/winforms #2141 (.NET 5) and in published exception texts of .NET Framework 4 and .NET 8; the interface of FPushMessageLoop
    // was renamed with each of them.
    private static readonly (string Module, MessagePumpRole Role, string[] Functions)[] s_managed =
    [
        ("windowsbase", MessagePumpRole.Retrieves, ["System.Windows.Threading.Dispatcher.GetMessage"]),
        ("windowsbase", MessagePumpRole.Dispatches, ["System.Windows.Threading.Dispatcher.TranslateAndDispatchMessage"]),
        ("windowsbase", MessagePumpRole.Loops, ["System.Windows.Threading.Dispatcher.PushFrameImpl"]),
        ("system.windows.forms", MessagePumpRole.Retrieves,
        ["System.Windows.Forms.UnsafeNativeMethods.WaitMessage", "System.Windows.Forms.UnsafeNativeMethods.GetMessageA",
            "System.Windows.Forms.UnsafeNativeMethods.GetMessageW"]),
        ("system.windows.forms", MessagePumpRole.Dispatches,
        ["System.Windows.Forms.UnsafeNativeMethods.DispatchMessageA", "System.Windows.Forms.UnsafeNativeMethods.DispatchMessageW"]),
        ("system.windows.forms", MessagePumpRole.Loops,
        [
            "System.Windows.Forms.Application.ComponentManager.System.Windows.Forms.UnsafeNativeMethods.IMsoComponentManager.FPushMessageLoop",
            "System.Windows.Forms.Application.ComponentManager.Interop.Mso.IMsoComponentManager.FPushMessageLoop",
            "System.Windows.Forms.Application.ComponentManager.Microsoft.Office.IMsoComponentManager.FPushMessageLoop",
            "System.Windows.Forms.Application.ThreadContext.RunMessageLoopInner",
            "System.Windows.Forms.Application.ThreadContext.LocalModalMessageLoop",
            "System.Windows.Forms.Application.LightThreadContext.RunMessageLoopInner",
            "System.Windows.Forms.Application.LightThreadContext.LocalModalMessageLoop",
        ]),
    ];

    // MFC: libsdl-org/SDL #10529. Qt 5: arvidn/libtorrent #1498, manisandro/gImageReader #469; Qt 6, whose dispatcher for windows is in QtGui:
    // openstudiocoalition/OpenStudioApplication #538. All need the modules' symbols.
    private static readonly (string[] Modules, MessagePumpRole Role, string[] Functions)[] s_native =
    [
        (["mfc140u", "mfc140", "mfc140ud", "mfc140d", "mfc120u", "mfc120", "mfc110u", "mfc110", "mfc100u", "mfc100"], MessagePumpRole.Loops,
        ["AfxInternalPumpMessage", "CWinThread::PumpMessage", "CWinThread::Run"]),
        (["qt5core", "qt5cored", "qt6core", "qt6cored"], MessagePumpRole.Loops, ["QEventDispatcherWin32::processEvents", "QEventLoop::exec"]),
        (["qwindows", "qwindowsd", "qt6gui", "qt6guid"], MessagePumpRole.Loops, ["QWindowsGuiEventDispatcher::processEvents"]),
    ];

    // Chromium is part of the program itself, which has any name (electron/electron #12481: VIPKIDT.exe, #12675: Code - Insiders.exe; brave/brave-browser
    // #34334). Needs its symbols.
    private static readonly FrozenDictionary<string, MessagePumpRole> s_chromium = new Dictionary<string, MessagePumpRole>
    {
        ["base::MessagePumpForUI::WaitForWork"] = MessagePumpRole.Retrieves,
        ["base::MessagePumpForUI::ProcessMessageHelper"] = MessagePumpRole.Dispatches,
        ["base::MessagePumpForUI::DoRunLoop"] = MessagePumpRole.Loops,
    }.ToFrozenDictionary();

    // Windows App SDK (WinUI 3) and the system's own copy of the same library; needs symbols. Stacks in microsoft/microsoft-ui-xaml #6401, #5498 and #10444.
    private static readonly (string[] Modules, MessagePumpRole Role, string[] Functions)[] s_core =
    [
        (["coremessagingxp", "coremessaging"], MessagePumpRole.Loops, ["Microsoft::CoreUI::Dispatch::EventLoop::Callback_RunCoreLoop"]),
        (["coremessagingxp", "coremessaging"], MessagePumpRole.Dispatches,
            ["Microsoft::CoreUI::Dispatch::Dispatcher::Callback_DispatchNextItem", "Microsoft::CoreUI::Dispatch::Dispatcher::DispatchNextItem"]),
    ];

    // The thread on which .NET receives system-wide messages in a hidden window of its own: it has no user interface.
    private static readonly FrozenSet<(string, string)> s_hidden = new[]
    {
        ("system", "Microsoft.Win32.SystemEvents.WindowThreadProc"),
        ("microsoft.win32.systemevents", "Microsoft.Win32.SystemEvents.WindowThreadProc"),
    }.ToFrozenSet();

    private static readonly FrozenDictionary<(string, string), MessagePumpRole> s_roles =
        s_windows.Concat(s_managed).Select(e => (Modules: (string[])[e.Module], e.Role, e.Functions)).Concat(s_native).Concat(s_core)
            .SelectMany(e => e.Modules.SelectMany(m => e.Functions.Select(f => (Key: (m, f), e.Role))))
            .ToFrozenDictionary(e => e.Key, e => e.Role);

    /// <summary>What the frame's function does for a message pump, or null when it is none of its functions.</summary>
    public static MessagePumpRole? RoleOf(StackFrame frame) =>
        frame is not { ModuleStem: { } module, Called: { } function } ? null
        : s_roles.TryGetValue((module, function), out MessagePumpRole role) || s_chromium.TryGetValue(function, out role) ? role
        : null;

    /// <summary>True for the outermost method of a thread whose pump serves no window that a user sees.</summary>
    public static bool IsHiddenPump(StackFrame frame) =>
        frame is { ModuleStem: { } module, Function: { } function } && s_hidden.Contains((module, function));
}

/// <summary>What a function of a message pump does.</summary>
public enum MessagePumpRole
{
    /// <summary>Takes the next message from the thread's queue, and waits for one.</summary>
    Retrieves,

    /// <summary>Hands a message to its window procedure: what stands inner to it is a message handler.</summary>
    Dispatches,

    /// <summary>Is the loop that does both; a second one inside a handler is a modal loop.</summary>
    Loops,
}
