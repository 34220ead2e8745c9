using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports.Merging;

/// <summary>A line for each dump of a folder: its name, what was answered, and where to look.</summary>
public static class DumpTable
{
    private const int WidestName = 48;
    private const string Dump = "DUMP", Answer = "ANSWER", LookAt = "LOOK AT";

    /// <summary>Writes it, the strongest answers first, and what leads on from there.</summary>
    /// <param name="records">The records of the dumps.</param>
    /// <param name="copies">Further places where the same dumps lie.</param>
    /// <param name="notLookedAt">Files and folders that may hold dumps and could not be looked at.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    public static void Write(IReadOnlyCollection<TriageRecord> records, int copies, int notLookedAt, TextWriter output, TextStyle style)
    {
        TableRow[] rows = [.. records.OrderBy(r => Order(r.Answer)).ThenBy(r => r.Source.Text, StringComparer.Ordinal).Select(TableRow.Of)];
        int names = Math.Clamp(rows.Max(r => r.Name.Length), Dump.Length, WidestName);
        int answers = Math.Max(rows.Max(r => r.Answer.Length), Answer.Length);
        output.WriteLine(style.Faint($"{Dump.PadRight(names)}  {Answer.PadRight(answers)}  {LookAt}"));
        foreach (TableRow row in rows)
        {
            string answer = row.Answer.PadRight(row.LookAt.Length > 0 ? answers : 0);
            string marked = row.Confidence switch
            {
                null => answer,
                Confidence.Suspected => style.Warning(answer),
                _ => style.Alarm(answer),
            };
            output.WriteLine($"{row.Name.PadRight(names)}  {marked}{(row.LookAt.Length > 0 ? $"  {row.LookAt}" : "")}");
        }

        output.WriteLine();
        output.WriteLine($"{CountText.Of(records.Count, "dump")}: "
            + string.Join(", ", records.CountBy(r => r.Answer).OrderBy(p => Order(p.Key)).Select(p => $"{p.Value} {p.Key}"))
            + (copies == 0 ? "" : $"; {copies} {(copies == 1 ? "copy" : "copies")} not listed")
            + (notLookedAt == 0 ? "" : $"; {CountText.Of(notLookedAt, "place")} not looked at") + ".");
        output.WriteLine("One of them: dumpanalyze FILE. Each hang once, with a page: dumpanalyze triage DIR --out OUT, then dumpanalyze merge OUT --html PAGE.html");
    }

    /// <summary>The code to look at, in one line; empty where a verdict names none.</summary>
    public static string PlaceOf(ReportedVerdict verdict) =>
        verdict is { Culprit: { } culprit, LookAt.IsEmpty: true } ? culprit.Module
        : string.Join("; ", verdict.LookAt.Select(p => p.Text).Concat(verdict.AsyncMethods).Distinct());

    private static int Order(string answer) => TriageAnswers.All.IndexOf(answer);

    /// <param name="Name">The dump.</param>
    /// <param name="Answer">What was answered.</param>
    /// <param name="LookAt">The code to look at, or why there is no more; empty for none.</param>
    /// <param name="Confidence">That of the verdict; null without one.</param>
    private sealed record TableRow(string Name, string Answer, string LookAt, Confidence? Confidence)
    {
        public static TableRow Of(TriageRecord record) => record.Report switch
        {
            null => new TableRow(record.Source.Text, EnumText.Words(record.Outcome), record.Reason ?? "", null),
            { Verdicts: [var verdict, ..] } report => new TableRow(
                record.Source.Text, $"{verdict.DetectorId} {verdict.Title} ({verdict.Confidence})", PlaceOf(verdict), verdict.Confidence),
            var report => new TableRow(record.Source.Text, record.Answer,
                report.OpenWaits.Select(w => w.LookAt).OfType<ReportedFrame>().FirstOrDefault() is { } frame ? FrameWords.Own(frame).Code : MissingOf(report), null),
        };

        private static string MissingOf(HangReport report) =>
            report.Causes is [var missing, ..] ? MissingWords.Line(missing) : "";
    }
}
