using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

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
