using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Overviews of folders, made by hand: what they say does not depend on how dumps are grouped.</summary>
internal static class FolderScene
{
    private static readonly DateTime s_first = new(2024, 2, 27, 8, 0, 0, DateTimeKind.Utc);

    /// <summary>A small folder with every kind of outcome.</summary>
    public static TriageOverview Make()
    {
        TriageRecord[] cycle = [Found(1, "site a/hang-1.dmp", "two-verdicts", 0, "BUILD-07"), Found(2, "site a/hang-2.dmp", "two-verdicts", 2, "BUILD-07"),
            Found(3, "site b/old.zip", "two-verdicts", 2, null, "dumps/hang.dmp")];
        TriageRecord[] loader = [Found(4, "site b/exit.dmp", "load-ownership-likely", 1, "DESK-1")];
        TriageRecord[] suspected = [Found(5, "site b/maybe.dmp", "loader-lock-suspected", 3, null)];
        TriageRecord sound = Found(6, "site b/fine.dmp", "nothing-found", 3, "DESK-1");
        TriageRecord undecidable = Found(7, "site c/small.dmp", "no-times", 3, null);
        TriageRecord damaged = Failed(8, "site c/cut.dmp", TriageOutcome.Unreadable, "the file ends in the middle of its thread list");
        TriageRecord slow = Failed(9, "site c/slow.core", TriageOutcome.TimedOut, "it took longer than 60 s");
        KnownIssue known = new("Work in a detach callback", "The plug-in waits under the loader lock.", "https://example.org/detach?a=1&b=2");
        return new TriageOverview
        {
            Records = [.. cycle.Concat(loader).Concat(suspected).Append(sound).Append(undecidable).Append(damaged).Append(slow)
                .OrderBy(r => r.Source.Text, StringComparer.Ordinal)],
            Hangs = [Bucket(cycle, "cycle\n  thread waits critical section\n  server!Queue::Push", [], ["Locks"]), Bucket(loader, "loader", [known], []),
                Bucket(suspected, "perhaps", [], [])],
            Others = [Bucket([sound], "server!Idle", [], []), Bucket([undecidable], "server!Work", [], [])],
            Undecided = [.. undecidable.Report!.Missing.Concat(undecidable.Report.Unanswered.SelectMany(o => o.Missing)).Distinct()
                .Select(m => new UndecidedGroup(m, [undecidable]))],
            Failed = [damaged, slow],
            PassedOver =
            [
                new TriageGap(TriageGapKind.RunNotEnded, "machine-2/out",
                    "no run of triage has ended there (there is no summary), so dumps may be missing; call triage again to finish it"),
                new TriageGap(TriageGapKind.PartMissing, "machine-1/out", "part 2/3 of the dumps is missing: no such run has ended"),
                new TriageGap(TriageGapKind.RecordDamaged, "3f2c.json", "it is not JSON, or cut off"),
                new TriageGap(TriageGapKind.NotLookedAt, "site c/secret.zip!w3wp.dmp",
                    "it is encrypted, so it cannot be told whether it is a dump; unpack it first"),
            ],
            Modules =
            [
                new ModuleUse("hook64.dll", "Example Security", false, "security product", [("2.1.0.0", 3), (null, 1)], 4),
                new ModuleUse("ntdll.dll", "Microsoft Corporation", true, null, [("10.0.19041.1", 7)], 7),
                new ModuleUse("server.exe", null, null, null, [(null, 7)], 7),
            ],
        };
    }

    /// <summary>A group of records with one signature.</summary>
    public static TriageBucket Bucket(IReadOnlyList<TriageRecord> records, string text, ImmutableArray<KnownIssue> known, ImmutableArray<string> tags)
    {
        HangReport example = records[0].Report!;
        ReportedVerdict? verdict = example.Verdicts.IsEmpty ? null : example.Verdicts[0];
        DateTime[] times = [.. records.Select(r => r.Report!.Source.Captured).OfType<DateTime>()];
        string hash = "v4-" + records[0].Identity[^16..];
        return new TriageBucket
        {
            Signature = new HangSignature(verdict is null ? SignatureKind.Stack : SignatureKind.Verdict, 3, hash, text, hash, text + "\nserver.exe 1.0"),
            DetectorId = verdict?.DetectorId,
            Title = verdict?.Title ?? $"waits in {text}",
            Confidence = verdict?.Confidence,
            Records = [.. records],
            FirstSeen = times.Length == 0 ? null : times.Min(),
            LastSeen = times.Length == 0 ? null : times.Max(),
            Trend = [.. times.GroupBy(DateOnly.FromDateTime).OrderBy(g => g.Key).Select(g => (g.Key, g.Count()))],
            Processes = Counts(records.Select(r => r.Report!.Process.Name)),
            Machines = Counts(records.Select(r => r.Report!.Process.Machine)),
            Instances = [(text + "\nserver.exe 1.0", records.Count)],
            Builds = [("server.exe 1.0", records.Count)],
            Tags = tags,
            KnownIssues = known,
        };
    }

    /// <summary>An analysed dump.</summary>
    public static TriageRecord Record(int number, string path, HangReport report, string? member = null) => new()
    {
        Identity = number.ToString("x64", CultureInfo.InvariantCulture),
        Source = new TriageSource(path, member, 1_000_000L * number),
        Outcome = TriageOutcome.Analysed,
        ExitCode = report.Verdicts.IsEmpty ? 0 : 10,
        Tool = "0.1.0",
        Report = report,
    };

    /// <summary>A dump without report.</summary>
    public static TriageRecord Failed(int number, string path, TriageOutcome outcome, string reason) => new()
    {
        Identity = number.ToString("x64", CultureInfo.InvariantCulture),
        Source = new TriageSource(path, null, 4096),
        Outcome = outcome,
        Reason = reason,
        ExitCode = outcome == TriageOutcome.Unreadable ? 3 : null,
        Tool = "0.1.0",
    };

    /// <summary>A record of a scene.</summary>
    public static TriageRecord Found(int number, string path, string scene, int day, string? machine, string? member = null)
    {
        Scene made = NamedScenes.Made[scene]();
        HangReport report = HangReports.Of(made.Snapshot, made.Result, allStacks: false);
        return Record(number, path, report with { Source = report.Source with { Captured = s_first.AddDays(day) }, Process =
            report.Process with { Machine = machine } }, member);
    }

    private static ImmutableArray<(string, int)> Counts(IEnumerable<string?> names) =>
        [.. names.OfType<string>().GroupBy(n => n, StringComparer.Ordinal).OrderByDescending(g => g.Count()).ThenBy(g => g.Key, StringComparer.Ordinal)
            .Select(g => (g.Key, g.Count()))];
}
