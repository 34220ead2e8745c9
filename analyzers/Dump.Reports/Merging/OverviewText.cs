using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Reports.Merging;

/// <summary>The overview of a folder for a terminal: what hangs, how often, where to look; then what could not be decided, and what failed.</summary>
public static class OverviewText
{
    private const int MostBuckets = 50;
    private const int MostOthers = 10;
    private const int MostNames = 4;
    private const int MostFailed = 20;
    private const int MostModules = 20;
    private const int MostPassedOver = 20;

    /// <summary>Writes all sections that have entries, each up to its limit with the number of what is left out.</summary>
    /// <param name="overview">The overview.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    public static void Write(TriageOverview overview, TextWriter output, TextStyle style)
    {
        output.WriteLine(Totals(overview));
        foreach (TriageBucket bucket in overview.Hangs.Take(MostBuckets))
        {
            WriteBucket(bucket, output, style);
        }

        WriteLeftOut((overview.Counted?.Hangs ?? overview.Hangs.Length) - Math.Min(overview.Hangs.Length, MostBuckets), "hang", "", output);
        WriteOthers(overview, output, style);
        WriteUndecided(overview, output, style);
        WriteFailed(overview, output, style);
        WritePassedOver(overview, output, style);
        WriteModules(overview, output, style);
        if (overview.Counted is not null)
        {
            output.WriteLine();
            output.WriteLine(OverviewWords.OnlyLargest(overview));
        }
    }

    private static string Totals(TriageOverview overview)
    {
        int found = overview.Counted is null ? overview.Hangs.Sum(b => b.Records.Length)
            : overview.Dumps - overview.FailedDumps - overview.Sound - overview.Undecidable;
        int crashes = overview.Counted?.CrashPlaces ?? overview.Hangs.Count(b => b.DetectorId == DetectorIds.Crashed);
        string hangs = CountText.Of((overview.Counted?.Hangs ?? overview.Hangs.Length) - crashes, "different hang");
        return string.Join(
            ", ",
            [
                CountText.Of(overview.Dumps, "dump"),
                $"{found.ToString(CultureInfo.InvariantCulture)} with a verdict ({hangs}{(crashes > 0 ? $", {CountText.Of(crashes, "place")} where programs crashed" : "")})",
                $"{overview.Sound.ToString(CultureInfo.InvariantCulture)} in which nothing was found",
                $"{overview.Undecidable.ToString(CultureInfo.InvariantCulture)} that cannot be decided",
                $"{overview.FailedDumps.ToString(CultureInfo.InvariantCulture)} not analysed",
            ]);
    }

    private static void WriteBucket(TriageBucket bucket, TextWriter output, TextStyle style)
    {
        string title = $"{bucket.DetectorId} {bucket.Title} ({bucket.Confidence})";
        output.WriteLine();
        output.WriteLine(
            $"{CountText.Of(bucket.Dumps, "dump"),-10} {(bucket.Confidence == Confidence.Suspected ? style.Warning(title) : style.Alarm(title))}  "
                + $"{style.Faint(bucket.Signature.ClassHash)}");
        foreach (string line in bucket.Signature.ClassText.Split('\n').Skip(1))
        {
            output.WriteLine($"  {line}");
        }

        WriteFacts(bucket, output);
        foreach (KnownIssue issue in bucket.KnownIssues)
        {
            output.WriteLine($"  known: {KnownIssueWords.Line(issue)}");
        }

        output.WriteLine($"  example: {bucket.Records[0].Source.Text}");
    }

    private static void WriteFacts(TriageBucket bucket, TextWriter output)
    {
        if (bucket.FirstSeen is { } first && bucket.LastSeen is { } last)
        {
            output.WriteLine(first == last
                ? $"  captured {Moment(first)}"
                : $"  captured {Moment(first)} to {Moment(last)}, on {CountText.Of(bucket.Trend.Length, "day")}");
        }

        WriteNames("processes", bucket.Processes, output);
        WriteNames("machines", bucket.Machines, output);
        if (bucket.Builds.Length > 1)
        {
            output.WriteLine($"  in {bucket.Builds.Length.ToString(CultureInfo.InvariantCulture)} builds or versions of the modules that take part");
        }

        if (bucket.IsPerhapsSeveral)
        {
            output.WriteLine($"  {OverviewWords.PerhapsSeveral}");
        }

        if (!bucket.Tags.IsEmpty)
        {
            output.WriteLine($"  tags: {string.Join(", ", bucket.Tags)}");
        }
    }

    private static void WriteNames(string what, ImmutableArray<(string Name, int Count)> names, TextWriter output)
    {
        if (!names.IsEmpty)
        {
            string more = names.Length > MostNames ? string.Create(CultureInfo.InvariantCulture, $" and {names.Length - MostNames} more") : "";
            IEnumerable<string> shown = names.Take(MostNames).Select(n => string.Create(CultureInfo.InvariantCulture, $"{n.Name} ({n.Count})"));
            output.WriteLine($"  {what}: {string.Join(", ", shown)}{more}");
        }
    }

    private static void WriteOthers(TriageOverview overview, TextWriter output, TextStyle style) =>
        WriteList($"{OverviewWords.WithoutVerdict}, by the stack of the thread to look at first", overview.Others, MostOthers, "stack", "", output, style,
            bucket =>
        {
            output.WriteLine(
                $"{CountText.Of(bucket.Dumps, "dump"),-10} {string.Join(" < ", bucket.Signature.ClassText.Split('\n').Skip(1))}  "
                    + $"{style.Faint(bucket.Signature.ClassHash)}");
            output.WriteLine($"           example: {bucket.Records[0].Source.Text}");
        });

    private static void WriteUndecided(TriageOverview overview, TextWriter output, TextStyle style) =>
        WriteList(ReportWords.Undecided, overview.Undecided, int.MaxValue, "reason", "", output, style, group =>
        {
            output.WriteLine($"{CountText.Of(group.Records.Length, "dump"),-10} {MissingWords.Line(group.Missing)}");
            if (group.Missing.CaptureAdvice.Length > 0)
            {
                output.WriteLine($"           {MissingWords.Advice(group.Missing.CaptureAdvice)}");
            }
        });

    private static void WriteFailed(TriageOverview overview, TextWriter output, TextStyle style) =>
        WriteList(OverviewWords.Failed, overview.Failed, MostFailed, "dump", "  ", output, style, record =>
            output.WriteLine($"  {record.Source.Text}: {EnumText.Words(record.Outcome)}{(record.Reason is { } reason ? $": {reason}" : "")}"));

    private static void WritePassedOver(TriageOverview overview, TextWriter output, TextStyle style) =>
        WriteList(OverviewWords.PassedOver, overview.PassedOver, MostPassedOver, "warning", "  ", output, style, warning =>
            output.WriteLine($"  {warning.Path}: {warning.Message}"));

    /// <summary>Modules that somebody put into the processes of others.</summary>
    private static void WriteModules(TriageOverview overview, TextWriter output, TextStyle style) =>
        WriteList(OverviewWords.KnownModules, [.. overview.Modules.Where(m => m.KnownAs is not null)], MostModules, "module",
            "", output, style, module =>
            output.WriteLine(
                $"{CountText.Of(module.Dumps, "dump"),-10} {module.Name}, {module.KnownAs}: "
                    + $"{string.Join(", ", module.Versions.Take(MostNames).Select(v => v.Version ?? OverviewWords.UnknownVersion))}"));

    /// <summary>A heading and the first entries of a list, with how many are left out; nothing for an empty list.</summary>
    private static void WriteList<T>(
        string heading, ImmutableArray<T> entries, int most, string noun, string indentation, TextWriter output, TextStyle style, Action<T> write)
    {
        if (entries.IsEmpty)
        {
            return;
        }

        output.WriteLine();
        output.WriteLine(style.Heading(heading));
        foreach (T entry in entries.Take(most))
        {
            write(entry);
        }

        WriteLeftOut(entries.Length - most, noun, indentation, output);
    }

    private static void WriteLeftOut(int count, string noun, string indentation, TextWriter output)
    {
        if (count > 0)
        {
            output.WriteLine($"{indentation}... and {CountText.Of(count, noun)} more");
        }
    }

    private static string Moment(DateTime moment) => moment.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);
}
