using Dump.Model.Contract;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>Which verdict of a dump goes first.</summary>
public static class VerdictRank
{
    private const int Factor = 2;

    /// <summary>The larger, the earlier: the surer a hang the earlier, and a crash after those that are likely, but before what is only suspected.</summary>
    /// <param name="detectorId">Id of the verdict's detector.</param>
    /// <param name="confidence">The verdict's confidence.</param>
    public static int Of(string detectorId, Confidence confidence) =>
        detectorId == DetectorIds.Crashed ? (Factor * (int)Confidence.Likely) - 1 : Factor * (int)confidence;
}
