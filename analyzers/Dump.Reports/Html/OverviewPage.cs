using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;
using Dump.Reports.Merging;

namespace Dump.Reports.Html;

/// <summary>The page on a folder of dumps: one file that needs no other and no network.</summary>
public static class OverviewPage
{
    /// <summary>Groups whose example is shown with graph and stacks; the others have their line in the table.</summary>
    private const int MostDetailed = 100;

    /// <summary>Lines of a table that stand in the page; the rest is in CSV and JSON.</summary>
    private const int MostLines = 500;

    /// <summary>Writes the page.</summary>
    /// <param name="overview">What the folder shows.</param>
    /// <param name="output">Where to write; line feeds end lines.</param>
    /// <param name="links">Where links to source files lead; null for the addresses of SourceLink.</param>
    /// <param name="searchFile">Name of the file beside the page that lists all groups (<see cref="OverviewSearchPage"/>); null where there is none.</param>
    /// <param name="origin">What made the page; null to leave that out.</param>
    public static void Write(
        TriageOverview overview, TextWriter output, SourceLinkTemplate? links = null, string? searchFile = null, PageOrigin? origin = null)
    {
        HtmlPage.Write(
            output,
            $"Hang triage of {HtmlWriter.Count(overview.Dumps, "dump")}",
            Sections(overview),
            origin,
            page => WriteHead(page, overview, searchFile),
            page => WriteBody(page, overview, links));
    }

    private static List<(string, string)> Sections(TriageOverview overview)
    {
        (int Count, string Anchor, string Name)[] all =
        [
            (overview.Counted?.Hangs ?? overview.Hangs.Length, "hangs", "Findings"),
            (overview.Counted?.Others ?? overview.Others.Length, "others", OverviewWords.WithoutVerdict),
            (overview.Undecided.Length, "undecided", ReportWords.Undecided),
            (overview.FailedDumps, "failed", OverviewWords.Failed),
            (overview.PassedOver.Length, "passed-over", "Missing or passed over"),
            (overview.Counted?.Modules ?? overview.Modules.Length, "modules", "Modules"),
            (overview.Dumps, "dumps", "All dumps"),
        ];
        return [.. all.Where(s => s.Count > 0).Select(s => (s.Anchor, $"{s.Name} ({HtmlWriter.Count(s.Count)})"))];
    }

    private static void WriteHead(HtmlWriter page, TriageOverview overview, string? searchFile)
    {
        int found = overview.Counted is { } counted ? counted.Dumps - counted.With(TriageAnswers.NotAnalysed) - overview.Sound - overview.Undecidable
            : overview.Hangs.Sum(h => h.Records.Length);
        page.Element("h1", overview.Hangs.IsEmpty
            ? NoFinding(overview)
            : $"{HtmlWriter.Count(overview.Counted?.Hangs ?? overview.Hangs.Length, "different finding")} in {HtmlWriter.Count(found)} of "
                + $"{HtmlWriter.Count(overview.Dumps, "dump")}");
        OverviewTotals.Write(page, overview);
        if (overview.Counted is not null)
        {
            page.Element("p", OverviewWords.OnlyLargest(overview), ("class", "note"));
        }

        if (searchFile is not null)
        {
            page.Start("p", ("class", "note")).Element("a", "All findings and stacks", ("href", Uri.EscapeDataString(searchFile)))
                .Text(", in a line each, with a search.").End("p");
        }
    }

    /// <summary>A dump that could not be decided or read is no dump without a hang.</summary>
    private static string NoFinding(TriageOverview overview)
    {
        (int Count, string Words)[] parts =
        [
            (overview.Sound, "nothing found"), (overview.Undecidable, "cannot be decided"), (overview.FailedDumps, "failed"),
        ];
        string headline = parts.Skip(1).All(p => p.Count == 0)
            ? $"No finding in {HtmlWriter.Count(overview.Dumps, "dump")}"
            : $"No verdict: {string.Join(", ", parts.Where(p => p.Count > 0).Select(p => $"{HtmlWriter.Count(p.Count)} {p.Words}"))}";
        return overview.PassedOver.IsEmpty ? headline : $"{headline}; dumps may be missing";
    }

    private static void WriteBody(HtmlWriter page, TriageOverview overview, SourceLinkTemplate? links)
    {
        BucketTable table = new(MostLines, MostDetailed, links);
        if (!overview.Hangs.IsEmpty)
        {
            page.Start("section", ("id", "hangs")).Element("h2", "Findings");
            table.Write(page, overview.Hangs, "hangs", withVerdict: true);
            page.End("section");
        }

        if (!overview.Others.IsEmpty)
        {
            page.Start("section", ("id", "others")).Element("h2", OverviewWords.WithoutVerdict);
            table.Write(page, overview.Others, "others", withVerdict: false);
            page.End("section");
        }

        OverviewTables.WriteUndecided(page, overview);
        OverviewTables.WriteFailed(page, overview, MostLines);
        OverviewTables.WritePassedOver(page, overview, MostLines);
        OverviewTables.WriteModules(page, overview, MostLines * 2);
        DumpList.Write(page, overview);
    }
}

/// <summary>
/// All dumps of a folder. There may be many thousands, so the page carries them as data and its script makes rows of those that are asked for.
/// </summary>
internal static class DumpList
{
    private const int MostDumps = 20_000;

    /// <summary>Writes the empty table and its data.</summary>
    public static void Write(HtmlWriter page, TriageOverview overview)
    {
        page.Start("section", ("id", "dumps")).Element("h2", "All dumps");
        page.Start("noscript").Element("p", "The list of all dumps needs the page's script; the CSV file has the same.", ("class", "note")).End("noscript");
        page.Start("form", ("class", "filters"), ("role", "search"), ("aria-label", "Filter dumps"), ("data-for", "dumps-table"), ("hidden", ""))
            .Start("label").Text("Filter ")
            .Start("input", ("type", "search"), ("name", "text"), ("placeholder", "text in path, finding, process, machine"), ("autocomplete", "off"))
            .End("label")
            .Element("output", "", ("aria-live", "polite")).End("form");
        page.Start("div", ("class", "scroll")).Start("table", ("class", "grid sortable"), ("id", "dumps-table"), ("data-rows", "dumps-data"));
        page.Start("thead").Start("tr").Element("th", "Dump", ("scope", "col")).Element("th", "Finding", ("scope", "col"))
            .Element("th", "Confidence", ("scope", "col"))
            .Element("th", "Process", ("scope", "col")).Element("th", "Machine", ("scope", "col")).Element("th", "Captured", ("scope", "col")).End("tr")
            .End("thead").Start("tbody").End("tbody");
        page.End("table").End("div").Element("p", "", ("class", "more"));
        PageData.Write(page, "dumps-data", Rows(overview));
        int rest = overview.Dumps - Math.Min(overview.Records.Length, MostDumps);
        if (rest > 0)
        {
            page.Element("p", $"{HtmlWriter.Count(rest)} more in {(overview.Counted is null ? "the CSV and JSON files" : "the store")}.", ("class", "note"));
        }

        page.End("section");
    }

    /// <summary>The columns, then the anchor of the group that the dump is in.</summary>
    private static IEnumerable<string[]> Rows(TriageOverview overview)
    {
        Dictionary<string, string> anchors = [];
        Collect(overview.Hangs, "hangs");
        Collect(overview.Others, "others");
        foreach (TriageRecord record in overview.Records.Take(MostDumps))
        {
            ReportedVerdict? verdict = record.Report is { Verdicts.IsEmpty: false } report ? report.Verdicts[0] : null;
            yield return
            [
                record.Source.Text,
                OverviewGroups.Finding(record),
                verdict?.Confidence.ToString() ?? "",
                record.Report?.Process.Service ?? "",
                record.Report?.Process.Machine ?? "",
                record.Report?.Source.Captured?.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) ?? "",
                anchors.GetValueOrDefault(record.Identity, ""),
            ];
        }

        void Collect(IReadOnlyList<TriageBucket> buckets, string id)
        {
            for (int i = 0; i < buckets.Count; i++)
            {
                foreach (TriageRecord record in buckets[i].Records)
                {
                    anchors.TryAdd(record.Identity, string.Create(CultureInfo.InvariantCulture, $"{id}-{i + 1}"));
                }
            }
        }
    }
}

/// <summary>How many dumps ended in which way, as numbers and as a bar of their shares.</summary>
internal static class OverviewTotals
{
    private const double BarWidth = 1000;
    private const double Least = 4;

    public static void Write(HtmlWriter page, TriageOverview overview)
    {
        (string Class, string Name, int Count)[] parts =
        [
            ("confirmed", "confirmed", overview.With(Confidence.Confirmed)),
            ("likely", "likely", overview.With(Confidence.Likely)),
            ("suspected", "suspected", overview.With(Confidence.Suspected)),
            ("crashed", "crashed", overview.Crashed),
            ("sound", "nothing found", overview.Sound),
            ("unknown", "cannot decide", overview.Undecidable),
            ("failed", "failed", overview.FailedDumps),
        ];
        page.Start("ul", ("class", "totals"));
        foreach ((string kind, string name, int count) in parts)
        {
            page.Start("li", ("class", kind)).Element("b", HtmlWriter.Count(count)).Text($" {name}").End("li");
        }

        page.End("ul");
        WriteBar(page, parts);
        DateTime[] moments = overview.Counted is { } counted ? [.. new[] { counted.FirstSeen, counted.LastSeen }.OfType<DateTime>()]
            : [.. overview.Records.Select(r => r.Report?.Source.Captured).OfType<DateTime>()];
        if (moments.Length > 0)
        {
            page.Element("p", $"Captured {ReportWords.Time(moments.Min())} to {ReportWords.Time(moments.Max())}.", ("class", "faint"));
        }
    }

    private static void WriteBar(HtmlWriter page, (string Class, string Name, int Count)[] parts)
    {
        int total = parts.Sum(p => p.Count);
        if (total == 0)
        {
            return;
        }

        page.Start("svg", ("class", "bar"), ("viewBox", $"0 0 {HtmlWriter.Number(BarWidth)} 8"), ("preserveAspectRatio", "none"), ("role", "img"),
            ("aria-label", "Shares of the outcomes"));
        double left = 0;
        (string Class, string Name, int Count)[] shown = [.. parts.Where(p => p.Count > 0)];
        double room = BarWidth - (Least * shown.Length);
        foreach ((string kind, string name, int count) in shown)
        {
            double width = Least + (room * count / total);
            page.Start("rect", ("class", kind), ("x", HtmlWriter.Number(left)), ("y", "0"), ("width", HtmlWriter.Number(Math.Max(1, width - 2))),
                ("height", "8"))
                .Element("title", $"{HtmlWriter.Count(count)} {name}").End("rect");
            left += width;
        }

        page.End("svg");
    }
}
