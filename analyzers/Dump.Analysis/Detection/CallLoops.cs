using System.Collections.Immutable;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>Threads that compute although they were caught in a system call: they make such calls over and over, and do not wait in them.</summary>
internal static class CallLoops
{
    /// <summary>
    /// True when the thread is recorded to have run without waiting until the moment in which it was caught. No share of a processor can show that: who used
    /// most of the time may have begun to wait at last.
    /// </summary>
    public static bool IsIn(AnalysisContext context, ThreadSnapshot thread) =>
        thread is
        {
            HasExited: false,
            Activity: { SystemCall: not null, Kind: ThreadActivityKind.SystemCall or ThreadActivityKind.Waiting or ThreadActivityKind.Idle },
            RecentUse: { WasAlwaysReady: true, RanUntilStopped: true },
        }
        && ProcessorLoad.IsBusy(thread, context.Options) == true
        && context.Graph.WaitsOf(thread.Id).IsEmpty;

    /// <summary>What such a thread does, as the end of a sentence.</summary>
    public static string Doing(ThreadSnapshot thread) => $"runs, calling {thread.Activity.SystemCall} without waiting there";

    /// <summary>Why: its switches, and the call.</summary>
    public static ImmutableArray<Evidence> Evidence(ThreadSnapshot thread) =>
        [new Evidence(EvidenceSource.DumpStream, $"{Naming.Use(thread.RecentUse!)}, without giving up the processor until it was stopped"),
            .. thread.Activity.Evidence];
}
