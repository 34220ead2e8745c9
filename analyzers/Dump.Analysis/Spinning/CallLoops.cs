using Dump.Model;

namespace Dump.Analysis.Spinning;

/// <summary>Threads that compute although the dump caught them in a system call: they make such calls over and over, and do not wait in them.</summary>
internal static class CallLoops
{
    /// <summary>
    /// True when the thread ran all the time until the dump, or until shortly before it. A thread that ran nearly all the time, without a record of whether it ever waited, may have begun to
    /// wait at last: it counts only in a call that is no wait by its nature.
    /// </summary>
    public static bool IsIn(AnalysisContext context, ThreadSnapshot thread) =>
        thread is { HasExited: false, Activity: { SystemCall: not null, Kind: ThreadActivityKind.SystemCall or ThreadActivityKind.Waiting or ThreadActivityKind.Idle }, RecentUse: { Load: { } load } use }
        && (use.WasAlwaysReady ?? (load >= context.Options.FullLoad && thread.Activity.Kind == ThreadActivityKind.SystemCall))
        && ProcessorLoad.IsBusy(thread, context.Options) == true
        && context.Graph.WaitsOf(thread.Id).IsEmpty;

    /// <summary>What such a thread does, as the end of a sentence.</summary>
    public static string Doing(ThreadSnapshot thread) =>
        $"runs, calling {thread.Activity.SystemCall} without waiting there{(thread.RecentUse?.WasAlwaysReady == true ? "" : " for long")}";
}
