using Dump.Model.Reported;
using Dump.Model.Triage;

namespace Dump.Reports.Html;

/// <summary>What tells a group from others of the same kind, in one line: the code to look at in its example.</summary>
internal static class GroupPlace
{
    private const int MostThreads = 3;

    /// <summary>The callback that the verdict blames, else the innermost functions of its threads that are not the system's; null when neither is known.</summary>
    public static string? Of(TriageBucket bucket)
    {
        if (bucket.Records[0].Report is not { } report)
        {
            return null;
        }

        ReportedVerdict? verdict = report.Verdicts.IsEmpty ? null : report.Verdicts[0];
        if (verdict?.Culprit is { Callback: not null } culprit)
        {
            return $"{culprit.Module}, {culprit.Callback}";
        }

        OwnFrames own = new(report);
        IEnumerable<ReportedStack> stacks = verdict is not null ? verdict.Stacks : report.Focus is { } focus ? [focus] : [];
        string[] places =
        [
            .. stacks.Select(own.Innermost).OfType<ReportedFrame>().Select(ReportedFrameText.Place).Distinct(StringComparer.Ordinal).Take(MostThreads),
        ];
        return places.Length == 0 ? verdict?.Culprit?.Module : string.Join(", ", places);
    }
}
