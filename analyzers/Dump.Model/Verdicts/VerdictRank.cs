using Dump.Model.Contract;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>Which verdict of a dump goes first, and which is about a hang.</summary>
public static class VerdictRank
{
    private const int Factor = 2;

    /// <summary>The larger, the earlier: the surer a hang the earlier, and a crash after those that are likely, but before what is only suspected.</summary>
    /// <param name="detectorId">Id of the verdict's detector.</param>
    /// <param name="confidence">The verdict's confidence.</param>
    public static int Of(string detectorId, Confidence confidence) =>
        detectorId == DetectorIds.Crashed ? (Factor * (int)Confidence.Likely) - 1 : Factor * (int)confidence;

    /// <summary>The strongest confidence of a verdict on a hang, or null without one: crashes are none.</summary>
    /// <param name="verdicts">Each verdict's detector and confidence.</param>
    public static Confidence? StrongestHang(IEnumerable<(string DetectorId, Confidence Confidence)> verdicts) =>
        verdicts.Where(v => v.DetectorId != DetectorIds.Crashed).Max(v => (Confidence?)v.Confidence);
}
