using System.Collections.Immutable;
using System.Text.Json;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Triage.Tests.Runs;

/// <summary>What the ends of all dumps come to: the exit code and the line of progress.</summary>
public sealed class CountsTests
{
    public static TheoryData<Confidence, bool, Confidence, int> Verdicts => new()
    {
        { Confidence.Confirmed, true, Confidence.Confirmed, 10 },
        { Confidence.Likely, false, Confidence.Likely, 11 },
        { Confidence.Likely, false, Confidence.Confirmed, 0 },
        { Confidence.Likely, true, Confidence.Confirmed, 13 },
        { Confidence.Suspected, false, Confidence.Suspected, 12 },
        { Confidence.Suspected, false, Confidence.Likely, 0 },
        { Confidence.Suspected, true, Confidence.Likely, 13 },
    };

    [Theory]
    [MemberData(nameof(Verdicts))]
    public void Verdict_below_the_level_is_no_all_clear_where_data_are_missing(Confidence found, bool lacksData, Confidence failOn, int exitCode) =>
        Assert.Equal(exitCode, AnswerExitCode.Of(new TriageCounts().With(Summary(TriageOutcome.Analysed, false, lacksData, found)), failOn));

    [Theory]
    [MemberData(nameof(Verdicts))]
    public void Overview_counts_like_the_run(Confidence found, bool lacksData, Confidence failOn, int exitCode)
    {
        HangReport report = new()
        {
            Source = new ReportedSource("x", "k", null, null, null),
            Verdicts = [new ReportedVerdict { DetectorId = "DUMP1001", Title = "", Confidence = found }],
            Detectors = lacksData ? [new DetectorOutcome("DUMP1002", "", DetectorOutcomeKind.Failed, [], "x")] : [],
        };
        TriageRecord record = new() { Identity = "", Source = new TriageSource("x", null, null), Outcome = TriageOutcome.Analysed, Tool = "", Report = report };
        Assert.Equal(exitCode, AnswerExitCode.Of(TriageCounts.Of(new TriageOverview { Records = [record] }), failOn));
    }

    [Theory]
    [InlineData(TriageOutcome.Analysed, false, 0)]
    [InlineData(TriageOutcome.Analysed, true, 13)]
    [InlineData(TriageOutcome.Unreadable, false, 13)]
    [InlineData(TriageOutcome.TimedOut, false, 13)]
    [InlineData(TriageOutcome.Refused, false, 13)]
    public void Dump_without_an_answer_is_no_all_clear(TriageOutcome outcome, bool isUndecidable, int exitCode) =>
        Assert.Equal(exitCode, AnswerExitCode.Of(new TriageCounts().With(Summary(outcome, isUndecidable, isUndecidable)), Confidence.Likely));

    [Fact]
    public void Place_that_could_not_be_looked_at_is_no_all_clear()
    {
        Assert.Equal(13, AnswerExitCode.Of(new TriageCounts { NotLookedAt = 1 }, Confidence.Likely));
        Assert.Equal(11, AnswerExitCode.Of(new TriageCounts { Records = 1, Likely = 1, NotLookedAt = 1 }, Confidence.Likely));
    }

    [Theory]
    [InlineData("Detected", false)]
    [InlineData("NotDetected", false)]
    [InlineData("InsufficientData", true)]
    [InlineData("Failed", true)]
    public void Detectors_without_an_answer_are_read_from_the_report(string outcome, bool lacksData)
    {
        using var report = JsonDocument.Parse(
            $$"""{"undecidable":false,"process":{"name":"p"},"detectors":[{"outcome":"{{outcome}}"}],"verdicts":[{"id":"DUMP1001","title":"t","confidence":"Likely"},{"id":1}]}""");
        var summary = RecordSummary.Of(Summary(TriageOutcome.Analysed, false, false).Record with { Report = report.RootElement });
        Assert.Equal((lacksData, "p"), (summary.LacksData, summary.Process));
        Assert.Equal(("DUMP1001", "t", Confidence.Likely), Assert.Single(summary.Verdicts));
    }

    [Fact]
    public void Strongest_of_all_decides()
    {
        TriageCounts counts = new TriageCounts().With(Summary(TriageOutcome.Crashed, false, false))
            .With(Summary(TriageOutcome.Analysed, false, true, Confidence.Suspected, Confidence.Likely));
        Assert.Equal(11, AnswerExitCode.Of(counts, Confidence.Suspected));
        Assert.Equal((2, 1, 1), (counts.Records, counts.WithVerdict, counts.Failed));
    }

    [Fact]
    public void Progress_says_how_far_how_fast_and_what_was_found()
    {
        TriageCounts counts = new() { Records = 30, Confirmed = 2, Likely = 1, Undecidable = 4, NothingFound = 20 };
        Assert.Equal(
            "30 of 100 dumps, 2.0 a second, 35 s left: 3 with a verdict, 4 undecidable, 3 failed",
            TriageProgressOutput.Text(new TriageProgress(100, false, 10, counts, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(34.2))));
        Assert.Equal("searching: 7 dumps so far", TriageProgressOutput.Text(new TriageProgress(7, true, 0, new TriageCounts(), TimeSpan.Zero, null)));
    }

    private static RecordSummary Summary(TriageOutcome outcome, bool isUndecidable, bool lacksData, params ImmutableArray<Confidence> verdicts) => new(
        new RecordContent { Identity = "", Sources = [new TriageSource("x", null, null)], Outcome = outcome, Tool = "" },
        null,
        null,
        isUndecidable,
        lacksData,
        [.. verdicts.Select(v => ("DUMP1001", "", v))]);
}
