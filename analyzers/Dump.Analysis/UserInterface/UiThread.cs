using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Rules;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.UserInterface;

/// <summary>A thread that pumps window messages, by its stack alone.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="State">What it does.</param>
/// <param name="PumpIndex">Index of the pump's frame that is next to what the thread does: everything inner to it is the handler.</param>
/// <param name="Grade">Proven when the pump's function is named, suspected when only unnamed frames of user32 call back into the program.</param>
public sealed record UiThread(ThreadSnapshot Thread, UiThreadState State, int PumpIndex, Grade Grade)
{
    /// <summary>The COM wait that the thread is in, or null.</summary>
    public ComWait? ComWait { get; init; }

    /// <summary>The COM call without an answer above which a dialog or another loop of its own runs, or null; only of a thread in such a loop.</summary>
    public PendingComCall? PendingCall { get; init; }

    /// <summary>How the message that is handled was delivered, when another one was being handled already; else null.</summary>
    public UiReentry? Reentry { get; init; }

    /// <summary>The message that is handled, or null when it is unknown.</summary>
    public DispatchedMessage? Message { get; init; }

    /// <summary>
    /// Index of the handler's outermost frame that belongs neither to Windows nor to a runtime or framework, or null when no such frame is known.
    /// </summary>
    public int? HandlerIndex { get; init; }

    /// <summary>Index of the innermost frame of the handler that belongs to none of those: the code that made the call; null when there is none.</summary>
    public int? CallerIndex { get; init; }

    /// <summary>True when the message is a call of another apartment to a COM object of this thread: COM's own window procedure received it.</summary>
    public bool ServesComCall { get; init; }

    /// <summary>The pump's frame.</summary>
    public StackFrame Pump => Thread.Stack.Frames[PumpIndex];

    /// <summary>True when the pump is only inferred: unnamed frames of user32 that called back into the program.</summary>
    public bool IsInferred => MessagePumpFunctions.RoleOf(Pump) is null;

    /// <summary>The frame to look at, or null.</summary>
    public StackFrame? Handler => HandlerIndex is { } index ? Thread.Stack.Frames[index] : null;
}

/// <summary>What a thread with a message loop is doing.</summary>
public enum UiThreadState
{
    /// <summary>It waits for messages in its loop: healthy.</summary>
    Idle,

    /// <summary>It waits for messages in a modal loop inside a handler (a dialog, a menu, a window being moved): healthy.</summary>
    Modal,

    /// <summary>It is inside a message handler, or in a wait in one that takes no input.</summary>
    Handling,
}

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

/// <summary>
/// A COM call to another apartment or process that a thread has made and that has no answer yet, while a dialog or another loop runs above it: the message
/// filter of the program shows a busy dialog, or a message that came in meanwhile does (stack in dotnet/docs #8965).
/// </summary>
/// <param name="InnerIndex">Index of the innermost frame of the call.</param>
/// <param name="OuterIndex">Index of its outermost frame; the next one is that of the caller.</param>
/// <param name="Grade">Derived when a function of such calls is named, suspected when only unnamed frames of COM stand there.</param>
public sealed record PendingComCall(int InnerIndex, int OuterIndex, Grade Grade)
{
    // Unnamed frames of COM that a call leaves at least: the loop and what waits in it (five in the stack above).
    private const int FewestUnnamed = 3;

    /// <summary>
    /// The innermost such call below a pump, or null. What serves a call of others has COM's window procedure below it, not the program's code.
    /// </summary>
    /// <param name="frames">The thread's frames.</param>
    /// <param name="pump">Index of the loop's frame; only frames further out count.</param>
    /// <param name="application">Tells the program's own code.</param>
    internal static PendingComCall? Find(ImmutableArray<StackFrame> frames, int pump, ApplicationCode application)
    {
        int index = pump + 1;
        while (index < frames.Length)
        {
            int inner = index;
            while (index < frames.Length && frames[index].ModuleStem is "combase" or "ole32" or "rpcrt4" or "oleaut32")
            {
                index++;
            }

            if (index > inner && index < frames.Length && application.Contains(frames[index]) && GradeOf(frames[inner..index]) is { } grade)
            {
                return new PendingComCall(inner, index - 1, grade);
            }

            index++;
        }

        return null;
    }

    private static Grade? GradeOf(ImmutableArray<StackFrame> run) =>
        run.Any(f => f.Trust == FrameTrust.Scan) ? null
        : run.Any(f => ComCallFunctions.IsCall(f)) ? Grade.Derived
        : run.Length >= FewestUnnamed && run.All(f => f.Function is null && f.ModuleStem is "combase" or "ole32") ? Grade.Suspected
        : null;
}

/// <summary>Finds handlers that run inside a wait or a loop of another handler.</summary>
internal static class Reentrancy
{
    // Calls that deliver messages without being loops: the sending functions take messages of other threads while they wait, and COM's waits do.
    private static readonly FrozenSet<(string, string)> s_delivering = new[]
    {
        ("user32", "SendMessageA"), ("user32", "SendMessageW"), ("user32", "SendMessageTimeoutA"), ("user32", "SendMessageTimeoutW"),
        ("combase", "CoWaitForMultipleHandles"), ("ole32", "CoWaitForMultipleHandles"), ("combase", "CoWaitForMultipleObjects"),
    }.ToFrozenSet();

    /// <summary>The innermost such handler, or null when only one message is being handled.</summary>
    /// <param name="frames">The thread's frames.</param>
    /// <param name="application">What is the program's own.</param>
    public static UiReentry? Find(ImmutableArray<StackFrame> frames, ApplicationCode application)
    {
        UiReentry? found = null;
        int handler = Inner(frames, OutermostDispatch(frames), application.Contains);
        while (handler >= 0)
        {
            int call = Inner(frames, handler, Delivers);
            int next = call < 0 ? -1 : Inner(frames, call, application.Contains);
            if (next >= 0 && (IsLoop(frames[call]) || CrossesTheKernel(frames, next, call)))
            {
                found = new UiReentry(handler, call, next);
            }

            handler = next;
        }

        return found;
    }

    /// <summary>
    /// A message that a thread sends to a window of its own goes straight to the window procedure and is an
    /// ordinary call; only what comes from the kernel was delivered.
    /// </summary>
    private static bool CrossesTheKernel(ImmutableArray<StackFrame> frames, int inner, int call) =>
        frames.Take(call).Skip(inner + 1).Any(f => f.ModuleStem == "win32u" || IsCallback(f));

    /// <summary>
    /// True for the functions of ntdll by which the kernel calls back into user32; the second is what Windows
    /// 10 returns to (stack in windirstat/windirstat #143).
    /// </summary>
    public static bool IsCallback(StackFrame frame) =>
        frame is { ModuleStem: "ntdll", Function: "KiUserCallbackDispatcher" or "KiUserCallbackDispatcherContinue" };

    private static bool Delivers(StackFrame frame) =>
        IsLoop(frame) || (frame is { ModuleStem: { } module, Called: { } function } && s_delivering.Contains((module, function)));

    private static bool IsLoop(StackFrame frame) => MessagePumpFunctions.RoleOf(frame) is not null;

    private static int OutermostDispatch(ImmutableArray<StackFrame> frames)
    {
        int index = frames.Length - 1;
        while (index >= 0 && MessagePumpFunctions.RoleOf(frames[index]) != MessagePumpRole.Dispatches)
        {
            index--;
        }

        return index;
    }

    /// <summary>The first frame inner to another one that meets a condition, or -1.</summary>
    private static int Inner(ImmutableArray<StackFrame> frames, int from, Func<StackFrame, bool> condition)
    {
        int index = from - 1;
        while (index >= 0 && !condition(frames[index]))
        {
            index--;
        }

        return index;
    }
}
