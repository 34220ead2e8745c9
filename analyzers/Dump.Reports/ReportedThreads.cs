using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Reports;

/// <summary>Makes what documents say of a thread.</summary>
internal static class ReportedThreads
{
    /// <summary>A thread.</summary>
    /// <param name="thread">What was read of it.</param>
    /// <param name="withStack">True to add its frames.</param>
    public static ReportedThread Of(ThreadSnapshot thread, bool withStack) => new(thread.Id, thread.Index, thread.Name)
    {
        ManagedId = thread.ManagedId,
        Teb = thread.Teb,
        StartAddress = thread.StartAddress,
        IsLoadOwner = thread.IsLoadOwner,
        Activity = thread.Activity.Kind,
        SystemCall = thread.Activity.SystemCall,
        UserMicroseconds = (long?)thread.Times?.User.TotalMicroseconds,
        KernelMicroseconds = (long?)thread.Times?.Kernel.TotalMicroseconds,
        RecentUse = thread.RecentUse is { } use
            ? new ReportedUse((long)use.Used.TotalMicroseconds, (long)use.Over.TotalMicroseconds, use.WasAlwaysReady)
            : null,
        IsGuiThread = thread.IsGuiThread,
        Apartment = thread.Apartment?.Kind,
        MessageWait = thread.MessageWait is { } wait ? new ReportedMessageWait(wait.Function, wait.WakeMask) : null,
        Messages = [.. thread.Messages.Select(m => new ReportedMessage(m.FrameIndex, m.Window, m.Message, m.Grade))],
        HasExited = thread.HasExited,
        SuspendedAbove = thread.SuspendedAbove,
        StackEnd = thread.Stack.End,
        Frames = withStack ? Frames(thread.Stack) : null,
        EmulationFrames = withStack && thread.EmulationStack is { } layer ? Frames(layer) : null,
        EmulationStackEnd = withStack && thread.EmulationStack is { End: not StackEnd.Complete and var end } ? end : null,
    };

    /// <summary>A frame.</summary>
    /// <param name="frame">What was read of it.</param>
    /// <param name="index">Its place in the stack; 0 is the innermost.</param>
    public static ReportedFrame Frame(StackFrame frame, int index) =>
        new(index, frame.Module, frame.Function, frame.FunctionOffset, frame.ModuleOffset, frame.Trust)
    {
        InstructionPointer = frame.InstructionPointer,
        StackPointer = frame.StackPointer,
        Symbol = frame.Symbol,
        EnteredAs = frame.EnteredAs,
        Tag = frame.Tag,
        Source = frame.Source,
        IsLibrary = frame.IsLibrary,
        IsInlined = frame.IsInlined,
        IsOfSignal = frame.IsOfSignal,
        Signal = frame.Signal,
        Inlined = frame.Inlined,
    };

    private static ImmutableArray<ReportedFrame> Frames(ThreadStack stack) => [.. stack.Frames.Select(Frame)];
}
