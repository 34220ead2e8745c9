using Dump.Analysis.Options;
using Dump.Model.Process;

namespace Dump.Analysis.Spinning;

/// <summary>Judges a thread's measured processor time.</summary>
public static class ProcessorLoad
{
    /// <summary>
    /// True when the thread uses a large share of a processor, false when it does not, null when nothing says so. What
    /// it did between two samples counts before what it did in its life: one that burnt time long ago and waits since
    /// is not busy, one that never left the processor of its own accord is, however many others it shared it with.
    /// </summary>
    public static bool? IsBusy(ThreadSnapshot thread, AnalysisOptions options) =>
        IsBusyNow(thread, options) == true ? true
        : HasPassed(thread, options) || AlsoWaits(thread, options) ? false
        : IsBusyInItsLife(thread, options) ?? (thread.RecentUse?.Load is null ? null : false);

    /// <summary>
    /// True when two samples show that the thread uses next to no processor time, whatever it used before. Less than <see cref="AnalysisOptions.BusyLoad"/>
    /// alone does not say that: on a busy machine a thread that never waits gets a small share too.
    /// </summary>
    public static bool HasPassed(ThreadSnapshot thread, AnalysisOptions options) =>
        thread.RecentUse is { Load: { } recent } && recent < options.PassedLoad && IsBusyNow(thread, options) != true;

    /// <summary>True when two samples, long enough apart for more than a short piece of work, show a thread that used a large share of a processor.</summary>
    public static bool ComputedAllTheTime(ThreadSnapshot thread, AnalysisOptions options) =>
        thread.RecentUse is { } use && use.Over >= options.LongComputation && IsBusyNow(thread, options) == true;

    /// <summary>True when the times show that the thread has polled, not computed: it was busy, and much of that in the kernel.</summary>
    public static bool ShowsPolling(ThreadSnapshot thread, AnalysisOptions options) =>
        IsBusy(thread, options) == true && thread.Times is { } times && times.Kernel >= times.Total * options.PollingKernelShare;

    /// <summary>
    /// True when the thread left the processor to others at most as a spin loop does: it used nearly a whole one over its life, or a large share between two
    /// samples far enough apart. Workers that poll in turns use less.
    /// </summary>
    public static bool DidNothingElse(ThreadSnapshot thread, AnalysisOptions options) =>
        ComputedAllTheTime(thread, options) || (thread.RecentUse is null && thread.Times?.Load >= options.PollingLoad);

    /// <summary>The same as <see cref="IsBusy"/> by two samples alone; null without them.</summary>
    private static bool? IsBusyNow(ThreadSnapshot thread, AnalysisOptions options) => thread.RecentUse is { Load: { } recent } use
        ? (recent >= options.BusyLoad && !AlsoWaits(thread, options)) || (use.WasAlwaysReady == true && recent >= options.ReadyLoad)
        : null;

    /// <summary>
    /// True for a thread that left a processor which it could have had again and again to wait for something. One that computes does so where memory is collected or a page
    /// is read, and uses nearly a whole processor all the same.
    /// </summary>
    private static bool AlsoWaits(ThreadSnapshot thread, AnalysisOptions options) => thread.RecentUse is { Pauses: { } pauses, Load: { } load } use
        && load < options.ComputingLoad && pauses > use.Over.TotalSeconds * options.PausesOfComputing;

    private static bool? IsBusyInItsLife(ThreadSnapshot thread, AnalysisOptions options) =>
        thread.Times is not { } times ? null
        : times.Total < options.BusyMinimumTime ? false
        : times.Load is { } load ? load >= options.BusyLoad
        : null;
}
