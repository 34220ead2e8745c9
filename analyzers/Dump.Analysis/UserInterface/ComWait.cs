using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.UserInterface;

/// <summary>A wait that takes COM calls or sent messages and leaves input where it is. Its innermost frames are those of an idle pump.</summary>
/// <param name="Function">The function in words: <c>CoWaitForMultipleHandles</c>, or what the modules on the stack prove.</param>
/// <param name="IsCall">True when it waits for the answer to a call to another apartment or process, false for a wait for handles.</param>
public sealed record ComWait(string Function, bool IsCall)
{
    /// <summary>True when COM calls to the thread's apartment are served meanwhile.</summary>
    public bool TakesComCalls { get; init; } = true;

    /// <summary>True when messages that other threads send are handled meanwhile.</summary>
    public bool TakesSentMessages { get; init; } = true;
}

/// <summary>Recognises waits whose innermost frames are those of an idle loop although no input ends them.</summary>
internal static class ComWaits
{
    private static readonly FrozenSet<string> s_callers = new[] { "combase", "ole32", "rpcrt4", "oleaut32" }.ToFrozenSet();

    // COWAIT_DISPATCH_WINDOW_MESSAGES of combaseapi.h: the wait handles all window messages.
    private const uint DispatchesWindowMessages = 0x10;

    /// <summary>The wait, or null when the thread waits for input as a loop does.</summary>
    /// <param name="thread">A thread whose innermost frames are those of user32's waits.</param>
    /// <param name="caller">Index of the first frame behind them.</param>
    public static ComWait? Find(ThreadSnapshot thread, int caller)
    {
        ImmutableArray<StackFrame> frames = thread.Stack.Frames;
        if (thread.ComWaitFlags is { } flags && (flags & DispatchesWindowMessages) != 0)
        {
            return null;
        }

        if (caller < frames.Length && frames[caller].ModuleStem is { } module && IsWaiter(module) && !IsLoopOf(frames, caller)
            && (!FrameworkModules.IsRuntime(module) || !frames.Take(caller).Any(IsForMessages)))
        {
            return Of(frames, caller);
        }

        return thread.MessageWait is { } wait && !wait.TakesInput
            ? new ComWait($"{wait.Function} ({WakeMask.Names(wait.WakeMask)})", IsCall: false)
            {
                TakesComCalls = WakeMask.TakesPostedMessages(wait.WakeMask),
                TakesSentMessages = WakeMask.TakesSentMessages(wait.WakeMask),
            }
            : null;
    }

    // Who calls MsgWaitForMultipleObjectsEx for a wait of its own instead of for input: COM's modal loop (dotnet/winforms #8405, kellylford/QuickMail #181)
    // and the runtime's wait on a thread of a single-threaded apartment.
    private static bool IsWaiter(string stem) => stem is "combase" or "ole32" || FrameworkModules.IsRuntime(stem);

    /// <summary>True where a loop of COM's own called, which drag and drop runs: the frames between it and its wait have no exported names.</summary>
    private static bool IsLoopOf(ImmutableArray<StackFrame> frames, int caller) =>
        frames.Skip(caller).TakeWhile(f => f.ModuleStem is "combase" or "ole32").Any(f => MessagePumpFunctions.RoleOf(f) is not null);

    /// <summary>True for functions that wait for messages alone: the runtime calls them for the program's own loop, not for a wait of its own.</summary>
    private static bool IsForMessages(StackFrame frame) => frame is { ModuleStem: "user32", Called: "GetMessageA" or "GetMessageW" or "WaitMessage" }
        or { ModuleStem: "win32u", Function: "NtUserGetMessage" or "NtUserWaitMessage" };

    /// <summary>A wait for handles when CoWaitForMultipleHandles or the runtime called; a call when code that marshals calls did.</summary>
    private static ComWait Of(ImmutableArray<StackFrame> frames, int caller)
    {
        StackFrame[] run = [.. frames.Skip(caller).TakeWhile(f => f.ModuleStem is { } stem && s_callers.Contains(stem))];
        StackFrame? handles = run.FirstOrDefault(f => f.ModuleStem is "combase" or "ole32"
            && f.Function is "CoWaitForMultipleHandles" or "CoWaitForMultipleObjects");
        return handles is { Function: { } name } ? new ComWait(name, IsCall: false)
            : run.Length == 0 ? new ComWait($"a wait of {frames[caller].ModuleStem}", IsCall: false)
            : run.Any(f => f.ModuleStem == "rpcrt4" || ComCallFunctions.IsCall(f))
                ? new ComWait("a COM call to another apartment or process", IsCall: true)
                : new ComWait("a wait of COM", IsCall: false);
    }
}
