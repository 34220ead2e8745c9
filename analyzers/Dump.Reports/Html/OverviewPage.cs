using Dump.Model.Merging;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

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
    public static void Write(TriageOverview overview, TextWriter output, SourceLinkTemplate? links = null, string? searchFile = null)
    {
        HtmlPage.Write(
            output,
            $"Hang triage of {HtmlWriter.Count(overview.Dumps, "dump")}",
            Sections(overview),
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
