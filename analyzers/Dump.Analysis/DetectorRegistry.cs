using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.BrokenCollection;
using Dump.Analysis.Detectors.ConcurrentUse;
using Dump.Analysis.Detectors.HeadBlocker;
using Dump.Analysis.Detectors.InsufficientDump;
using Dump.Analysis.Detectors.JoinUnderLoaderLock;
using Dump.Analysis.Detectors.LoaderLock;
using Dump.Analysis.Detectors.LockCycle;
using Dump.Analysis.Detectors.MutualSpin;
using Dump.Analysis.Detectors.OrphanedLock;
using Dump.Analysis.Detectors.RunawayThread;
using Dump.Analysis.Detectors.SpinningOwner;
using Dump.Analysis.Detectors.SyncOverAsync;
using Dump.Analysis.Detectors.ThreadPoolStarvation;
using Dump.Analysis.Detectors.UiBlockedInTask;
using Dump.Analysis.Detectors.UiBlockedOnLock;
using Dump.Analysis.Detectors.UiBlockingCall;
using Dump.Analysis.Detectors.UiBusy;

namespace Dump.Analysis;

/// <summary>All detectors. Each has a folder under <c>Detectors/</c> and a page <c>docs/detectors/DUMP####.md</c>.</summary>
public static class DetectorRegistry
{
    /// <summary>Detectors in the order in which they explain: a thread that an earlier one has explained is not reported again by a later one.</summary>
    public static ImmutableArray<IDetector> Detectors { get; } =
    [
        new JoinUnderLoaderLockDetector(),
        new LoaderLockDetector(),
        new LockCycleDetector(),
        new MutualSpinDetector(),
        new OrphanedLockDetector(),
        new BrokenCollectionDetector(),
        new ConcurrentUseDetector(),
        new SyncOverAsyncDetector(),
        new UiBlockedOnLockDetector(),
        new UiBlockedInTaskDetector(),
        new UiBlockingCallDetector(),
        new UiBusyDetector(),
        new SpinningOwnerDetector(),
        new ThreadPoolStarvationDetector(),
        new HeadBlockerDetector(),
        new RunawayThreadDetector(),
    ];

    /// <summary>Descriptors of all detectors, that of missing data included, ordered by id.</summary>
    public static ImmutableArray<DetectorDescriptor> Descriptors { get; } =
        [.. Detectors.Select(d => d.Descriptor).Append(InsufficientDumpDetector.Descriptor).OrderBy(d => d.Id, StringComparer.Ordinal)];
}
