using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Model.Contract;

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
        new SuspendedOwnerDetector(),
        new BlockedLoaderDetector(),
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
        new EverythingWaitsDetector(),
        new StandsStillDetector(),
        new CrashDetector(),
    ];

    /// <summary>Descriptors of all detectors, that of missing data included, ordered by id.</summary>
    public static ImmutableArray<DetectorDescriptor> Descriptors { get; } =
        [.. Detectors.Select(d => d.Descriptor).Append(InsufficientDumpDetector.Descriptor).OrderBy(d => d.Id, StringComparer.Ordinal)];

    /// <summary>Names of the families of detectors, ordered.</summary>
    public static ImmutableArray<string> Families { get; } =
        [.. Enum.GetValues<DetectorFamily>().Select(DetectorDescriptor.NameOf).Order(StringComparer.Ordinal)];

    private static readonly FrozenDictionary<string, DetectorDescriptor> s_byId = Descriptors.ToFrozenDictionary(d => d.Id, StringComparer.Ordinal);

    /// <summary>The descriptor of an id; null for one that this version does not know, as records of a newer one may have.</summary>
    public static DetectorDescriptor? Find(string id) => s_byId.GetValueOrDefault(id);

    /// <summary>
    /// Ids of the detectors that can be asked for by a name, the id of one, its number or the name of a family, in any case; empty when it is none.
    /// </summary>
    public static ImmutableArray<string> Named(string name) =>
    [
        .. Detectors.Select(d => d.Descriptor)
            .Where(d => Is(d.Id, name) || Is(d.Id, DetectorIds.Start + name) || (d.FamilyName is { } family && Is(family, name)))
            .Select(d => d.Id),
    ];

    private static bool Is(string name, string asked) => name.Equals(asked, StringComparison.OrdinalIgnoreCase);
}
