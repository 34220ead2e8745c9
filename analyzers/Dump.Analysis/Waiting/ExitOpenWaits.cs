using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Waiting;

/// <summary>
/// The thread that ends a Windows process and does not get through: it waits or sleeps in a module's process detach, or stands in the system call that ends the
/// process. An exit takes milliseconds, and what it waits for may be gone: the system has ended the other threads. Whether it goes on, one dump does not show, unless
/// its wait has a limit.
/// </summary>
internal sealed class ExitOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        foreach (ThreadSnapshot thread in context.Snapshot.Threads)
        {
            if (context.Snapshot.System.Family == OperatingSystemFamily.Windows && !thread.HasExited
                && thread.Stack.Frames.Any(f => f.Trust > FrameTrust.Scan && Ends(f))
                && OpenWaits.Of(context, OpenWaitKind.ProcessExit, thread, Role(context, thread), isOwner: true) is { } wait)
            {
                bool goesOnElsewhere = context.Graph.From(thread.Id).Any(e => context.Thread(e.Holder) is { } holder && context.ActsByItself(holder));
                string suspended = SuspensionWords.Of(thread.SuspendedAbove) is { } words ? $", and is {words}: it does not go on until somebody resumes it" : "";
                yield return wait with { Activity = wait.Activity + suspended, LeavesUndecided = wait.Timeout != WaitTimeout.Finite && !goesOnElsewhere };
            }
        }
    }

    /// <summary>Functions that return to nobody: of the loader, and of the C runtime, which calls the program's handlers first (atexit).</summary>
    private static bool Ends(StackFrame frame) => frame.Is("ntdll", "RtlExitUserProcess") || frame.Is("ntdll", "LdrShutdownProcess")
        || (frame is { ModuleStem: "ucrtbase" or "msvcrt", Function: "exit" or "_exit" or "_cexit" or "quick_exit" });

    private static string Role(AnalysisContext context, ThreadSnapshot thread)
    {
        string where = LoaderCallback.Find(context.Snapshot, thread) is { } callback ? $", is in the {callback.Reason} of {callback.Module}" : "";
        return $"ends the process{(ProcessExit.IsLast(context.Snapshot, thread) ? ", whose last thread it is" : "")}{where},";
    }
}
