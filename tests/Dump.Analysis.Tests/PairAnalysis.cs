using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Testing.Renaming;

namespace Dump.Analysis.Tests;

/// <summary>As <see cref="HangAnalysis"/> for two dumps of one process, which get the same other names.</summary>
internal static class PairAnalysis
{
    /// <summary>Judges a series, and its renamed copies.</summary>
    public static PairResult Run(SnapshotSeries series)
    {
        RenamingCheck.Run([.. series.Snapshots], s => SeriesAnalysis.Run(SnapshotSeries.Create(s, out _)!).Result);
        return SeriesAnalysis.Run(series);
    }

    /// <summary>Judges a pair, and its renamed copies.</summary>
    public static PairResult Run(SnapshotPair pair)
    {
        RenamingCheck.Run([pair.Earlier, pair.Later], s => Pairs.PairAnalysis.Run(SnapshotPair.Create(s[0], s[1], out _)!).Result);
        return Pairs.PairAnalysis.Run(pair);
    }
}
