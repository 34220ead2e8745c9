using System.Collections.Immutable;
using Dump.Model.Verdicts;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>Notes of others on a hang.</summary>
internal static class KnownIssueView
{
    /// <summary>Writes each with a link to where it is described.</summary>
    public static void Write(HtmlWriter page, ImmutableArray<KnownIssue> issues)
    {
        foreach (KnownIssue issue in issues)
        {
            page.Start("p", ("class", "known")).Element("strong", $"{ReportWords.Known}:").Text($" {KnownIssueWords.Phrase(issue)} ");
            if (issue.Reference is { } reference)
            {
                page.Link(reference, reference);
            }

            page.End("p");
        }
    }
}
