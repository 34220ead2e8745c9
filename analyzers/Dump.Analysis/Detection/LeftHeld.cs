using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>
/// Locks that their owner has left held: it is idle, and the code that took the lock has returned. A server that waits for its next client under a lock, for
/// which the other workers queue, is none: the code that will release the lock stands on its stack.
/// </summary>
internal static class LeftHeld
{
    /// <summary>True when the idle owner left the lock held, and a thread waits for it without a time limit.</summary>
    public static bool Is(AnalysisContext context, ThreadSnapshot owner) =>
        owner is { HasExited: false, Activity.Kind: ThreadActivityKind.Idle } && (IsWorker(context, owner) || IsInLoop(context, owner))
        && context.Graph.To(owner.Id).Where(e => e.QueuesWithoutLimit && e.QueuesForLock).GroupBy(e => e.Resource)
            .Any(g => Standstill.Suffice(g.Key, g.Select(e => e.Waiter).Distinct().Count()));

    /// <summary>True for a worker without work: its whole stack is known, and no code on it is the program's.</summary>
    public static bool IsWorker(AnalysisContext context, ThreadSnapshot owner) =>
        owner is { Activity.Kind: ThreadActivityKind.Idle, Stack: { End: StackEnd.Complete, Frames.IsEmpty: false } }
        && owner.Stack.Frames.All(f => f is { Module: not null, Trust: > FrameTrust.Scan, ModuleStem: not "rpcrt4" } && !context.Application.Contains(f));

    /// <summary>True for a thread that is back in its message loop.</summary>
    private static bool IsInLoop(AnalysisContext context, ThreadSnapshot owner) =>
        context.UiThreads.Any(u => u.Thread.Id == owner.Id && u is { State: UiThreadState.Idle, Grade: > Grade.Suspected });
}
