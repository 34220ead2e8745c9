using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

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

    [Theory]
    [InlineData("StartAsync", "starting")]
    [InlineData("StartAsync.lambda", "starting")]
    [InlineData("StopAsync", "stopping")]
    public void Thread_that_blocks_in_a_service_leaves_the_answer_open(string method, string doing)
    {
        AnalysisResult result = HangAnalysis.Run(Blocking($"microsoft.extensions.hosting!Microsoft.Extensions.Hosting.Internal.Host.{method}").Build());
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.EndsWith($"the services of a host (Microsoft.Extensions.Hosting), which has not finished {doing},", wait.Role, StringComparison.Ordinal);
        Assert.Equal((1u, true), (wait.ThreadId, wait.LeavesUndecided));
        Assert.True(result.IsUndecidable);
    }

    /// <summary>Methods of other names, and of that name elsewhere.</summary>
    [Theory]
    [InlineData("microsoft.extensions.hosting!Microsoft.Extensions.Hosting.Internal.Host.StartAsyncCore")]
    [InlineData("microsoft.extensions.hosting!Microsoft.Extensions.Hosting.Internal.ConsoleLifetime.StopAsync")]
    [InlineData("app!Microsoft.Extensions.Hosting.Internal.Host.StartAsync")]
    public void Other_methods_start_no_host(string frame)
    {
        AnalysisResult result = HangAnalysis.Run(Blocking(frame).Build());
        Assert.DoesNotContain(result.OpenWaits, w => w.Role?.Contains("host", StringComparison.Ordinal) == true);
        Assert.False(result.IsUndecidable);
    }

    /// <summary>A service that polls, or waits for a limited time, goes on by itself.</summary>
    [Theory]
    [InlineData(WaitTimeout.Finite, 20_000L)]
    [InlineData(WaitTimeout.Finite, 100L)]
    public void Wait_with_a_limit_in_a_service_leaves_nothing_open(WaitTimeout timeout, long milliseconds)
    {
        const string Start = "microsoft.extensions.hosting!Microsoft.Extensions.Hosting.Internal.Host.StartAsync";
        Assert.False(HangAnalysis.Run(Blocking(Start, timeout, milliseconds).Build()).IsUndecidable);
    }

    private static SnapshotBuilder Blocking(string frame, WaitTimeout timeout = WaitTimeout.Infinite, long? milliseconds = null) => new SnapshotBuilder()
        .Thread(1, ThreadActivityKind.Waiting, ["ntdll!NtWaitForSingleObject", "app!Worker.StartAsync", frame, "app!Program.Main"])
        .Wait(1, new Resource(ResourceKind.Event, 0x58), timeout, milliseconds: milliseconds);
}
