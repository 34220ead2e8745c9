using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>What the .NET runtime waits for: told without a verdict, and only where it is so.</summary>
public sealed class RuntimeOpenWaitTests
{
    private static readonly string[] s_finalizer = ["system.private.corelib!System.Threading.Thread.Sleep", "app!App.Files.Close", "app!App.File.Finalize"];

    private static AnalysisResult Run(SnapshotBuilder builder)
    {
        ProcessSnapshot snapshot = builder.Build();
        return HangAnalysis.Run(snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux } });
    }

    private static SnapshotBuilder Returned(bool hasReturned = true, bool? isForeground = true) => new SnapshotBuilder()
        .Thread(1, frames: ["libc"]).With(t => t with { ManagedId = 1, HasReturnedFromMain = hasReturned, IsForeground = false })
        .Thread(2, ThreadActivityKind.Sleeping, ["system.private.corelib!System.Threading.Thread.Sleep", "app!App.Worker.Run"])
        .With(t => t with { ManagedId = 2, IsForeground = isForeground })
        .Thread(3, ThreadActivityKind.Sleeping, ["app!App.Background.Run"]).With(t => t with { ManagedId = 3, IsForeground = false });

    [Fact]
    public void Returned_main_names_the_foreground_threads()
    {
        AnalysisResult result = Run(Returned());
        Assert.Empty(result.Verdicts);
        OpenWait wait = Assert.Single(result.OpenWaits, w => w.ThreadId == 1);
        Assert.Equal("has returned from Main; 1 foreground thread keeps the process alive: thread 1 (2) in app!App.Worker.Run", wait.Activity);
        Assert.False(wait.LeavesUndecided);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, null)]
    public void Main_that_runs_and_threads_of_which_nothing_is_known_say_nothing(bool hasReturned, bool? isForeground) =>
        Assert.DoesNotContain(Run(Returned(hasReturned, isForeground)).OpenWaits, w => w.Activity.Contains("returned from Main", StringComparison.Ordinal));

    [Theory]
    [InlineData(WaitTimeout.Infinite, true)]
    [InlineData(WaitTimeout.Finite, false)]
    [InlineData(WaitTimeout.Unknown, false)]
    public void Finalizer_that_stands_is_named_and_open_where_its_wait_has_no_end(WaitTimeout timeout, bool leavesUndecided)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, s_finalizer)
            .With(t => t with { ManagedId = 2, IsFinalizer = true })
            .Wait(1, new Resource(ResourceKind.Time, 0, 1), timeout, milliseconds: timeout == WaitTimeout.Finite ? 60_000 : null);
        AnalysisResult result = Run(builder);
        Assert.Empty(result.Verdicts);
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal("runs the finalizer app!App.File.Finalize, behind which all others wait,", wait.Role);
        Assert.Equal((leavesUndecided, leavesUndecided), (wait.LeavesUndecided, result.IsUndecidable));
    }

    /// <summary>Of a thread that nothing walks, the program's own code is what a search of its stack finds; that of other owners is not guessed.</summary>
    [Theory]
    [InlineData(ResourceKind.Suspension, true)]
    [InlineData(ResourceKind.Monitor, false)]
    public void Thread_that_holds_up_a_collection_is_shown_where_a_search_finds_its_code(ResourceKind kind, bool isShown)
    {
        Resource held = new(kind, kind == ResourceKind.Suspension ? 0u : 0x5000u);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.SystemCall, ["libc", "app!App.Read"])
            .With(t => t with { ManagedId = 2, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Trust = FrameTrust.Scan })] } })
            .Own(held, 1).Thread(2).Wait(2, held);
        Assert.Equal(isShown ? 1 : null, Assert.Single(Run(builder).OpenWaits, w => w.ThreadId == 1).OwnIndex);
    }

    [Theory]
    [InlineData(false, "app!App.File.Finalize")]
    [InlineData(true, "app!App.File.Close")]
    [InlineData(true, "system.private.corelib!System.IO.FileStream.Finalize")]
    public void Other_threads_and_code_that_is_no_finalizer_of_the_program_say_nothing(bool isFinalizer, string code)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, ["libc", code])
            .With(t => t with { ManagedId = 2, IsFinalizer = isFinalizer });
        Assert.DoesNotContain(Run(builder).OpenWaits, w => w.Role?.Contains("finalizer", StringComparison.Ordinal) == true);
    }
}
