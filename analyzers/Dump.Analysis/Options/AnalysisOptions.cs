using Dump.Analysis.Rules;

namespace Dump.Analysis.Options;

/// <summary>Thresholds of the detectors. The defaults are documented on each detector's page.</summary>
public sealed record AnalysisOptions
{
    /// <summary>The defaults.</summary>
    public static AnalysisOptions Default { get; } = new();

    /// <summary>Libraries that are known to be loaded into other people's processes.</summary>
    public KnownModules KnownModules { get; init; } = KnownModules.Default;

    /// <summary>Fewest threads that must queue behind one live owner, which itself waits without a time limit, before it is called a head blocker.</summary>
    public int HeadBlockerMinimumWaiters { get; init; } = 3;

    /// <summary>The same for an owner that runs, sleeps or waits with a time limit, and so is probably only slow.</summary>
    public int SlowOwnerMinimumWaiters { get; init; } = 10;

    /// <summary>Least processor time before a thread without waiters behind it is called a runaway.</summary>
    public TimeSpan RunawayMinimumTime { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Least share of one processor, over the thread's life, that counts as burning processor time.</summary>
    public double BusyLoad { get; init; } = 0.4;

    /// <summary>Least share of one processor that a thread uses between two samples which does nothing but compute although it pauses now and then.</summary>
    public double ComputingLoad { get; init; } = 0.85;

    /// <summary>Most pauses a second of such a thread that uses less, on a busy machine.</summary>
    public double PausesOfComputing { get; init; } = 5;

    /// <summary>
    /// Share of one processor between two samples below which a thread that was busy before is so no more. Between this and <see cref="BusyLoad"/> two samples
    /// do not contradict what its life says: others may have had the processor.
    /// </summary>
    public double PassedLoad { get; init; } = 0.05;

    /// <summary>The same between two samples for a thread that was always ready to run but had to share the processors.</summary>
    public double ReadyLoad { get; init; } = 0.02;

    /// <summary>Least share of one processor between two samples of an owner that also waits in between, before it may be the one that holds others up by polling.</summary>
    public double PollingOwnerLoad { get; init; } = 0.2;

    /// <summary>Time between two samples in which a thread that only computes is no longer taken for a short piece of work.</summary>
    public TimeSpan LongComputation { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Most processor time between two samples that a thread may use and still count as not having moved: a little is charged for being stopped and dumped.
    /// </summary>
    public TimeSpan StandstillTime { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Least time between two dumps after which an owner and its waiters that have not moved are no moment of a busy program any more.</summary>
    public TimeSpan LongStandstill { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Shortest time between two looks after which an owner that stands in both is told of.</summary>
    public TimeSpan LeastStandstill { get; init; } = TimeSpan.Zero;

    /// <summary>
    /// Least share of kernel time, 0 to 1, in the processor time of a thread that does nothing but yield.
    /// Measured: 0.6 and more; a thread that computes and yields now and then has next to none.
    /// </summary>
    public double PollingKernelShare { get; init; } = 0.25;

    /// <summary>Least share of one processor, over its life, of a thread that is most likely to do nothing but poll.</summary>
    public double PollingLoad { get; init; } = 0.8;

    /// <summary>Least processor time that makes a load figure meaningful.</summary>
    public TimeSpan BusyMinimumTime { get; init; } = TimeSpan.FromSeconds(1);
}
