using System.Globalization;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Spinning;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>What a thread does, as a clause.</summary>
internal static class ActivityText
{
    /// <summary>What a thread does that holds up another one.</summary>
    public static string Of(AnalysisContext context, uint thread)
    {
        WaitFact? wait = context.Graph.FirstWaitOf(thread);
        ThreadSnapshot? snapshot = context.Thread(thread);
        string times = snapshot?.Times is { } t && ProcessorLoad.IsBusy(snapshot, context.Options) == true ? $" ({Naming.Times(t)})" : "";
        return snapshot?.Activity.Kind switch
        {
            null => "is not in the dump",
            ThreadActivityKind.Running or ThreadActivityKind.Yielding when snapshot.SuspendedAbove > 0 => $"{SuspensionWords.Ran}{times}",
            _ when wait is { Resource.Kind: ResourceKind.Time } => snapshot.Activity.SystemCall == "sched_yield" ? "yields its time slice" : $"sleeps{Limit(wait)}",
            _ when wait is { Resource.Kind: ResourceKind.WindowMessage } =>
                $"waits in {MessageWaits.SendOf(snapshot.Stack.Frames) ?? "the kernel"} for a window to answer",
            _ when wait is not null => $"waits for {context.Names.Resource(wait.Resource)}{Limit(wait)}",
            ThreadActivityKind.Running => $"runs{times}",
            ThreadActivityKind.Yielding => $"yields its time slice{times}",
            ThreadActivityKind.Sleeping => "sleeps",
            ThreadActivityKind.Idle => "waits for new work",
            ThreadActivityKind.SystemCall => snapshot.Activity.SystemCall is { } call ? $"is in the system call {call}" : "is in a system call",
            ThreadActivityKind.NotStarted => "has not begun to run",
            _ => "does something that is not known",
        };
    }

    /// <summary>The time limit of a wait as the end of a clause.</summary>
    public static string Limit(WaitFact wait) => wait switch
    {
        { Timeout: WaitTimeout.Infinite } => ", without a time limit",
        { Timeout: WaitTimeout.Finite, Milliseconds: { } limit } => $", for at most {Naming.TimeLimit(limit)}",
        { Timeout: WaitTimeout.Finite } => ", with a time limit",
        _ => " (time limit unknown)",
    };
}
