using Dump.Model;

namespace Dump.Analysis.Spinning;

/// <summary>Judges a thread's measured processor time.</summary>
public static class ProcessorLoad
{
    /// <summary>
    /// True when the thread uses a large share of a processor, false when it does not, null when nothing says so. What it did between two samples counts before what it did in
    /// its life: one that burnt time long ago and waits since is not busy, one that never left the processor of its own accord is, however many others it shared it with.
    /// </summary>
    public static bool? IsBusy(ThreadSnapshot thread, AnalysisOptions options) =>
        thread.RecentUse is { Load: { } recent } use ? recent >= options.BusyLoad || (use.WasAlwaysReady == true && recent >= options.ReadyLoad)
        : thread.Times is not { } times ? null
        : times.Total < options.BusyMinimumTime ? false
        : times.Load is { } load ? load >= options.BusyLoad
        : null;
}
