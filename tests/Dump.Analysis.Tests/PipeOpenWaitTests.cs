using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Full pipes to which a living process writes: told with their readers, and never "no hang found".</summary>
public sealed class PipeOpenWaitTests
{
    private static AnalysisResult Run(params FullPipe[] pipes)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.SystemCall, ["libc", "app!App.Program.Main"])
            .With(t => t with { ManagedId = 1 }).Build();
        return HangAnalysis.Run(snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux }, FullPipes = [.. pipes] });
    }

    private static string Line(params string[] readers) =>
        Assert.Single(Run(new FullPipe("standard output", [1], [.. readers])).OpenWaits, w => w.ThreadId is null).Activity;

    [Fact]
    public void Thread_pipe_and_reader_are_told_and_the_answer_is_open()
    {
        AnalysisResult result = Run(new FullPipe("standard output", [1], ["process 7 (less)"]));
        OpenWait wait = Assert.Single(result.OpenWaits, w => w.ThreadId is null);
        Assert.Equal("Thread 0 (1) waits to write to standard output, a full pipe; its reader is process 7 (less).", wait.Activity);
        Assert.Equal((true, ResourceKind.FileDescriptor), (wait.LeavesUndecided, wait.Resource!.Kind));
        Assert.True(result.IsUndecidable);
    }

    [Fact]
    public void Several_readers_are_told_and_so_is_that_none_was_seen()
    {
        Assert.EndsWith("; its readers are process 7 (a), process 8 (b).", Line("process 7 (a)", "process 8 (b)"), StringComparison.Ordinal);
        Assert.EndsWith("; no process that may be looked at has it open for reading.", Line(), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_one_nothing_is_said() => Assert.False(Run().IsUndecidable);
}
