using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>The page on one dump: one file that needs no other and no network. The verdict comes first.</summary>
public static class HangReportPage
{
    /// <summary>Verdicts that are shown; no process has as many hangs that are worth reading.</summary>
    private const int MostVerdicts = 50;

    /// <summary>Writes the page.</summary>
    /// <param name="report">What is known of the dump.</param>
    /// <param name="output">Where to write; line feeds end lines.</param>
    /// <param name="links">Where links to source files lead; null for the addresses that the debug information has, if any.</param>
    public static void Write(HangReport report, TextWriter output, SourceLinkTemplate? links = null)
    {
        string headline = report.Verdicts.IsEmpty ? Headline(report) : report.Verdicts[0].Title;
        HtmlPage.Write(
            output,
            $"{headline} - {report.Source.DisplayName}",
            Sections(report),
            page =>
            {
                page.Start("p", ("class", "file")).Text(report.Source.DisplayName).End("p");
                ReportSections.WriteFacts(page, report);
            },
            page => WriteBody(page, report, links));
    }

    private static string Headline(HangReport report) => report.IsUndecidable ? "Cannot decide" : "No hang found";

    private static List<(string, string)> Sections(HangReport report)
    {
        List<(string, string)> sections = [.. report.Verdicts.Take(MostVerdicts).Select((v, i) => ($"verdict-{i + 1}", v.Title))];
        Add(!report.OpenWaits.IsEmpty, "open-waits", ReportWords.OpenWaits);
        Add(!report.Notes.IsEmpty, "notes", ReportWords.Notes(report));
        Add(report.Series is not null, "series", ReportWords.Series);
        Add(!report.Missing.IsEmpty || report.Unanswered.Any(o => !o.Missing.IsEmpty), "undecided", ReportWords.Undecided);
        Add(!report.Problems.IsEmpty, "problems", ReportWords.Problems);
        Add(!report.Stacks.IsEmpty, "stacks", "All stacks");
        Add(!report.Modules.IsEmpty, "modules", "Modules");
        return sections;

        void Add(bool exists, string anchor, string name)
        {
            if (exists)
            {
                sections.Add((anchor, name));
            }
        }
    }

    private static void WriteBody(HtmlWriter page, HangReport report, SourceLinkTemplate? links)
    {
        if (ReportWords.Only(report) is { } only)
        {
            page.Element("p", only, ("class", "note"));
        }

        if (report.Verdicts.IsEmpty)
        {
            WriteNothingFound(page, report, links);
        }

        for (int i = 0; i < Math.Min(report.Verdicts.Length, MostVerdicts); i++)
        {
            WriteVerdict(page, report, i, links);
        }

        if (report.Verdicts.Length > MostVerdicts)
        {
            page.Element("p", $"{HtmlWriter.Count(report.Verdicts.Length - MostVerdicts, "more verdict")} in the JSON report.", ("class", "note"));
        }

        ReportSections.WriteList(page, "open-waits", ReportWords.OpenWaits, OpenWaitWords.Lines(report));
        ReportSections.WriteList(page, "notes", ReportWords.Notes(report), report.Notes);
        ReportSections.WriteList(page, "series", ReportWords.Series, SeriesWords.Lines(report));
        ReportSections.WriteUndecided(page, report);
        ReportSections.WriteList(page, "problems", ReportWords.Problems, MissingWords.Problems(report.Problems));
        if (!report.Stacks.IsEmpty)
        {
            page.Start("section", ("id", "stacks")).Element("h2", $"All stacks ({HtmlWriter.Count(report.Stacks.Length)})")
                .Start("details").Element("summary", "Show");
            new StackView(report, null, links).Write(page, report.Stacks);
            page.End("details").End("section");
        }

        ReportSections.WriteModules(page, report);
    }

    private static void WriteVerdict(HtmlWriter page, HangReport report, int index, SourceLinkTemplate? links)
    {
        ReportedVerdict verdict = report.Verdicts[index];
        string heading = index == 0 ? "h1" : "h2";
        string id = $"verdict-{index + 1}";
        page.Start("section", ("id", id), ("class", $"verdict {ConfidenceMark.Class(verdict.Confidence)}")).Start(heading).Text(verdict.Title).Text(" ");
        ConfidenceMark.Write(page, verdict.Confidence);
        page.Text(" ").Element("span", verdict.DetectorId, ("class", "id")).End(heading);
        new VerdictSection(report, verdict, id, links).Write(page);
        page.End("section");
    }

    private static void WriteNothingFound(HtmlWriter page, HangReport report, SourceLinkTemplate? links)
    {
        page.Start("section", ("id", "verdict-1"), ("class", "verdict none")).Element("h1", Headline(report))
            .Element("p", NothingFound.Of(report).Text, ("class", "lead"));
        if (report.Focus is { } focus)
        {
            page.Element("h3", ReportWords.Focus);
            new StackView(report, null, links).Write(page, [focus.Stack]);
        }

        page.End("section");
    }
}
