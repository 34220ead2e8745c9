using System.Globalization;
using Dump.Model.Merging;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>The page beside an overview that shows only the largest groups: a line for each group, to be searched and sorted.</summary>
public static class OverviewSearchPage
{
    private const string Table = "buckets-table";
    private const string Data = "buckets-data";

    /// <summary>Writes the page.</summary>
    /// <param name="totals">What a store has counted.</param>
    /// <param name="output">Where to write; line feeds end lines.</param>
    /// <param name="origin">What made the page; null to leave that out.</param>
    public static void Write(TriageTotals totals, TextWriter output, PageOrigin? origin = null) => HtmlPage.Write(
        output, $"All findings in {HtmlWriter.Count(totals.Dumps, "dump")}", [], origin, page => WriteHead(page, totals), page => WriteBody(page, totals));

    private static void WriteHead(HtmlWriter page, TriageTotals totals)
    {
        page.Element("h1", $"{HtmlWriter.Count(totals.Hangs, "different finding")} and {HtmlWriter.Count(totals.Others, "stack")} without one in "
            + $"{HtmlWriter.Count(totals.Dumps, "dump")}");
        page.Element("p", totals.Buckets.Length < totals.Hangs + totals.Others
            ? $"The {HtmlWriter.Count(totals.Buckets.Length)} largest are listed; the store has the rest: ask it in SQL (docs/store.md)."
            : "Each with the hash of its signature, by which the store can be asked in SQL (docs/store.md).", ("class", "note"));
    }

    private static void WriteBody(HtmlWriter page, TriageTotals totals)
    {
        page.Start("section", ("id", "buckets"));
        page.Start("noscript").Element("p", "The list needs the page's script; the store has the same in its view 'buckets'.", ("class", "note"))
            .End("noscript");
        page.Start("form", ("class", "filters"), ("role", "search"), ("aria-label", "Filter findings"), ("data-for", Table), ("hidden", "")).Start("label").Text("Filter ")
            .Start("input", ("type", "search"), ("name", "text"), ("placeholder", "text in finding, detector, signature"), ("autocomplete", "off"))
            .End("label").Element("output", "", ("aria-live", "polite")).End("form");
        page.Start("div", ("class", "scroll")).Start("table", ("class", "grid sortable"), ("id", Table), ("data-rows", Data), ("data-plain", ""));
        page.Start("thead").Start("tr").Element("th", "Finding", ("scope", "col")).Element("th", "Detector", ("scope", "col"))
            .Element("th", "Dumps", ("scope", "col"), ("data-first", "descending")).Element("th", "First seen", ("scope", "col"))
            .Element("th", "Last seen", ("scope", "col")).Element("th", "Signature", ("scope", "col")).End("tr").End("thead").Start("tbody").End("tbody");
        page.End("table").End("div").Element("p", "", ("class", "more"));
        PageData.Write(page, Data, totals.Buckets.Select(Row));
        page.End("section");
    }

    private static string[] Row(BucketLine line) =>
    [
        line.Title, line.DetectorId ?? "", line.Dumps.ToString(CultureInfo.InvariantCulture), Moment(line.FirstSeen), Moment(line.LastSeen), line.Bucket,
    ];

    private static string Moment(DateTime? time) => time?.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) ?? "";
}
