using Dump.Model.Collections;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Triage.Records;

namespace Dump.Cli.Running;

/// <summary>Which exit code an answer gets.</summary>
internal static class AnswerExitCode
{
    /// <summary>The exit code of a judgement.</summary>
    /// <param name="result">The judgement.</param>
    /// <param name="failOn">Weakest confidence that counts.</param>
    public static int Of(AnalysisResult result, Confidence failOn)
    {
        return VerdictRank.StrongestHang(result.Verdicts.Select(v => (v.DetectorId, v.Confidence))) switch
        {
            { } confidence when confidence >= failOn => confidence switch
            {
                Confidence.Confirmed => ExitCode.Confirmed,
                Confidence.Likely => ExitCode.Likely,
                _ => ExitCode.Suspected,
            },
            _ when result.Verdicts.Any(v => v.DetectorId == DetectorIds.Crashed) => ExitCode.Crashed,
            _ when result.Outcomes.Any(o => o.Kind is DetectorOutcomeKind.Failed) => ExitCode.ToolError,

            // A suspicion that does not count is no reason to say "nothing" where data are missing.
            _ when result.Outcomes.Any(o => o.Kind is DetectorOutcomeKind.InsufficientData) => ExitCode.Undecidable,
            _ => ExitCode.Success,
        };
    }

    /// <summary>
    /// The exit code of the dumps of a folder: that of the strongest verdict. A dump without a report, and a
    /// place that could not be looked at, count as one that could not be decided.
    /// </summary>
    /// <param name="counts">How they ended.</param>
    /// <param name="failOn">Weakest confidence that counts.</param>
    public static int Of(TriageCounts counts, Confidence failOn) =>
        counts.Confirmed > 0 ? ExitCode.Confirmed
        : counts.Likely > 0 && failOn <= Confidence.Likely ? ExitCode.Likely
        : counts.Suspected > 0 && failOn <= Confidence.Suspected ? ExitCode.Suspected
        : counts.Crashed + counts.CrashedBeside > 0 ? ExitCode.Crashed
        : counts.Undecidable + counts.Failed + counts.SuspectedLackingData + counts.LikelyLackingData + counts.NotLookedAt > 0 ? ExitCode.Undecidable
        : ExitCode.Success;

    /// <summary>The exit code of checked collections.</summary>
    /// <param name="collections">Those in which something does not fit.</param>
    /// <param name="isComplete">True when everything that was asked for could be read.</param>
    public static int Of(IEnumerable<JudgedCollection> collections, bool isComplete) => collections.Max(c => c.Confidence) switch
    {
        Confidence.Confirmed => ExitCode.Confirmed,
        Confidence.Likely => ExitCode.Likely,
        _ => isComplete ? ExitCode.Success : ExitCode.Undecidable,
    };
}
