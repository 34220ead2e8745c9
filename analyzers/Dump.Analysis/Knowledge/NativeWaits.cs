using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Knowledge;

/// <summary>Whether a Linux process has a native wait of which nobody knows who ends it.</summary>
internal static class NativeWaits
{
    /// <summary>
    /// True when none is left open: each thread that lives executes code, which the rules on processor time judge, stands ready for new work that is not there,
    /// or is a worker without a job. A wait with a time limit is left open: what is polled for may never come.
    /// </summary>
    /// <param name="snapshot">The process.</param>
    public static bool AreAllKnown(ProcessSnapshot snapshot)
    {
        ILookup<uint, WaitFact> waits = snapshot.Waits.ToLookup(w => w.ThreadId);
        return snapshot.Available is { AllThreads: true, Stacks: true } && snapshot.Threads.Any(t => !t.HasExited)
            && snapshot.Threads.All(t => t.HasExited || IsKnown(t, [.. waits[t.Id]]));
    }

    private static bool IsKnown(ThreadSnapshot thread, WaitFact[] waits) => waits.Length == 0
        ? thread.Activity.Kind == ThreadActivityKind.Running || PoolWorkers.IsIdle(thread, waits)
        : waits.All(w => w.IsForNewWork) || PoolWorkers.IsIdle(thread, waits);
}
