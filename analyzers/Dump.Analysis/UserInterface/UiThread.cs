using Dump.Analysis.Knowledge;
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
