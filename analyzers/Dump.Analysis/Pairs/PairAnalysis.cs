using Dump.Analysis.Looks;
using Dump.Analysis.Options;

namespace Dump.Analysis.Pairs;

/// <summary>Judges two snapshots of one process: the shortest series.</summary>
public static class PairAnalysis
{
    /// <summary>Judges a pair.</summary>
    /// <param name="pair">The snapshots.</param>
    /// <param name="options">Thresholds; null for the defaults.</param>
    public static PairResult Run(SnapshotPair pair, AnalysisOptions? options = null) => SeriesAnalysis.Run(SnapshotSeries.Of(pair), options);
}
