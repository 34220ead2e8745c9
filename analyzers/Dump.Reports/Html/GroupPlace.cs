using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>What tells a group from others of the same kind, in one line: the code to look at in its example.</summary>
internal static class GroupPlace
{
    private const int MostThreads = 3;

    /// <summary>
    /// The callback that the verdict blames, else the number of its threads and their innermost functions that are not the system's; empty when nothing is
    /// known.
    /// </summary>
    public static string Of(TriageBucket bucket)
    {
        if (bucket.Records[0].Report is not { } report)
        {
            return "";
        }

        ReportedVerdict? verdict = report.Verdicts.IsEmpty ? null : report.Verdicts[0];
        if (verdict?.Culprit is { Callback: not null } culprit)
        {
            return $"{culprit.Module}, {culprit.Callback}";
        }

        OwnFrames own = new(report);
        IEnumerable<ReportedStack> stacks = verdict is not null ? verdict.Stacks : report.Focus is { } focus ? [focus.Stack] : [];
        string[] places =
        [
            .. stacks.Select(own.Innermost).OfType<ReportedFrame>().Select(FrameWords.Place).Distinct(StringComparer.Ordinal).Take(MostThreads),
        ];
        string threads = verdict is { Threads.Length: > 1 } ? $"{HtmlWriter.Count(verdict.Threads.Length)} threads" : "";
        return string.Join(
            ": ", new[] { threads, places.Length == 0 ? verdict?.Culprit?.Module : string.Join(", ", places) }.Where(t => !string.IsNullOrEmpty(t)));
    }
}
