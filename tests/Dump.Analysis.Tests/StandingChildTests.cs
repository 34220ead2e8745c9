using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Children of a living process that cannot go on: told, and never "no hang found", where the process may wait for them.</summary>
public sealed class StandingChildTests
{
    private static AnalysisResult Run(bool isConnected, bool isAwaited, bool stands = true)
    {
        SnapshotBuilder builder = new SnapshotBuilder()
            .Thread(1, isAwaited ? ThreadActivityKind.Waiting : ThreadActivityKind.SystemCall, ["libc", "app!App.Program.Main"])
            .With(t => t with { ManagedId = 1 });
        if (isAwaited)
        {
            builder.Wait(1, new Resource(ResourceKind.Process, 0x100), WaitTimeout.Infinite);
        }

        ProcessSnapshot snapshot = builder.Build();
        return HangAnalysis.Run(snapshot with
        {
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            StandingChildren = stands ? [new StandingChild("process 7 (cat)", "is stopped by a signal", isConnected)] : [],
        });
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Stopped_child_that_is_waited_for_or_connected_leaves_the_answer_open(bool isConnected, bool isAwaited)
    {
        AnalysisResult result = Run(isConnected, isAwaited);
        OpenWait wait = Assert.Single(result.OpenWaits, w => w.ThreadId is null);
        Assert.StartsWith("Child process 7 (cat) is stopped by a signal. ", wait.Activity, StringComparison.Ordinal);
        Assert.True(wait.LeavesUndecided && result.IsUndecidable);
    }

    [Fact]
    public void Stopped_child_that_nothing_leads_to_is_told_and_leaves_nothing_open()
    {
        AnalysisResult result = Run(isConnected: false, isAwaited: false);
        Assert.False(result.IsUndecidable);
        OpenWait wait = Assert.Single(result.OpenWaits, w => w.ThreadId is null);
        Assert.Equal("Child process 7 (cat) is stopped by a signal. Nothing shows that this process waits for it.", wait.Activity);
    }

    [Fact]
    public void Without_one_nothing_is_said() => Assert.False(Run(isConnected: true, isAwaited: true, stands: false).IsUndecidable);
}
