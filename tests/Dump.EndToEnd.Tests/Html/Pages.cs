using System.Globalization;
using Dump.Analysis;
using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Reports;
using Dump.Reports.Html;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.Html;

/// <summary>Pages made of the committed dumps.</summary>
internal static class Pages
{
    private static readonly Lazy<HangReport[]> s_reports = new(() => [.. Fixture.All.Select(Report)]);

    /// <summary>The page on a dump.</summary>
    /// <param name="fixture">Name of the dump.</param>
    public static string OfDump(string fixture) => Text(output => HangReportPage.Write(Report(Fixture.Named(fixture)), output));

    /// <summary>
    /// The page on a folder that has each of the committed dumps many times, captured on different days on different machines, and one dump in twenty that
    /// failed.
    /// </summary>
    /// <param name="dumps">Number of dumps.</param>
    /// <param name="change">Changes the reports; null for none.</param>
    public static string OfFolder(int dumps, Func<HangReport, HangReport>? change = null)
    {
        TriageOverview overview = TriageOverviews.Of(Enumerable.Range(0, dumps).Select(i => Record(i, change ?? (r => r))));
        return Text(output => OverviewPage.Write(overview, output));
    }

    private static TriageRecord Record(int number, Func<HangReport, HangReport> change)
    {
        const int FailedOf = 20;
        HangReport report = s_reports.Value[number % s_reports.Value.Length];
        DateTime captured = new DateTime(2026, 9, 1, 0, 0, 0, DateTimeKind.Utc).AddHours(number * 37 % 1441);
        bool hasFailed = number % FailedOf == FailedOf - 1;
        return new TriageRecord
        {
            Identity = number.ToString("x64", CultureInfo.InvariantCulture),
            Source = new TriageSource(string.Create(CultureInfo.InvariantCulture, $"site-{number % 7}/{number:00000}-{report.Source.DisplayName}"), null,
                100_000 + number),
            Outcome = hasFailed ? TriageOutcome.TimedOut : TriageOutcome.Analysed,
            Reason = hasFailed ? "it took longer than 60 s" : null,
            Tool = "0.1.0",
            Report = hasFailed ? null : change(report with { Process = report.Process with { Machine =
                string.Create(CultureInfo.InvariantCulture, $"BUILD-{number % 23:00}") }, Source = report.Source with { Captured = captured } }),
        };
    }

    private static HangReport Report(Fixture fixture)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(File.ReadAllBytes(fixture.Path));
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, fixture.File);
        return HangReports.Of(snapshot, HangAnalysis.Run(snapshot), allStacks: true);
    }

    private static string Text(Action<TextWriter> write)
    {
        using StringWriter text = new() { NewLine = "\n" };
        write(text);
        return text.ToString();
    }
}
