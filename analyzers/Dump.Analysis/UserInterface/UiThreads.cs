using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Rules;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.UserInterface;

/// <summary>
/// Finds threads with a message loop. A thread counts when a function of a pump stands on its stack, matched by exact module and name; a thread's name, a call
/// of some other function of user32 or a module's telling name say nothing.
/// </summary>
public static class UiThreads
{
    // Between a pump's function and its system call stand only these; a frame of ntdll there is a callback or a lock.
    private static readonly FrozenSet<string> s_windowing = new[] { "win32u", "user32" }.ToFrozenSet();

    // From this build on the wait for messages and objects is a system call of its own (NtUserMsgWaitForMultipleObjectsEx: j00ru/windows-syscalls).
    private const uint OwnMessageWaitBuild = 16299;
    private static readonly FrozenSet<string> s_messageWaits =
        new[] { "RealMsgWaitForMultipleObjectsEx", "MsgWaitForMultipleObjectsEx", "MsgWaitForMultipleObjects" }.ToFrozenSet();

    private static readonly FrozenSet<string> s_defaultHandlers = new[]
    {
        "DefWindowProcA", "DefWindowProcW", "DefDlgProcA", "DefDlgProcW", "DefFrameProcA", "DefFrameProcW", "DefMDIChildProcA", "DefMDIChildProcW",
    }.ToFrozenSet();

    /// <summary>All of them, in the order of the snapshot. Empty on systems without such loops.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="injected">Libraries that are known to be loaded into other people's processes; null for the list that comes with this program.</param>
    public static ImmutableArray<UiThread> Find(ProcessSnapshot snapshot, KnownModules? injected = null)
    {
        if (snapshot.System.Family != OperatingSystemFamily.Windows)
        {
            return [];
        }

        ApplicationCode application = new(snapshot, injected ?? KnownModules.Default);
        ImmutableArray<UiThread> found =
        [
            .. snapshot.Threads.Where(t => !t.HasExited)
                .Select(t => Find(t, application, waitsByObjects: snapshot.System.Build < OwnMessageWaitBuild)).OfType<UiThread>(),
        ];
        return found is [var only] && IsSurely(snapshot, only) ? [only with { Grade = Grade.Derived }] : found;
    }

    /// <summary>
    /// True where the dump's comment names a hung window and this is the only thread whose frames can be those of a message loop: that the process has such a
    /// thread is recorded then, and no other one qualifies. Without user32's symbols nothing else names a loop that dispatches.
    /// </summary>
    private static bool IsSurely(ProcessSnapshot snapshot, UiThread only) =>
        only is { Grade: Grade.Suspected, State: UiThreadState.Handling, IsInferred: true, Thread.IsGuiThread: not false }
        && HungWindowComment.WindowOf(snapshot.Source.Comment) is not null
        && only.Thread.Stack.Frames.Take(only.PumpIndex + 1).All(f => f.Trust > FrameTrust.Scan)
        && snapshot.Threads.All(t => t.HasExited || t.IsGuiThread == false || t.Stack.End == StackEnd.Complete);

    /// <summary>Finds the loop of one thread.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="application">What is the program's own.</param>
    /// <param name="waitsByObjects">True on systems where a wait for messages is the system's wait for several objects, one of which stands for messages.</param>
    private static UiThread? Find(ThreadSnapshot thread, ApplicationCode application, bool waitsByObjects)
    {
        ImmutableArray<StackFrame> frames = thread.Stack.Frames;
        if (frames.Any(MessagePumpFunctions.IsHiddenPump))
        {
            return null;
        }

        int pump = NextPump(frames, 0);
        if (pump < 0)
        {
            return InferredDispatch(frames, 0) is not { } inferred ? null
                : IsDefaultHandling(frames) && LeadsToDefaultHandler(frames, application)
                    ? new UiThread(thread, UiThreadState.Modal, inferred, Grade.Suspected)
                : Handling(thread, inferred, application, Grade.Suspected, null);
        }

        if ((!frames.Take(pump).All(f => f is { ModuleStem: { } stem } && s_windowing.Contains(stem)) && !(waitsByObjects && IsWaitByObjects(frames, pump)))
            || MessagePumpFunctions.RoleOf(frames[pump]) == MessagePumpRole.Dispatches)
        {
            return IsDefaultHandling(frames) ? Waiting(thread, pump, UiThreadState.Modal) : Handling(thread, pump, application, GradeOf(thread, pump), null);
        }

        int caller = NextOutside(frames, pump + 1, s_windowing);
        if (ComWaits.Find(thread, caller) is { } com)
        {
            // At the top of a thread such a wait is the business of a worker in an apartment; inside a handler it blocks the loop.
            int outer = NextPump(frames, caller);
            return outer >= 0 ? Handling(thread, outer, application, GradeOf(thread, outer), com)
                : InferredDispatch(frames, caller) is { } dispatch ? Handling(thread, dispatch, application, Grade.Suspected, com)
                : null;
        }

        int outermost = Math.Max(LastPump(frames), InferredDispatch(frames, caller) ?? -1);
        bool isNested = frames.Take(outermost).Skip(pump + 1).Any(application.Contains);
        UiThread waiting = Waiting(thread, pump, isNested ? UiThreadState.Modal : UiThreadState.Idle);
        return isNested ? waiting with { PendingCall = PendingComCall.Find(frames, pump, application) } : waiting;
    }

    private static UiThread Waiting(ThreadSnapshot thread, int pump, UiThreadState state) => new(thread, state, pump, GradeOf(thread, pump));

    private static UiThread Handling(ThreadSnapshot thread, int pump, ApplicationCode application, Grade grade, ComWait? com)
    {
        // A pump's own code that runs between two messages is no handler.
        if (pump == 0)
        {
            return new UiThread(thread, UiThreadState.Idle, pump, grade);
        }

        ImmutableArray<StackFrame> frames = thread.Stack.Frames;
        UiReentry? reentry = Reentrancy.Find(frames, application);
        bool isInside = reentry is not null && reentry.CallIndex < pump;
        int handler = isInside ? reentry!.InnerIndex : pump - 1;
        while (handler >= 0 && !application.Contains(frames[handler]))
        {
            handler--;
        }

        int caller = frames.Take(pump).ToList().FindIndex(application.Contains);
        int loop = NextOutside(frames, pump + 1, s_windowing);
        return new UiThread(thread, UiThreadState.Handling, pump, grade)
        {
            ComWait = com,
            Reentry = reentry,
            Message = isInside ? null : thread.Messages.FirstOrDefault(m => m.FrameIndex == loop),
            HandlerIndex = handler < 0 ? null : handler,
            CallerIndex = caller < 0 ? null : caller,
            ServesComCall = !isInside && IsCallOfCom(frames, pump, handler),
        };
    }

    /// <summary>A guessed frame proves nothing, and a thread that has never called the window manager has no message queue.</summary>
    private static Grade GradeOf(ThreadSnapshot thread, int pump) =>
        thread.Stack.Frames[pump].Trust > FrameTrust.Scan && thread.IsGuiThread != false ? Grade.Proven : Grade.Suspected;

    /// <summary>True when the system handles the message itself, in the kernel: that is where the loops for moving, sizing and menus are.</summary>
    private static bool IsDefaultHandling(ImmutableArray<StackFrame> frames) =>
        frames is [{ ModuleStem: "win32u", Function: "NtUserMessageCall" }, ..] && MessageWaits.SendOf(frames) is null;

    /// <summary>
    /// True when the program's innermost call is the default handler of a window's messages. Without user32's symbols a loop that dispatches has no name, and the
    /// loops in the kernel for moving and sizing stand below such a handler.
    /// </summary>
    private static bool LeadsToDefaultHandler(ImmutableArray<StackFrame> frames, ApplicationCode application) =>
        frames.TakeWhile(f => !application.Contains(f)).LastOrDefault(f => f.ModuleStem == "user32") is { Function: { } function } && s_defaultHandlers.Contains(function);

    /// <summary>True when a wait for messages waits in the system's wait for several objects.</summary>
    private static bool IsWaitByObjects(ImmutableArray<StackFrame> frames, int pump) =>
        frames[pump] is { ModuleStem: "user32", Function: { } function } && s_messageWaits.Contains(function)
        && frames[0] is { ModuleStem: "ntdll", Function: "NtWaitForMultipleObjects" or "ZwWaitForMultipleObjects" }
        && frames.Take(pump).Skip(1).All(f => f.ModuleStem is "kernelbase" or "kernel32" or "user32");

    /// <summary>
    /// COM gives calls to a single-threaded apartment to a hidden window, whose procedure is its own and has
    /// the stub called by RPC's runtime; other windows of OLE call nobody by that.
    /// </summary>
    private static bool IsCallOfCom(ImmutableArray<StackFrame> frames, int pump, int handler)
    {
        int procedure = pump - 1;
        while (procedure >= 0 && (Reentrancy.IsCallback(frames[procedure]) || (frames[procedure].ModuleStem is { } stem && s_windowing.Contains(stem))))
        {
            procedure--;
        }

        return procedure >= 0 && frames[procedure].ModuleStem is "combase" or "ole32"
            && frames.Take(procedure + 1).Skip(handler + 1).Any(f => f.ModuleStem == "rpcrt4" || f.Function == "ThreadWndProc");
    }

    private static int NextPump(ImmutableArray<StackFrame> frames, int from)
    {
        int index = from;
        while (index < frames.Length && MessagePumpFunctions.RoleOf(frames[index]) is null)
        {
            index++;
        }

        return index < frames.Length ? index : -1;
    }

    private static int LastPump(ImmutableArray<StackFrame> frames)
    {
        int index = frames.Length - 1;
        while (index >= 0 && MessagePumpFunctions.RoleOf(frames[index]) is null)
        {
            index--;
        }

        return index;
    }

    private static int NextOutside(ImmutableArray<StackFrame> frames, int from, FrozenSet<string> modules)
    {
        int index = from;
        while (index < frames.Length && frames[index].ModuleStem is { } stem && modules.Contains(stem))
        {
            index++;
        }

        return index;
    }

    /// <summary>
    /// The outermost frame of two or more of user32 that have no exported name and were called by the program, or null. On x64 DispatchMessage leaves only such
    /// frames; functions of user32 that call back and are exported stand there with their names, and callbacks from the kernel come through ntdll.
    /// </summary>
    private static int? InferredDispatch(ImmutableArray<StackFrame> frames, int from)
    {
        for (int i = Math.Max(from, 1); i + 1 < frames.Length; i++)
        {
            if (frames[i] is { ModuleStem: "user32", Function: null, FunctionStart: not null, Trust: > FrameTrust.Scan } && frames[i - 1].ModuleStem == "user32"
                && frames[i + 1].ModuleStem is null or not ("user32" or "win32u" or "ntdll") && IsCalledBack(frames, i))
            {
                return i;
            }
        }

        return null;
    }

    /// <summary>True when the run of user32 frames that ends at an index was entered to call something else.</summary>
    private static bool IsCalledBack(ImmutableArray<StackFrame> frames, int end)
    {
        int begin = end;
        while (begin > 0 && frames[begin - 1].ModuleStem == "user32")
        {
            begin--;
        }

        return begin > 0 && frames[begin - 1].ModuleStem is null or not ("win32u" or "ntdll");
    }
}
