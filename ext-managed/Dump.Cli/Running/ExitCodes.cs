using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Reports;
using Dump.Triage.Records;

namespace Dump.Cli.Running;

/// <summary>Exit codes of <c>dumpanalyze</c>.</summary>
internal static class ExitCodes
{
    /// <summary>Analysed, nothing at or above the level of <c>--fail-on</c>.</summary>
    public const int Success = 0;

    /// <summary>The program itself failed.</summary>
    public const int ToolError = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;

    /// <summary>The dump cannot be read.</summary>
    public const int Unreadable = 3;

    /// <summary>A confirmed verdict.</summary>
    public const int Confirmed = 10;

    /// <summary>A likely verdict.</summary>
    public const int Likely = 11;

    /// <summary>A suspected verdict, only with <c>--fail-on suspected</c>.</summary>
    public const int Suspected = 12;

    /// <summary>Nothing at or above the level of <c>--fail-on</c> was found, but data are missing.</summary>
    public const int Undecidable = 13;

    /// <summary>Interrupted by Ctrl+C.</summary>
    public const int Interrupted = 130;

    /// <summary>The exit code of a judgement.</summary>
    /// <param name="result">The judgement.</param>
    /// <param name="failOn">Weakest confidence that counts.</param>
    public static int Of(AnalysisResult result, Confidence failOn)
    {
        Confidence? strongest = result.Verdicts.IsEmpty ? null : result.Verdicts.Max(v => v.Confidence);
        return strongest switch
        {
            { } confidence when confidence >= failOn => confidence switch
            {
                Confidence.Confirmed => Confirmed,
                Confidence.Likely => Likely,
                _ => Suspected,
            },
            _ when result.Outcomes.Any(o => o.Kind is DetectorOutcomeKind.Failed) => ToolError,

            // A suspicion that does not count is no reason to say "nothing" where data are missing.
            _ when result.Outcomes.Any(o => o.Kind is DetectorOutcomeKind.InsufficientData) => Undecidable,
            _ => Success,
        };
    }

    /// <summary>
    /// True when more of the process' memory might change a judgement or the chains: something is missing, was damaged, or is not identified.
    /// </summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="result">The judgement, or null when there is none.</param>
    public static bool MoreMightTell(ProcessSnapshot snapshot, AnalysisResult? result) =>
        !snapshot.Missing.IsEmpty
        || snapshot.Problems.Any(p => p.LosesFacts)
        || UnknownThreads.Of(snapshot).Any()
        || snapshot.Waits.Any(w => w.Resource is { Kind: ResourceKind.CriticalSection, Identity: 0 })
        || result?.Outcomes.Any(o => o.Kind is not DetectorOutcomeKind.NotDetected
            && (o.Kind is not DetectorOutcomeKind.Detected || !o.Missing.IsEmpty)) == true;

    /// <summary>
    /// The exit code of the dumps of a folder: that of the strongest verdict. A dump without a report, and a
    /// place that could not be looked at, count as one that could not be decided.
    /// </summary>
    /// <param name="counts">How they ended.</param>
    /// <param name="failOn">Weakest confidence that counts.</param>
    public static int Of(TriageCounts counts, Confidence failOn) =>
        counts.Confirmed > 0 ? Confirmed
        : counts.Likely > 0 && failOn <= Confidence.Likely ? Likely
        : counts.Suspected > 0 && failOn <= Confidence.Suspected ? Suspected
        : counts.Undecidable + counts.Failed + counts.SuspectedLackingData + counts.LikelyLackingData + counts.NotLookedAt > 0 ? Undecidable
        : Success;

    /// <summary>The exit code of checked collections.</summary>
    /// <param name="collections">Those in which something does not fit.</param>
    /// <param name="isComplete">True when everything that was asked for could be read.</param>
    public static int Of(IEnumerable<JudgedCollection> collections, bool isComplete) => collections.Max(c => c.Confidence) switch
    {
        Confidence.Confirmed => Confirmed,
        Confidence.Likely => Likely,
        _ => isComplete ? Success : Undecidable,
    };
}
