using Dump.Model;

namespace Dump.Analysis.Spinning;

/// <summary>Judges a thread's measured processor time.</summary>
public static class ProcessorLoad
{
    /// <summary>True when the thread has used a large share of a processor over its life, false when it has not, null when the dump does not say.</summary>
    public static bool? IsBusy(ThreadSnapshot thread, AnalysisOptions options) =>
        thread.Times is not { } times ? null
        : times.Total < options.BusyMinimumTime ? false
        : times.Load is { } load ? load >= options.BusyLoad
        : null;

    /// <summary>True when the times show that the thread has polled, not computed: it was busy, and much of that in the kernel.</summary>
    public static bool ShowsPolling(ThreadSnapshot thread, AnalysisOptions options) =>
        IsBusy(thread, options) == true && thread.Times is { } times && times.Kernel >= times.Total * options.PollingKernelShare;
}
