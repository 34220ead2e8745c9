using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>Waits until another thread has handled a message or a piece of work that only it can handle.</summary>
internal static class MessageWaits
{
    private const string Invoke = "System.Windows.Threading.Dispatcher.InvokeImpl";
    private const string LegacyInvoke = "System.Windows.Threading.Dispatcher.LegacyInvokeImpl";

    private static readonly FrozenSet<string> s_sends = new[] { "SendMessageA", "SendMessageW", "SendMessageTimeoutA", "SendMessageTimeoutW" }.ToFrozenSet();

    // The default window procedures enter the kernel through the same system call as SendMessage; there a user who moves a window or holds a menu open keeps
    // the thread in a modal loop.
    private static readonly FrozenSet<string> s_defaults = new[]
    {
        "DefWindowProcA", "DefWindowProcW", "RealDefWindowProcA", "RealDefWindowProcW", "RealDefWindowProcWorker", "DefDlgProcA", "DefDlgProcW",
        "DefFrameProcA", "DefFrameProcW", "DefMDIChildProcA", "DefMDIChildProcW",
    }.ToFrozenSet();

    // WinForms posts the call to the control's thread and waits for its event (Control.cs in dotnet/winforms; dotnet/runtime #78384); WPF queues an operation
    // of the dispatcher and waits for it (Dispatcher.cs, DispatcherOperation.cs in dotnet/wpf). LegacyInvokeImpl is also what a window procedure runs its
    // handler in, and InvokeImpl before .NET Framework 4.5: the one that waits has DispatcherOperation.Wait inside.
    private static readonly FrozenSet<(string, string)> s_marshalled = new[]
    {
        ("system.windows.forms", "System.Windows.Forms.Control.MarshaledInvoke"),
        ("windowsbase", Invoke),
        ("windowsbase", LegacyInvoke),
        ("windowsbase", "System.Windows.Threading.DispatcherOperation.Wait"),
    }.ToFrozenSet();

    /// <summary>
    /// The send function that a thread in <c>NtUserMessageCall</c> is in, or null when it is there for the default handling of a message, or nothing says why.
    /// </summary>
    public static string? SendOf(ImmutableArray<StackFrame> frames)
    {
        foreach (StackFrame frame in frames.TakeWhile(f => f.ModuleStem is "win32u" or "user32" or "uxtheme"))
        {
            if (frame is { ModuleStem: "user32", Called: { } function })
            {
                if (s_sends.Contains(function))
                {
                    return function;
                }

                if (s_defaults.Contains(function))
                {
                    return null;
                }
            }
        }

        return null;
    }

    /// <summary>
    /// True when a wait with a time limit is one step of a wait without end: <c>Control.WaitForWaitHandle</c> waits a second at a time until the call has been
    /// made, and looks in between whether the control's thread still lives (Control.cs in dotnet/winforms).
    /// </summary>
    public static bool IsStepOfEndlessWait(ImmutableArray<StackFrame> frames) =>
        frames.Any(f => f.Is("system.windows.forms", "System.Windows.Forms.Control.WaitForWaitHandle"));

    /// <summary>
    /// The framework method in which a thread waits for work that it has given to a user-interface thread, or null.
    /// The outermost one: it is what the program called. Where the call was for the thread's own windows, the
    /// method runs the work itself, or pumps until its turn comes: then code of others, or a pump, stands inside.
    /// </summary>
    public static StackFrame? MarshalledCall(ImmutableArray<StackFrame> frames)
    {
        int inner = AfterHooks(frames);
        while (inner < frames.Length && !IsMarshalled(frames[inner]) && IsPartOfWait(frames[inner]))
        {
            inner++;
        }

        if (inner == frames.Length || !IsMarshalled(frames[inner]))
        {
            return null;
        }

        int outer = inner;
        while (outer + 1 < frames.Length && IsMarshalled(frames[outer + 1]))
        {
            outer++;
        }

        bool waits = frames[inner].Function is not (Invoke or LegacyInvoke);
        return waits ? frames[outer] : null;
    }

    /// <summary>
    /// Where to begin behind native code of others in the runtime's wait, a hook: Application Verifier, or code inside of the system's wait function that the
    /// runtime called. Code behind which user32, COM or ntdll stand was delivered by the wait, and what the runtime calls itself may be any object's code:
    /// those wait for something else. 0 where no hook stands there, or it may be such code.
    /// </summary>
    private static int AfterHooks(ImmutableArray<StackFrame> frames)
    {
        int managed = frames.TakeWhile(f => f.Symbol != SymbolSource.Metadata).Count();
        int hook = frames.TakeWhile(IsPartOfWait).Count();
        if (managed == frames.Length || hook >= managed || !IsRuntime(frames[managed - 1]))
        {
            return 0;
        }

        int systemWait = frames.ToList().FindLastIndex(managed - 1, IsSystemWait);
        bool areHooks = Enumerable.Range(hook, managed - hook)
            .All(i => IsRuntime(frames[i]) || IsSystemWait(frames[i]) || frames[i].ModuleStem is null or "vfbasics" or "verifier"
            || (i < systemWait && !FrameworkModules.Contains(frames[i].ModuleStem!) && MessagePumpFunctions.RoleOf(frames[i]) is null));
        return areHooks ? managed : 0;
    }

    private static bool IsRuntime(StackFrame frame) => FrameworkModules.IsRuntime(frame.ModuleStem);

    private static bool IsSystemWait(StackFrame frame) =>
        frame is { ModuleStem: "kernelbase" or "kernel32", Function: { } function } && function.StartsWith("WaitFor", StringComparison.Ordinal);

    private static bool IsMarshalled(StackFrame frame) =>
        frame is { ModuleStem: { } module, Function: { } function } && s_marshalled.Contains((module, function));

    /// <summary>True for frames that a wait consists of: no program's code, and no pump.</summary>
    private static bool IsPartOfWait(StackFrame frame) =>
        (frame.ModuleStem is not { } stem || FrameworkModules.Contains(stem)) && MessagePumpFunctions.RoleOf(frame) is null or MessagePumpRole.Retrieves;
}
