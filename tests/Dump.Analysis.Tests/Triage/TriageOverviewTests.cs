using System.Globalization;
using System.Text.Json;
using Dump.Analysis.Merging;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests.Triage;

/// <summary>
/// The overview of a folder: groups with their times and places, what cannot be decided, what failed, modules; the same whatever the order of records.
/// </summary>
public sealed class TriageOverviewTests
{
    private static readonly DateTime s_day = new(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc);

    [Fact]
    public void Group_tells_when_where_and_in_which_process_it_was_seen()
    {
        TriageOverview overview = TriageOverviews.Of(
        [
            Hang(1, "Push", captured: s_day.AddDays(2), process: "b.exe", machine: "M2"),
            Hang(2, "Push", captured: s_day, process: "a.exe", machine: "M1"),
            Hang(3, "Push", captured: s_day.AddHours(3), process: "a.exe"),
            Hang(4, "Push", process: "a.exe", machine: "M1"),
            Hang(5, "Pop"),
        ]);
        TriageBucket bucket = overview.Hangs[0];
        Assert.Equal((s_day, s_day.AddDays(2)), (bucket.FirstSeen, bucket.LastSeen));
        Assert.Equal([(new DateOnly(2026, 1, 5), 2), (new DateOnly(2026, 1, 7), 1)], bucket.Trend.ToArray());
        Assert.Equal([("a.exe", 3), ("b.exe", 1)], bucket.Processes.ToArray());
        Assert.Equal([("M1", 2), ("M2", 1)], bucket.Machines.ToArray());
        Assert.Equal(["2", "3", "1", "4"], bucket.Records.Select(r => r.Source.Path[..1]));
        Assert.Equal([4, 1], overview.Hangs.Select(b => b.Records.Length));
        Assert.Null(overview.Hangs[1].FirstSeen);
    }

    [Fact]
    public void Strongest_confidence_comes_first_and_is_the_example()
    {
        TriageOverview overview = TriageOverviews.Of(
        [
            Hang(1, "Push", Confidence.Suspected), Hang(2, "Push", Confidence.Likely), Hang(3, "Push", Confidence.Suspected),
                Hang(4, "Pop", Confidence.Confirmed),
        ]);
        Assert.Equal([Confidence.Confirmed, Confidence.Likely], overview.Hangs.Select(b => b.Confidence!.Value));
        Assert.Equal("2.dmp", overview.Hangs[1].Records[0].Source.Path);
    }

    [Fact]
    public void Dump_in_several_folders_counts_once_with_its_best_record()
    {
        TriageRecord good = Hang(1, "Push"), failed = Failed(1), elsewhere = good with { Source = new TriageSource("z.dmp", null, 5) }, newer =
            good with { Tool = "test 2" };
        Assert.Same(good.Report!.Verdicts[0].Title, Assert.Single(TriageOverviews.Of([failed, good]).Records).Report!.Verdicts[0].Title);
        Assert.Empty(TriageOverviews.Of([failed, good]).Failed);
        Assert.Equal("1.dmp", Assert.Single(TriageOverviews.Of([elsewhere, good]).Records).Source.Path);
        Assert.Equal("test 2", Assert.Single(TriageOverviews.Of([good, newer, elsewhere]).Records).Tool);
        TriageRecord nine = good with { Tool = "dumpanalyze 0.9.0 build ff" }, ten = good with { Tool = "dumpanalyze 0.10.0 build 11" }, odd =
            good with { Tool = "zzz" };
        Assert.Equal(ten.Tool, Assert.Single(TriageOverviews.Of([nine, odd, ten]).Records).Tool);
        Assert.Equal("dumpanalyze 0.10.0 build 12", Assert.Single(TriageOverviews.Of([ten with { Tool = "dumpanalyze 0.10.0 build 12" }, ten]).Records).Tool);
    }

    [Fact]
    public void Verdict_that_a_dump_is_grouped_by_comes_first_in_its_report()
    {
        TriageRecord hang = Hang(1, "Push");
        ReportedVerdict cycle = hang.Report!.Verdicts[0];
        ReportedVerdict orphan = cycle with { DetectorId = "DUMP1003", Title = "Orphaned lock" }, loader =
            cycle with { DetectorId = "DUMP1001", Title = "Loader-lock deadlock", Confidence = Confidence.Likely };
        TriageOverview overview = TriageOverviews.Of([hang with { Report = hang.Report with { Verdicts = [orphan, cycle, loader] } }]);
        Assert.Equal(("DUMP1002", "DUMP1002"), (overview.Hangs[0].DetectorId, overview.Hangs[0].Signature.ClassText.Split('\n')[0]));
        Assert.Equal(["DUMP1002", "DUMP1003", "DUMP1001"], overview.Hangs[0].Records[0].Report!.Verdicts.Select(v => v.DetectorId));
        Assert.Same(overview.Records[0], overview.Hangs[0].Records[0]);
    }

    [Fact]
    public void Lacks_are_grouped_however_many_threads_they_concern_and_decided_dumps_are_not_there()
    {
        MissingData one = MissingData.Of(MissingKind.LaterMomentOfThreads, 1), two = MissingData.Of(MissingKind.LaterMomentOfThreads, 2),
            handles = MissingData.Of(MissingKind.HandleData);
        TriageOverview overview = TriageOverviews.Of([Undecided(1, two), Undecided(2, one, handles), Undecided(3, two),
            Hang(4, "Push") with { Report = Hang(4, "Push").Report! with { Missing = [handles] } }]);
        Assert.Equal([(MissingKind.LaterMomentOfThreads, 1, 3), (MissingKind.HandleData, null, 1)],
            overview.Undecided.Select(g => (g.Missing.Kind, g.Missing.Count, g.Records.Length)));
        Assert.Equal((3, 0), (overview.Undecidable, overview.Sound));
    }

    [Fact]
    public void Lacks_of_one_kind_are_told_apart_by_what_they_are_of_and_those_of_old_records_by_their_words_without_numbers()
    {
        MissingData Lock(string module) => MissingData.Of(MissingKind.StartupLockOwner, subject: module, detail: "its memory is not in the dump");
        MissingData old = new("the stacks of 3 threads", "unknown", "procdump -ma"), other = new("the stacks of 5 threads", "unknown", "procdump -ma");
        TriageOverview overview = TriageOverviews.Of(
            [Undecided(1, Lock("a.dll")), Undecided(2, Lock("b.dll")), Undecided(3, Lock("a.dll")), Undecided(4, old), Undecided(5, other), Undecided(6, old)]);
        Assert.Equal([3, 2, 1], overview.Undecided.Select(g => g.Records.Length));
    }

    [Fact]
    public void One_lack_that_another_capture_supplies_is_another_group()
    {
        TriageOverview overview = TriageOverviews.Of(
        [
            Undecided(1, MissingData.Of(MissingKind.LockMemory)), Undecided(2, MissingData.Of(MissingKind.LockMemory, capture: CaptureKind.AnotherDump)),
            Undecided(3, MissingData.Of(MissingKind.LockMemory)),
        ]);
        Assert.Equal([(2, CaptureKind.FullDump), (1, CaptureKind.AnotherDump)], overview.Undecided.Select(g => (g.Records.Length, g.Missing.Capture)));
    }

    [Fact]
    public void Modules_are_counted_by_dump_and_those_of_others_come_first()
    {
        ReportedModule[] system = [new("ntdll.dll", "10.0.1", "Microsoft", true), new("NTDLL.DLL", "10.0.1", null, true)];
        TriageOverview overview = TriageOverviews.Of(
        [
            With(Hang(1, "Push"), [.. system, new("shop.dll", "1.0", null, false)]),
            With(Hang(2, "Push"), [.. system, new("Shop.dll", "2.0", "Shop Inc.", false), new("InProcessClient64.dll", null, null, false)]),
            With(Hang(3, "Push"), [.. system, new("shop.dll", "2.0", null, false)]),
        ]);
        Assert.Equal(["InProcessClient64.dll", "shop.dll", "ntdll.dll"], overview.Modules.Select(m => m.Name));
        Assert.Equal("a security product of SentinelOne", overview.Modules[0].KnownAs);
        Assert.Equal([(null, 1)], overview.Modules[0].Versions.ToArray());
        Assert.Equal([("2.0", 2), ("1.0", 1)], overview.Modules[1].Versions.ToArray());
        Assert.Equal(("Shop Inc.", 3), (overview.Modules[1].Vendor, overview.Modules[1].Dumps));
        Assert.Equal(3, overview.Modules[2].Dumps);
    }

    [Theory]
    [InlineData(0x10, 0x20, "5F000000a000", "5F000000a000", 1, true)] // Two places in one build: perhaps two defects.
    [InlineData(0x10, 0x10, "5F000000a000", "5F000000a000", 1, false)]
    [InlineData(0x10, 0x20, "5F000000a000", "60000000b000", 2, false)] // Another build has its functions elsewhere.
    [InlineData(0x10, 0x20, null, null, 1, true)] // Of which builds they are is unknown, so it may be one.
    public void Functions_without_names_at_different_places_of_one_build_are_perhaps_several_defects(int first, int second, string? firstBuild,
        string? secondBuild, int builds, bool several)
    {
        TriageOverview overview = TriageOverviews.Of([Unnamed(1, first, firstBuild), Unnamed(2, second, secondBuild)]);
        TriageBucket bucket = Assert.Single(overview.Hangs);
        Assert.Equal(2, bucket.Records.Length);
        Assert.Equal((builds, several), (bucket.Builds.Length, bucket.IsPerhapsSeveral));

        TriageRecord Unnamed(int number, int place, string? build)
        {
            HangReport report = With(Hang(number, "Push"), [new("shop.dll", "1.0", null, false) { Build = build }]).Report!;
            ReportedVerdict verdict = report.Verdicts[0];
            ReportedStack stack = new((uint)number, null, [new ReportedFrame(0, "shop.dll", null, null, (ulong)place, FrameTrust.Context)]);
            return Hang(number, "Push") with { Report = report with { Verdicts = [verdict with { Stacks = [stack] }] } };
        }
    }

    [Theory]
    [InlineData(0x10, 0x20, 0x99, 0x99, false)] // Caught at two instructions of one loop.
    [InlineData(0x10, 0x10, 0x98, 0x99, true)] // Called from two places.
    public void Where_a_thread_that_runs_was_caught_makes_no_other_defect(int first, int second, int firstCaller, int secondCaller, bool several)
    {
        TriageBucket bucket = Assert.Single(TriageOverviews.Of([Runaway(1, first, firstCaller), Runaway(2, second, secondCaller)]).Hangs);
        Assert.Equal((2, several), (bucket.Records.Length, bucket.IsPerhapsSeveral));

        static TriageRecord Runaway(int number, int place, int caller)
        {
            HangReport report = With(Hang(number, "Push"), [new("shop.exe", "1.0", null, false) { Build = "5F000000a000" }]).Report!;
            ReportedStack stack = new(
                (uint)number, null,
                [new ReportedFrame(0, "shop.exe", null, null, (ulong)place, FrameTrust.Context),
                    new ReportedFrame(1, "sums.dll", null, null, (ulong)caller, FrameTrust.UnwindInfo)]);
            return Hang(number, "Push") with { Report = report with { Verdicts =
                [report.Verdicts[0] with { DetectorId = "DUMP2002", Title = "Runaway thread", Chain = [], Stacks = [stack] }] } };
        }
    }

    [Fact]
    public void Failed_and_sound_dumps_are_no_groups()
    {
        TriageOverview overview = TriageOverviews.Of([Failed(2), Failed(1), Sound(3)]);
        Assert.Equal(["1.dmp", "2.dmp"], overview.Failed.Select(r => r.Source.Path));
        Assert.Empty(overview.Hangs);
        Assert.Equal((1, 0), (overview.Sound, overview.Undecidable));
    }

    [Fact]
    public void Order_of_records_does_not_matter()
    {
        MissingData lack = new("handles", "unknown", "procdump -ma");
        TriageRecord[] records =
        [
            .. Enumerable.Range(1, 30).Select(i => With(Hang(i, i % 4 == 0 ? "Push" : "Pop", (Confidence)(i % 3), s_day.AddHours(i % 5), $"{i % 3}.exe",
                $"M{i % 2}"), [new("shop.dll", $"{i % 3}.0", null, false)])),
            Failed(31), Undecided(32, lack), Sound(33), Failed(1), Hang(2, "Other") with { Tool = "test 2" },
        ];
        string expected = JsonSerializer.Serialize(TriageOverviews.Of(records));
        Random random = new(11);
        for (int i = 0; i < 10; i++)
        {
            random.Shuffle(records);
            Assert.Equal(expected, JsonSerializer.Serialize(TriageOverviews.Of(records)));
        }
    }

    private static TriageRecord Hang(int number, string function, Confidence confidence = Confidence.Confirmed, DateTime? captured = null, string? process =
        null, string? machine = null) => Record(number, new HangReport
    {
        Source = new ReportedSource("a.dmp", "test", null, captured, null),
        Process = new ReportedProcess { Name = process, Machine = machine },
        Verdicts =
        [
            new ReportedVerdict
            {
                DetectorId = "DUMP1002",
                Title = "Lock-cycle deadlock",
                Confidence = confidence,
                Chain = [new ChainLink((uint)number, new Resource(ResourceKind.Mutex, (ulong)number), "a mutex", (uint)number, true, Grade.Proven,
                    WaitTimeout.Infinite, [])],
                Stacks = [new ReportedStack((uint)number, null, [new ReportedFrame(0, "shop.dll", function, 0, 0, FrameTrust.Context)])],
                Threads = [(uint)number],
            },
        ],
    });

    private static TriageRecord Undecided(int number, params MissingData[] missing) => Record(number, new HangReport
    {
        Source = new ReportedSource("a.dmp", "test", null, null, null),
        IsUndecidable = true,
        Missing = [missing[0]],
        Detectors = [new DetectorOutcome("DUMP1001", "Loader-lock deadlock", DetectorOutcomeKind.InsufficientData, [.. missing], null)],
    });

    private static TriageRecord Sound(int number) => Record(number, new HangReport { Source = new ReportedSource("a.dmp", "test", null, null, null) });

    private static TriageRecord With(TriageRecord record, ReportedModule[] modules) => record with { Report = record.Report! with { Modules = [.. modules] } };

    private static TriageRecord Failed(int number) => Record(number, null) with { Outcome = TriageOutcome.Unreadable, Reason = "no dump" };

    private static TriageRecord Record(int number, HangReport? report) => new()
    {
        Identity = number.ToString("x64", CultureInfo.InvariantCulture),
        Source = new TriageSource(string.Create(CultureInfo.InvariantCulture, $"{number}.dmp"), null, 5),
        Outcome = TriageOutcome.Analysed,
        Tool = "test 1",
        Report = report,
    };
}
