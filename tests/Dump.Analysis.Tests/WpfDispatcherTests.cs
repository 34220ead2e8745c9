using Dump.Analysis.Detection;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>
/// Threads of WPF. Function names and their order: Dispatcher.cs and DispatcherOperation.cs of dotnet/wpf; stacks in dotnet/wpf #3147 (a handler that a wait
/// delivers, through LegacyInvokeImpl), dotnet/roslyn #11019 (DispatcherSynchronizationContext.Wait) and Reloaded-Project/Reloaded-II #608 (ShowDialog).
/// </summary>
public sealed class WpfDispatcherTests
{
    private const string WindowProcedure = "WindowsBase!System.Windows.Threading.Dispatcher.LegacyInvokeImpl";

    private static readonly string[] s_idle =
        ["win32u!NtUserGetMessage", "user32!GetMessageW", "WindowsBase!System.Windows.Threading.Dispatcher.GetMessage",
            "WindowsBase!System.Windows.Threading.Dispatcher.PushFrameImpl", "WindowsBase!System.Windows.Threading.Dispatcher.PushFrame"];

    private static readonly string[] s_invoke =
        ["WindowsBase!System.Windows.Threading.DispatcherOperation.Wait", "WindowsBase!System.Windows.Threading.Dispatcher.InvokeImpl",
            "WindowsBase!System.Windows.Threading.Dispatcher.Invoke"];

    /// <summary>A worker in Dispatcher.Invoke.</summary>
    private static string[] Invoking(params string[] inner) =>
    [
        .. UiThreadStacks.EventWait, "System.Private.CoreLib!System.Threading.WaitHandle.WaitOneNoCheck",
            "WindowsBase!System.Windows.Threading.DispatcherOperation.DispatcherOperationEvent.WaitOne",
        .. inner, .. s_invoke, "shop!Shop.Worker.Report",
    ];

    /// <summary>A handler of the window's thread waits for what the second thread runs, which waits for an event.</summary>
    private static Verdict? Behind(string[] worker) => Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.EventWait))
        .Wait(1, PendingTask).Own(PendingTask, 2)
        .Thread(2, frames: worker).Wait(2, Event));

    private static bool SaysInvoke(Verdict? verdict) =>
        verdict!.Claims.Any(c => c.Text.Contains("work that only the thread of a window can do", StringComparison.Ordinal)
            || c.Text.Contains("deadlock", StringComparison.Ordinal));

    private static UiThreadState? State(params string[] frames) =>
        new AnalysisContext(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, frames).Build()).UiThreads is [var ui] ? ui.State : null;

    [Fact]
    public void Handler_that_waits_for_a_thread_in_invoke_is_a_deadlock()
    {
        Verdict? verdict = Behind(Invoking());
        Is("DUMP4002", Confidence.Likely, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.StartsWith("Thread 1 (0x2) waits in System.Windows.Threading.Dispatcher.InvokeImpl for work that only",
            StringComparison.Ordinal));
    }

    /// <summary>
    /// A window procedure of WPF runs its handler in LegacyInvokeImpl, on whatever thread the window is: that thread waits for nobody's dispatcher.
    /// </summary>
    [Fact]
    public void Handler_of_another_window_is_no_invoke() => Assert.False(SaysInvoke(Behind(
        [.. UiThreadStacks.EventWait, "shop!Shop.Probe.Check", WindowProcedure, "WindowsBase!MS.Win32.HwndSubclass.SubclassWndProc", "user32", "coreclr",
            "shop!Shop.Worker.Run"])));

    [Fact]
    public void The_same_whose_framework_code_waits_is_no_invoke() => Assert.False(SaysInvoke(Behind(
        [.. UiThreadStacks.EventWait, "PresentationCore!System.Windows.Interop.HwndTarget.Wait", WindowProcedure,
            "WindowsBase!MS.Win32.HwndSubclass.SubclassWndProc", "user32", "coreclr", "shop!Shop.Worker.Run"])));

    /// <summary>Before .NET Framework 4.5 HwndSubclass.SubclassWndProc runs its handler through Dispatcher.Invoke.</summary>
    [Fact]
    public void The_same_through_the_invoke_of_early_frameworks_is_no_invoke() => Assert.False(SaysInvoke(Behind(
    [
        .. UiThreadStacks.EventWait, "PresentationCore!System.Windows.Interop.HwndTarget.Wait", "WindowsBase!System.Windows.Threading.Dispatcher.WrappedInvoke",
        .. s_invoke[1..], "WindowsBase!MS.Win32.HwndSubclass.SubclassWndProc", "user32", "clr", "shop!Shop.Worker.Run",
    ])));

    /// <summary>A worker in Dispatcher.Invoke with other native code inside of the runtime's wait; the managed frames are named by the runtime.</summary>
    private static Verdict? BehindHooked(params string[] native) => Only(
        new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.EventWait)).Wait(1, PendingTask).Own(PendingTask, 2)
            .Thread(2, frames: [.. native, .. Invoking()[2..]]).With(t => t with
            {
                Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select((f, i) => i < native.Length ? f : f with { Symbol = SymbolSource.Metadata })] },
            }).Wait(2, Event));

    /// <summary>
    /// Application Verifier stands twice in a wait, between ntdll and kernelbase and around the latter; other hooks replace system calls, inside of kernelbase.
    /// </summary>
    [Theory]
    [InlineData("vfbasics!AVrfpNtWaitForMultipleObjects", "kernelbase!WaitForMultipleObjectsEx", "vfbasics!AVrfpWaitForMultipleObjectsEx", "clr")]
    [InlineData("guard", "kernelbase!WaitForMultipleObjectsEx", "coreclr")]
    public void Hook_in_the_wait_hides_no_invoke(params string[] outer)
    {
        Verdict? verdict = BehindHooked(["ntdll!NtWaitForMultipleObjects", .. outer]);
        Is("DUMP4002", Confidence.Likely, verdict);
        Assert.True(SaysInvoke(verdict));
    }

    /// <summary>
    /// Code behind which user32, COM or ntdll stand was delivered by the wait, and an object that the runtime releases runs its own code: then that is what
    /// waits.
    /// </summary>
    [Theory]
    [InlineData("user32", "user32", "combase!CoWaitForMultipleHandles", "clr")]
    [InlineData("ntdll!KiUserApcDispatcher", "ntdll!NtWaitForMultipleObjects", "kernelbase!WaitForMultipleObjectsEx", "clr")]
    [InlineData("clr")]
    [InlineData("kernelbase!WaitForSingleObjectEx")]
    public void Native_code_that_runs_in_the_wait_is_no_hook(params string[] outer) =>
        Assert.False(SaysInvoke(BehindHooked(["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObjectEx", "native!Deliver", .. outer])));

    /// <summary>While a thread waits in Invoke, a handler of its own may be delivered: then it waits for what that handler waits for.</summary>
    [Fact]
    public void Handler_inside_the_wait_of_an_invoke_is_what_waits() =>
        Assert.False(SaysInvoke(Behind(Invoking("shop!Shop.Probe.Check", WindowProcedure, "user32", "user32"))));

    /// <summary>Control.Invoke on the control's own thread calls at once (Control.MarshaledInvoke of dotnet/winforms).</summary>
    [Fact]
    public void Invoke_on_the_thread_itself_runs_the_program() => Assert.False(SaysInvoke(Behind(
        [.. UiThreadStacks.EventWait, "shop!Shop.Worker.Save", "System.Windows.Forms!System.Windows.Forms.Control.InvokeMarshaledCallbacks",
            "System.Windows.Forms!System.Windows.Forms.Control.MarshaledInvoke", "shop!Shop.Worker.Run"])));

    [Fact]
    public void Idle_dispatcher_dialog_and_invoke_with_a_low_priority_are_healthy()
    {
        Assert.Equal(UiThreadState.Idle, State([.. s_idle, "WindowsBase!System.Windows.Threading.Dispatcher.Run", "shop!Shop.App.Main"]));
        Assert.Equal(UiThreadState.Modal, State(UiThreadStacks.Wpf([.. s_idle, "PresentationFramework!System.Windows.Window.ShowHelper",
            "PresentationFramework!System.Windows.Window.ShowDialog"])));
        Assert.Equal(UiThreadState.Modal, State(UiThreadStacks.Wpf([.. s_idle, .. s_invoke])));
    }

    /// <summary>Code of the runtime between GetMessage and the loop is how a loop calls it, not a wait of the runtime's own.</summary>
    [Theory]
    [InlineData("coreclr")]
    [InlineData("clr")]
    public void Runtime_that_calls_GetMessage_for_a_loop_does_not_block(string runtime) =>
        Assert.Equal(UiThreadState.Idle, State([.. s_idle[..2], runtime, .. s_idle[2..], "WindowsBase!System.Windows.Threading.Dispatcher.Run",
            "shop!Shop.App.Main"]));

    [Fact]
    public void Lock_behind_the_dispatchers_own_wait_blocks_the_handler()
    {
        string[] wait =
        [
            .. UiThreadStacks.EventWait, "WindowsBase!System.Windows.Threading.DispatcherSynchronizationContext.Wait",
                "System.Private.CoreLib!System.Threading.SynchronizationContext.InvokeWaitMethodHelper",
            "System.Private.CoreLib!System.Threading.Monitor.Enter",
        ];
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Is("DUMP4001", Confidence.Likely, Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(wait)).Wait(1, monitor).Own(monitor, 2)
            .Thread(2, frames: Invoking()).Wait(2, Event)));
    }
}
