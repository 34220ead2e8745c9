using System.Globalization;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Reports.Html.Elements;
using Dump.Reports.Merging;

namespace Dump.Reports.Html;

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
        page.Start("form", ("class", "filters"), ("role", "search"), ("data-for", "dumps-table"), ("hidden", ""))
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
                record.Report?.Process.Name ?? "",
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
