using Dump.Model.Facts;
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

    /// <summary>A wait for this child or any, and the child's for room in a pipe that only this process reads: two that wait for each other.</summary>
    [Theory]
    [InlineData(7ul, 7u, true, false, Confidence.Likely)]
    [InlineData(0ul, 7u, true, false, Confidence.Likely)]
    [InlineData(7ul, 7u, true, true, Confidence.Suspected)]
    [InlineData(7ul, 7u, false, false, Confidence.Suspected)]
    [InlineData(8ul, 7u, true, false, null)]
    [InlineData(7ul, null, true, false, null)]
    public void Child_that_writes_to_who_waits_for_its_end_is_a_deadlock(ulong awaited, uint? writes, bool isDirect, bool hasOther, Confidence? expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, frames: ["libc!wait4", "app!main"])
            .Wait(1, new Resource(ResourceKind.ChildProcess, awaited), WaitTimeout.Infinite);
        ProcessSnapshot snapshot = (hasOther ? builder.Thread(2, frames: ["libc!read", "app!reads"]) : builder).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with
        {
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            StandingChildren = [new StandingChild("process 7 (yes)", "waits to write to pipe:[1], which is full and which this process reads", true)
                { WritesBelow = writes, IsDirect = isDirect }],
        });
        Assert.Equal(expected, result.Verdicts.SingleOrDefault(v => v.DetectorId == "DUMP1002")?.Confidence);
    }

    /// <summary>Each holds the lock of a file that the other wants; other threads may release them.</summary>
    [Theory]
    [InlineData(true, false, WaitTimeout.Infinite, Confidence.Likely)]
    [InlineData(false, false, WaitTimeout.Infinite, Confidence.Suspected)]
    [InlineData(true, true, WaitTimeout.Infinite, Confidence.Suspected)]
    [InlineData(true, false, WaitTimeout.Finite, null)]
    public void Two_processes_with_crossed_locks_of_files_are_a_deadlock(bool isAlone, bool hasOther, WaitTimeout timeout, Confidence? expected)
    {
        Resource wanted = new(ResourceKind.FileLock, 3);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, frames: ["libc!flock", "app!main"]).Wait(1, wanted, timeout);
        ProcessSnapshot snapshot = (hasOther ? builder.Thread(2, frames: ["libc!read", "app!reads"]) : builder).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with
        {
            System = snapshot.System with { Family = OperatingSystemFamily.Linux }, CrossedProcesses = [new CrossedProcess(wanted, "process 7 'make'", isAlone)],
        });
        Assert.Equal(expected, result.Verdicts.SingleOrDefault(v => v.DetectorId == "DUMP1002")?.Confidence);
    }
}
