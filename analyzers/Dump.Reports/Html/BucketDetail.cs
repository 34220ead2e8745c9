using System.Collections.Immutable;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;
using Dump.Reports.Merging;

namespace Dump.Reports.Html;

/// <summary>What a group has in common, its example, and its dumps.</summary>
internal static class BucketDetail
{
    private const int MostNames = 12;
    private const int MostDumps = 50;

    /// <summary>Writes what belongs below a group's line of the table.</summary>
    /// <param name="page">Where to write.</param>
    /// <param name="bucket">The group.</param>
    /// <param name="id">An identifier that nothing else of the page begins with.</param>
    /// <param name="withExample">True to show the example with graph and stacks.</param>
    /// <param name="links">Where links to source files lead; null for the addresses of SourceLink.</param>
    public static void Write(HtmlWriter page, TriageBucket bucket, string id, bool withExample, SourceLinkTemplate? links)
    {
        KnownIssueView.Write(page, bucket.KnownIssues);
        TriageRecord example = bucket.Records[0];
        if (withExample && example.Report is { } report)
        {
            page.Start("p", ("class", "example")).Text("Example: ").Element("code", example.Source.Text);
            if (bucket.FirstSeen is not null)
            {
                page.Element("span", $" Seen {ReportWords.Time(bucket.FirstSeen)} to {ReportWords.Time(bucket.LastSeen)}.", ("class", "faint"));
            }

            page.End("p");
            WriteExample(page, report, id, links);
        }
        else
        {
            page.Element("p", "The report of its example is in the records; only the first groups are shown in full here.", ("class", "note"));
        }

        WriteCommon(page, bucket);
    }

    private static void WriteExample(HtmlWriter page, HangReport report, string id, SourceLinkTemplate? links)
    {
        if (!report.Verdicts.IsEmpty)
        {
            // The notes stand above, by the list of this overview.
            new VerdictSection(report, report.Verdicts[0] with { KnownIssues = [] }, id, links).Write(page);
            if (report.Verdicts.Length > 1)
            {
                page.Element(
                    "p", $"This dump has {HtmlWriter.Count(report.Verdicts.Length - 1, "further verdict")}: "
                        + $"{string.Join(", ", report.Verdicts.Skip(1).Select(v => $"{v.DetectorId} {v.Title} ({v.Confidence})"))}.", ("class", "note"));
            }

            return;
        }

        page.Element("p", NothingFound.Of(report).Text);
        if (report.Focus is { } focus)
        {
            new StackView(report, null, links).Write(page, focus.Stacks);
        }
    }

    private static void WriteCommon(HtmlWriter page, TriageBucket bucket)
    {
        page.Start("details", ("class", "signature")).Start("summary").Text("Signature ").Element("code", bucket.Signature.ClassHash).End("summary")
            .Element("pre", bucket.Signature.ClassText).End("details");
        page.Start("div", ("class", "counts"));
        Counts(page, "Processes", bucket.Processes);
        Counts(page, "Machines", bucket.Machines);
        Counts(page, "Tags", [.. bucket.Tags.Select(t => (t, 0))]);
        Counts(page, "Builds", bucket.Builds.Length > 1 ? bucket.Builds : []);
        page.End("div");
        if (bucket.IsPerhapsSeveral)
        {
            page.Element("p", $"{Naming.Capitalised(OverviewWords.PerhapsSeveral)}.", ("class", "note"));
        }

        page.Start("details", ("class", "dumps")).Start("summary").Text($"{HtmlWriter.Count(bucket.Dumps, "dump")} of this group").End("summary")
            .Start("ul");
        foreach (TriageRecord record in bucket.Records.Take(MostDumps))
        {
            page.Start("li").Element("code", record.Source.Text);
            if (record.Report?.Source.Captured is { } captured)
            {
                page.Text(" ").Element("span", ReportWords.Time(captured), ("class", "faint"));
            }

            page.End("li");
        }

        page.End("ul");
        int rest = bucket.Dumps - Math.Min(bucket.Records.Length, MostDumps);
        if (rest > 0)
        {
            page.Element("p", $"and {HtmlWriter.Count(rest)} more, in {(bucket.Counted is null ? "the CSV and JSON files" : "the store")}.", ("class", "note"));
        }

        page.End("details");
    }

    private static void Counts(HtmlWriter page, string heading, ImmutableArray<(string Name, int Count)> counts)
    {
        if (counts.IsEmpty)
        {
            return;
        }

        page.Start("div").Element("h3", heading).Start("ul");
        foreach ((string name, int count) in counts.Take(MostNames))
        {
            page.Start("li").Element("span", name, ("class", "name"));
            if (count > 0)
            {
                page.Text(" ").Element("span", HtmlWriter.Count(count), ("class", "faint"));
            }

            page.End("li");
        }

        if (counts.Length > MostNames)
        {
            page.Element("li", $"and {HtmlWriter.Count(counts.Length - MostNames)} more", ("class", "faint"));
        }

        page.End("ul").End("div");
    }
}
