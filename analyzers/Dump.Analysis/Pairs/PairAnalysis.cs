using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Analysis.Options;

namespace Dump.Analysis.Pairs;

/// <summary>Judges two snapshots of one process: the shortest series.</summary>
public static class PairAnalysis
{
    /// <summary>Judges a pair.</summary>
    /// <param name="pair">The snapshots.</param>
    /// <param name="options">Thresholds; null for the defaults.</param>
    /// <param name="own">Detectors of the caller's own, as for <see cref="HangAnalysis"/>.</param>
    public static PairResult Run(SnapshotPair pair, AnalysisOptions? options = null, ImmutableArray<IDetector> own = default) =>
        SeriesAnalysis.Run(SnapshotSeries.Of(pair), options, own);
}
