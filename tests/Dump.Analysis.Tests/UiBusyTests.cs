using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>DUMP4004: handlers that use processor time.</summary>
public sealed class UiBusyTests
{
    [Fact]
    public void Busy_handler_is_suspected() => Is("DUMP4004", Confidence.Suspected, Only(Handler([], null, ThreadActivityKind.Running, Busy)));

    [Fact]
    public void Busy_handler_of_a_hung_window_is_likely() => Is("DUMP4004", Confidence.Likely, Only(Handler([], Hung, ThreadActivityKind.Running, Quiet)));

    [Theory]
    [InlineData(true, "DUMP4004")]
    [InlineData(false, null)] // A late answer of a thread that computes is a moment.
    public void Handler_that_runs_while_Windows_calls_its_window_hung_is_likely(bool isHung, string? expected)
    {
        Verdict? verdict = Only(Handler([], null, ThreadActivityKind.Running, Quiet).With(t => t with { UnansweredWindow = Unanswered(isHung) }));
        Assert.Equal((expected, expected is null ? (Confidence?)null : Confidence.Likely), (verdict?.DetectorId, verdict?.Confidence));
    }

    /// <summary>A thread that computes is now and then met in a system call; one that stands in it has used no time.</summary>
    [Fact]
    public void Busy_handler_met_in_a_system_call_is_suspected()
    {
        Is("DUMP4004", Confidence.Suspected, Only(Handler([], null, ThreadActivityKind.SystemCall, Busy)));
        Assert.NotEqual("DUMP4004", Only(Handler([], null, ThreadActivityKind.SystemCall, Quiet))?.DetectorId);
    }

    [Fact]
    public void Handler_caught_running_is_none() => Assert.Null(Only(Handler([], null, ThreadActivityKind.Running, Quiet)));

    [Fact]
    public void Without_times_a_running_handler_is_open()
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { ThreadTimes = false } }.Thread(1,
            ThreadActivityKind.Running, UiThreadStacks.Exports()).Build());
        Assert.Empty(result.Verdicts);
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP4004").Kind);
    }
}
