using Dump.Analysis.Pairs;
using Dump.Testing.Renaming;

namespace Dump.Analysis.Tests;

/// <summary>As <see cref="HangAnalysis"/> for two dumps of one process, which get the same other names.</summary>
internal static class PairAnalysis
{
    /// <summary>Judges a pair, and its renamed copies.</summary>
    public static PairResult Run(SnapshotPair pair)
    {
        RenamingCheck.Run([pair.Earlier, pair.Later], s => Pairs.PairAnalysis.Run(SnapshotPair.Create(s[0], s[1], out _)!).Result);
        return Pairs.PairAnalysis.Run(pair);
    }
}
