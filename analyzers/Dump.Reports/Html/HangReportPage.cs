using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
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
    /// <param name="origin">What made the page; null to leave that out.</param>
    public static void Write(HangReport report, TextWriter output, SourceLinkTemplate? links = null, PageOrigin? origin = null)
    {
        string headline = report.Verdicts.IsEmpty ? Headline(report) : report.Verdicts[0].Title;
        HtmlPage.Write(
            output,
            $"{headline} - {(report.Process.Title is { } title ? $"{title}, " : "")}{report.Source.DisplayName}",
            Sections(report),
            origin,
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
        Add(!report.Requests.IsEmpty, "requests", ReportWords.Requests);
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
        ReportSections.WriteList(page, "requests", ReportWords.Requests, RequestsReport.Lines(report));
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
        new VerdictSection(report, verdict, id, links, index == 0 ? "h2" : "h3").Write(page);
        page.End("section");
    }

    private static void WriteNothingFound(HtmlWriter page, HangReport report, SourceLinkTemplate? links)
    {
        page.Start("section", ("id", "verdict-1"), ("class", "verdict none")).Element("h1", Headline(report))
            .Element("p", NothingFound.Of(report).Text, ("class", "lead"));
        if (report.Focus is { } focus)
        {
            page.Element("h2", ReportWords.Focus, ("class", "part"));
            new StackView(report, null, links).Write(page, focus.Stacks);
        }

        page.End("section");
    }
}

/// <summary>The parts of a report besides its verdicts.</summary>
internal static class ReportSections
{
    /// <summary>What was analysed, as pairs of name and value.</summary>
    public static void WriteFacts(HtmlWriter page, HangReport report)
    {
        page.Start("dl", ("class", "facts"));
        Fact(page, report.Source.FileSize is null ? "Source" : "Dump",
            $"{report.Source.Kind}{(report.Source.FileSize is { } size ? $", {SizeText.Of(size)}" : "")}");
        string id = report.Process.Id is { } pid ? string.Create(CultureInfo.InvariantCulture, $", process {pid}") : "";
        Fact(page, "Process", (report.Process.Title ?? "unknown program") + id);
        Fact(page, "Runtime", report.Process.Runtime);
        Fact(page, "Threads", report.Threads.IsEmpty ? null : HtmlWriter.Count(report.Threads.Length));
        Fact(page, "Captured", ReportWords.Time(report.Source.Captured));
        Fact(page, "Machine", report.Process.Machine);
        Fact(page, "System", report.Process.System);
        Fact(page, report.Source.FileSize is null ? "First look" : "First dump",
            report.Source.Earlier is { } earlier
                ? $"{earlier.DisplayName}{(earlier.Captured is null ? "" : $", {ReportWords.Time(earlier.Captured)}")}"
                : null);
        Fact(page, "Managed half", report.Source.ManagedHalf);
        Fact(page, "Symbols", ReportWords.Symbols(report.Source));
        Fact(page, "Comment", report.Source.Comment?.Trim());
        page.End("dl");
    }

    /// <summary>Detectors that gave no answer and what the dump lacks. Nothing when there is nothing to say.</summary>
    public static void WriteUndecided(HtmlWriter page, HangReport report)
    {
        ImmutableArray<MissingData> missing = report.AllMissing;
        if (!missing.IsEmpty)
        {
            page.Start("section", ("id", "undecided")).Element("h2", ReportWords.Undecided);
            MissingView.Write(page, report, missing);
            page.End("section");
        }

        WriteList(page, "failed", ReportWords.Failed, report.Unanswered
            .Where(o => o.Kind == DetectorOutcomeKind.Failed).Select(ReportWords.Failure));
    }

    /// <summary>A section with a list; nothing when it is empty.</summary>
    public static void WriteList(HtmlWriter page, string anchor, string heading, IEnumerable<string> texts)
    {
        string[] all = [.. texts];
        if (all.Length == 0)
        {
            return;
        }

        page.Start("section", ("id", anchor)).Element("h2", heading).Start("ul");
        foreach (string text in all)
        {
            page.Element("li", text);
        }

        page.End("ul").End("section");
    }

    /// <summary>Modules with version and vendor, folded; nothing when none is known.</summary>
    public static void WriteModules(HtmlWriter page, HangReport report)
    {
        if (report.Modules.IsEmpty)
        {
            return;
        }

        page.Start("section", ("id", "modules")).Element("h2", $"Modules ({HtmlWriter.Count(report.Modules.Length)})")
            .Start("details").Element("summary", "Show").Start("div", ("class", "scroll")).Start("table", ("class", "grid sortable"));
        page.Start("thead").Start("tr").Element("th", "Module", ("scope", "col")).Element("th", "Version", ("scope", "col"))
            .Element("th", "Vendor", ("scope", "col")).Element("th", "Part of the system", ("scope", "col")).End("tr").End("thead").Start("tbody");
        foreach (ReportedModule module in report.Modules)
        {
            page.Start("tr").Element("td", module.Name, ("class", "code")).Element("td", module.Version ?? "", ("class", "code"))
                .Element("td", module.Vendor ?? "")
                .Element("td", module.IsSystem switch { true => "yes", false => "no", _ => "unknown" }).End("tr");
        }

        page.End("tbody").End("table").End("div").End("details").End("section");
    }

    private static void Fact(HtmlWriter page, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value))
        {
            page.Start("div").Element("dt", name).Element("dd", value).End("div");
        }
    }
}
