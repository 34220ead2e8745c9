using System.Collections.Immutable;
using System.Globalization;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>Dumps by capture day as bars; a long time is told in steps of several days.</summary>
internal static class TrendChart
{
    private const int MostBars = 40;
    private const double BarWidth = 5;
    private const double Gap = 1;
    private const double Height = 22;

    /// <summary>The first and the last day of several charts, so that they have one scale of time; null when no day is known.</summary>
    public static (DateOnly First, DateOnly Last)? Span(IEnumerable<ImmutableArray<(DateOnly Day, int Count)>> trends)
    {
        DateOnly[] days = [.. trends.Where(t => !t.IsEmpty).SelectMany(t => new[] { t[0].Day, t[^1].Day })];
        return days.Length == 0 ? null : (days.Min(), days.Max());
    }

    /// <summary>Writes it; nothing when no day is known.</summary>
    /// <param name="page">Where to write.</param>
    /// <param name="trend">Dumps for each day, ascending.</param>
    /// <param name="span">The first and the last day that the chart has room for.</param>
    public static void Write(HtmlWriter page, ImmutableArray<(DateOnly Day, int Count)> trend, (DateOnly First, DateOnly Last) span)
    {
        if (trend.IsEmpty)
        {
            return;
        }

        int days = span.Last.DayNumber - span.First.DayNumber + 1;
        int step = Math.Max(1, (int)Math.Ceiling((double)days / MostBars));
        int[] bars = new int[(days + step - 1) / step];
        foreach ((DateOnly day, int count) in trend)
        {
            bars[(day.DayNumber - span.First.DayNumber) / step] += count;
        }

        double width = Math.Max(bars.Length, 12) * (BarWidth + Gap);
        page.Start(
            "svg",
            ("class", "trend"),
            ("viewBox", $"0 0 {HtmlWriter.Number(width)} {HtmlWriter.Number(Height)}"),
            ("width", HtmlWriter.Number(width)),
            ("height", HtmlWriter.Number(Height)),
            ("role", "img"),
            ("aria-label", Label(trend, step, bars.Max())));
        page.Element("title", Label(trend, step, bars.Max()));
        page.Start("rect", ("class", "base"), ("x", "0"), ("y", HtmlWriter.Number(Height - 1)), ("width", HtmlWriter.Number(width)), ("height", "1"))
            .End("rect");
        for (int i = 0; i < bars.Length; i++)
        {
            if (bars[i] > 0)
            {
                double height = Math.Max(2, (Height - 2) * bars[i] / bars.Max());
                page.Start("rect", ("x", HtmlWriter.Number(i * (BarWidth + Gap))), ("y", HtmlWriter.Number(Height - 1 - height)),
                    ("width", HtmlWriter.Number(BarWidth)), ("height", HtmlWriter.Number(height))).End("rect");
            }
        }

        page.End("svg");
    }

    private static string Label(ImmutableArray<(DateOnly Day, int Count)> trend, int step, int most) => string.Create(
        CultureInfo.InvariantCulture,
        $"{trend[0].Day:yyyy-MM-dd} to {trend[^1].Day:yyyy-MM-dd}, at most {HtmlWriter.Count(most, "dump")} in {HtmlWriter.Count(step, "day")}");
}
