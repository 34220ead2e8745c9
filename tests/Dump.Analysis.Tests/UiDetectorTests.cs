using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>What holds for DUMP4001 to DUMP4004 alike.</summary>
public sealed class UiDetectorTests
{
    [Theory]
    [InlineData("DUMP4001")]
    [InlineData("DUMP4002")]
    [InlineData("DUMP4003")]
    [InlineData("DUMP4004")]
    public void Without_stacks_the_question_is_open(string detector)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { Stacks = false } }.Thread(1).Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == detector).Kind);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(Hung)]
    public void Healthy_loops_and_workers_get_no_verdict(string? comment)
    {
        SnapshotBuilder builder = new SnapshotBuilder { Comment = comment }
            .Thread(1, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32)
            .Thread(2, ThreadActivityKind.Idle, UiThreadStacks.ModalDialog)
            .Thread(3, ThreadActivityKind.Waiting, UiThreadStacks.MovingWindow).Wait(3, new Resource(ResourceKind.WindowMessage, 0, 3), WaitTimeout.Unknown)
            .Thread(4, frames: [.. UiThreadStacks.EventWait, "user32!EnumWindows", "app!Worker"]).Wait(4, Event)
            .Thread(5, frames: [.. UiThreadStacks.EventWait, "lockmanager!EnterCriticalSection", "app!UiThread"]).Wait(5, Event)
            .Thread(6, ThreadActivityKind.Idle, [.. UiThreadStacks.StaWait, "app!Worker"]);
        Assert.Null(Only(builder));
    }
}
