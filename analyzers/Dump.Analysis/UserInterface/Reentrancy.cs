using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Model.Process;

namespace Dump.Analysis.UserInterface;

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
