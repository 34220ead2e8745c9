using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Tests;

/// <summary>A host that has not finished starting or stopping is told, and leaves the answer open unless it goes on by itself or a verdict explains it.</summary>
public sealed class HostTransitionTests
{
    private static readonly AwaitingMethod s_method = new("App.Worker.StartAsync", 1) { Source = new SourceLocation("/src/Worker.cs", 12) };

    private static AnalysisResult Run(SnapshotBuilder builder, HostTransition host)
    {
        ProcessSnapshot snapshot = builder.Build();
        return HangAnalysis.Run(snapshot with
        {
            AsyncWaits = new AsyncWaits { Hosts = [host] },
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
        });
    }

    private static SnapshotBuilder Idle() => new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, ["libc"]).With(t => t with { ManagedId = 1 });

    [Theory]
    [InlineData(true, null, "starting: it waits, in App.Worker.StartAsync Worker.cs:12, for a task or a semaphore that nobody is known to end.")]
    [InlineData(false, null, "stopping: it waits, in App.Worker.StartAsync Worker.cs:12, for a task or a semaphore that nobody is known to end.")]
    [InlineData(true, "a socket", "starting: it waits, in App.Worker.StartAsync Worker.cs:12, for a socket.")]
    public void Host_that_waits_for_others_leaves_the_answer_open(bool isStart, string? end, string words)
    {
        AnalysisResult result = Run(Idle(), new HostTransition(0x40, isStart) { Method = s_method, End = end });
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal("The host (Microsoft.Extensions.Hosting) has not finished " + words, wait.Activity);
        Assert.True(wait.LeavesUndecided);
        Assert.True(result.IsUndecidable);
        Assert.Contains(result.Outcomes, o => o.Missing.Any(m => m.What == $"a later moment of a host that has not finished {(isStart ? "starting" : "stopping")} "
            + "(What it waits for)"));
        Assert.DoesNotContain(result.Outcomes, o => o.Missing.Any(m => m.What.Contains("completion source", StringComparison.Ordinal)));
    }

    [Fact]
    public void Host_that_goes_on_by_itself_is_told_and_leaves_nothing_open()
    {
        AnalysisResult result = Run(Idle(), new HostTransition(0x40, true) { End = "Task.Delay", EndsByItself = true });
        Assert.Equal(
            "The host (Microsoft.Extensions.Hosting) has not finished starting: it waits for what ends by itself (Task.Delay).",
            Assert.Single(result.OpenWaits).Activity);
        Assert.False(result.IsUndecidable);
    }
}
