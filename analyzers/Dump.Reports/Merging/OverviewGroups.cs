using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Reports.Merging;

/// <summary>Which group each dump of an overview belongs to.</summary>
internal sealed class OverviewGroups
{
    private readonly Dictionary<TriageRecord, TriageBucket> _groups = new(ReferenceEqualityComparer.Instance);

    /// <summary>Takes the groups of an overview.</summary>
    public OverviewGroups(TriageOverview overview)
    {
        foreach (TriageBucket bucket in overview.Hangs.Concat(overview.Others))
        {
            foreach (TriageRecord record in bucket.Records)
            {
                _groups.TryAdd(record, bucket);
            }
        }
    }

    /// <summary>The group of a dump, or null when it is in none.</summary>
    public TriageBucket? Of(TriageRecord record) => _groups.GetValueOrDefault(record);

    /// <summary>
    /// True for a dump that is no all-clear although nothing in it fails: nothing was found and data are
    /// missing, or what was found does not count and other detectors gave no answer.
    /// </summary>
    /// <param name="record">The dump.</param>
    /// <param name="failOn">The weakest confidence that counts.</param>
    public static bool IsOpen(TriageRecord record, Confidence failOn) => record.Report is { } report
        && (report.IsUndecidable || (!report.Unanswered.IsEmpty && !report.Verdicts.IsEmpty && report.Verdicts.Max(v => v.Confidence) < failOn));

    /// <summary>Why there may be dumps that are not among the records, as a phrase.</summary>
    public static string Words(TriageGapKind kind) => kind switch
    {
        TriageGapKind.RunNotEnded => "run not ended",
        TriageGapKind.PartMissing => "part missing",
        TriageGapKind.RecordDamaged => "record damaged",
        _ => "not looked at",
    };

    /// <summary>What was found in a dump, in words: its first verdict, or why there is none.</summary>
    public static string Finding(TriageRecord record) => record switch
    {
        { Report: null } => $"failed: {EnumText.Words(record.Outcome)}",
        { Report.Verdicts: { IsEmpty: false } verdicts } => $"{verdicts[0].DetectorId} {verdicts[0].Title}",
        { Report.IsUndecidable: true } => "cannot decide",
        _ => "nothing found",
    };

    /// <summary>When a dump was captured, as ISO 8601 in UTC; null when unknown.</summary>
    public static string? Captured(TriageRecord record) => Moment(record.Report?.Source.Captured);

    /// <summary>A moment as ISO 8601 in UTC; null stays null.</summary>
    public static string? Moment(DateTime? moment) => moment?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
}
