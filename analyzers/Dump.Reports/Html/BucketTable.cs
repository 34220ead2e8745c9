using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>The table of groups. Each group is a body of its own with two rows, its line and its details, so that sorting keeps them together.</summary>
/// <param name="mostLines">Groups that are listed.</param>
/// <param name="mostDetailed">Groups that have details.</param>
/// <param name="links">Where links to source files lead; null for the addresses of SourceLink.</param>
internal sealed class BucketTable(int mostLines, int mostDetailed, SourceLinkTemplate? links)
{
    private const int Columns = 7;
    private (DateOnly First, DateOnly Last)? _span;

    /// <summary>Writes the table with its filters.</summary>
    /// <param name="page">Where to write.</param>
    /// <param name="buckets">The groups.</param>
    /// <param name="id">An identifier that nothing else of the page begins with.</param>
    /// <param name="withVerdict">True for groups of dumps with a verdict, false for those without.</param>
    public void Write(HtmlWriter page, ImmutableArray<TriageBucket> buckets, string id, bool withVerdict)
    {
        _span = TrendChart.Span(buckets.Select(b => b.Trend));
        WriteFilters(page, buckets, id);
        page.Start("div", ("class", "scroll")).Start("table", ("class", "grid buckets sortable"), ("id", $"{id}-table"), ("data-groups", ""));
        page.Start("thead").Start("tr").Element("th", withVerdict ? "Finding" : "Thread to look at first", ("scope", "col"))
            .Element("th", withVerdict ? "Confidence" : "Answer", ("scope", "col"), ("data-first", withVerdict ? "descending" : null))
            .Element("th", "Dumps", ("scope", "col"), ("class", "number"), ("data-first", "descending"))
            .Element("th", "Process", ("scope", "col")).Element("th", "First seen", ("scope", "col"))
            .Element("th", "Last seen", ("scope", "col"), ("data-first", "descending"))
            .Element("th", "Trend", ("scope", "col"), ("data-plain", "")).End("tr").End("thead");
        for (int i = 0; i < Math.Min(buckets.Length, mostLines); i++)
        {
            WriteBucket(page, buckets[i], $"{id}-{i + 1}", i < mostDetailed);
        }

        page.End("table").End("div");
        if (buckets.Length > mostLines)
        {
            page.Element("p", $"{HtmlWriter.Count(buckets.Length - mostLines, "more group")} in the CSV and JSON files.", ("class", "note"));
        }
    }

    private static void WriteFilters(HtmlWriter page, ImmutableArray<TriageBucket> buckets, string id)
    {
        page.Start("form", ("class", "filters"), ("role", "search"), ("aria-label", $"Filter {(id == "hangs" ? "findings" : "dumps without a verdict")}"), ("data-for", $"{id}-table"), ("hidden", ""));
        page.Start("label").Text("Filter ").Start("input", ("type", "search"), ("name", "text"), ("placeholder", "text in title, signature, process, machine"),
            ("autocomplete", "off")).End("label");
        Choice(page, "Confidence", "sure", buckets.Select(b => b.Confidence?.ToString()));
        Choice(page, "Detector", "detector", buckets.Select(b => b.DetectorId));
        Choice(page, "Process", "process", buckets.SelectMany(b => b.Processes.Select(p => p.Name)));
        page.Element("output", "", ("aria-live", "polite")).End("form");
    }

    private static void Choice(HtmlWriter page, string label, string name, IEnumerable<string?> values)
    {
        const int MostChoices = 200;
        string[] known = [.. values.OfType<string>().Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Take(MostChoices)];
        if (known.Length < 2)
        {
            return;
        }

        page.Start("label").Text($"{label} ").Start("select", ("name", name)).Element("option", "all", ("value", ""));
        foreach (string value in known)
        {
            page.Element("option", value, ("value", value));
        }

        page.End("select").End("label");
    }

    private void WriteBucket(HtmlWriter page, TriageBucket bucket, string id, bool isDetailed)
    {
        string processes = string.Join("\n", bucket.Processes.Select(p => p.Name));
        page.Start(
            "tbody",
            ("id", id),
            ("data-sure", bucket.Confidence?.ToString() ?? ""),
            ("data-detector", bucket.DetectorId ?? ""),
            ("data-process", processes),
            ("data-text", string.Join('\n', bucket.Machines.Select(m => m.Name).Prepend(bucket.Signature.ClassText).Append(bucket.Signature.ClassHash))));
        page.Start("tr", ("class", "line")).Start("th", ("scope", "row"));
        page.Element("span", bucket.Title, ("class", "title"));
        if (bucket.DetectorId is { } detector)
        {
            page.Text(" ").Element("span", detector, ("class", "id"));
        }

        page.Start("div", ("class", "place")).Text(GroupPlace.Of(bucket));
        foreach (string note in bucket.KnownIssues.Select(k => $"known: {k.Title}").Concat(bucket.Tags.Take(1)))
        {
            page.Text(" ").Element("span", note, ("class", "tag"));
        }

        page.End("div");
        page.End("th").Start("td", ("data-v", bucket.Confidence is { } sure ? ((int)sure).ToString(CultureInfo.InvariantCulture) : null));
        if (bucket.Confidence is { } confidence)
        {
            ConfidenceMark.Write(page, confidence);
        }
        else
        {
            page.Text(State(bucket));
        }

        page.End("td").Element("td", HtmlWriter.Count(bucket.Dumps), ("class", "number"),
            ("data-v", bucket.Dumps.ToString(CultureInfo.InvariantCulture)))
            .Element("td", Names(bucket.Processes, bucket.Dumps))
            .Element("td", Day(bucket.FirstSeen), ("class", "time"), ("data-v", Moment(bucket.FirstSeen)))
            .Element("td", Day(bucket.LastSeen), ("class", "time"), ("data-v", Moment(bucket.LastSeen))).Start("td");
        if (_span is { } span)
        {
            TrendChart.Write(page, bucket.Trend, span);
        }

        page.End("td").End("tr").Start("tr", ("class", "detail")).Start("td", ("colspan", Columns.ToString(CultureInfo.InvariantCulture)));
        BucketDetail.Write(page, bucket, id, isDetailed, links);
        page.End("td").End("tr").End("tbody");
    }

    /// <summary>How the dumps of a group without verdict ended.</summary>
    private static string State(TriageBucket bucket)
    {
        int undecidable = bucket.Undecidable;
        return undecidable == 0 ? "nothing found"
            : undecidable == bucket.Dumps ? "cannot decide"
            : $"cannot decide in {HtmlWriter.Count(undecidable)}";
    }

    private static string Names(ImmutableArray<(string Name, int Count)> names, int dumps) => names.Length switch
    {
        0 => "",
        1 when names[0].Count == dumps => names[0].Name,
        1 => $"{names[0].Name} ({HtmlWriter.Count(names[0].Count)})",
        _ => $"{names[0].Name} ({HtmlWriter.Count(names[0].Count)}) and {HtmlWriter.Count(names.Length - 1)} more",
    };

    private static string Day(DateTime? moment) => moment?.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture) ?? "";

    private static string Moment(DateTime? moment) => moment?.ToString("s", CultureInfo.InvariantCulture) ?? "";
}

/// <summary>What tells a group from others of the same kind, in one line: the code to look at in its example.</summary>
internal static class GroupPlace
{
    private const int MostThreads = 3;

    /// <summary>
    /// The callback that the verdict blames, else the number of its threads and their innermost functions that are not the system's; empty when nothing is
    /// known.
    /// </summary>
    public static string Of(TriageBucket bucket)
    {
        if (bucket.Records[0].Report is not { } report)
        {
            return "";
        }

        ReportedVerdict? verdict = report.Verdicts.IsEmpty ? null : report.Verdicts[0];
        if (verdict?.Culprit is { Callback: not null } culprit)
        {
            return $"{culprit.Module}, {culprit.Callback}";
        }

        OwnFrames own = new(report);
        IEnumerable<ReportedStack> stacks = verdict is not null ? verdict.Stacks : report.Focus?.Stacks ?? [];
        string[] places =
        [
            .. stacks.Select(own.Innermost).OfType<ReportedFrame>().Select(FrameWords.Place).Distinct(StringComparer.Ordinal).Take(MostThreads),
        ];
        string threads = verdict is { Threads.Length: > 1 } ? $"{HtmlWriter.Count(verdict.Threads.Length)} threads" : "";
        return string.Join(
            ": ", new[] { threads, places.Length == 0 ? verdict?.Culprit?.Module : string.Join(", ", places) }.Where(t => !string.IsNullOrEmpty(t)));
    }
}

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
