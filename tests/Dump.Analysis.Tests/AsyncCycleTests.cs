using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP1002 of async methods, which have no thread.</summary>
public sealed class AsyncCycleTests
{
    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x5000);

    private static AwaitCycle Cycle(Grade grade = Grade.Proven, params uint[] threads) =>
        new([new AwaitLink(0x5000, "App.One", 0, grade), new AwaitLink(0x5100, "App.Two", 1, Grade.Proven)], 2, grade) { Threads = [.. threads] };

    private static AnalysisResult Run(SnapshotBuilder builder, AsyncWaits? waits) => HangAnalysis.Run(builder.Build() with { AsyncWaits = waits });

    [Fact]
    public void Cycle_without_a_thread_is_a_deadlock_with_its_methods()
    {
        Verdict verdict = Assert.Single(Run(new SnapshotBuilder().Thread(1), new AsyncWaits { Cycles = [Cycle() with { Count = 3, Behind = 20 }] }).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Empty(verdict.Threads);
        Assert.Equal<string>(["App.One", "App.Two"], verdict.AsyncMethods);
        Assert.Equal(
            [
                "2 tasks await each other and none can go on, a deadlock: App.One, App.Two.", "App.One (task 0x5000) awaits App.Two (task 0x5100).",
                "App.Two (task 0x5100) awaits App.One (task 0x5000).", "2 more cycles of the same methods stand beside it.",
                "20 further async methods await one of these tasks, directly or through others.",
            ],
            verdict.Claims.Select(c => c.Text));
    }

    [Fact]
    public void Threads_that_block_in_it_take_part_and_those_behind_them_are_its_victims()
    {
        Resource section = new(ResourceKind.Monitor, 0x6000);
        Verdict verdict = Assert.Single(Run(
            new SnapshotBuilder().Thread(1, frames: ["app!main"]).Wait(1, s_task).Own(section, 1).Thread(2, frames: ["app!other"]).Wait(2, section),
            new AsyncWaits { Cycles = [Cycle(Grade.Proven, 1)] }).Verdicts);
        Assert.Equal<uint>([1], verdict.Threads);
        Assert.Equal<uint>([2], Assert.Single(verdict.Victims).ThreadIds);
        Assert.Contains(verdict.Claims, c => c.Text.EndsWith("blocks in one of these tasks, or in one that awaits them.", StringComparison.Ordinal));
    }

    [Fact]
    public void Weakest_await_decides() =>
        Assert.Equal(Confidence.Likely, Assert.Single(Run(new SnapshotBuilder().Thread(1), new AsyncWaits { Cycles = [Cycle(Grade.Derived)] }).Verdicts)
            .Confidence);

    [Fact]
    public void Method_that_awaits_itself_says_so() => Assert.Equal(
        "App.Own awaits its own task and can never go on, a deadlock.",
        Assert.Single(Assert.Single(Run(
            new SnapshotBuilder().Thread(1), new AsyncWaits { Cycles = [new AwaitCycle([new AwaitLink(0x5000, "App.Own", 0, Grade.Proven)], 1, Grade.Proven)] })
                .Verdicts).Claims).Text);

    [Fact]
    public void Other_verdicts_do_not_explain_it()
    {
        Resource first = new(ResourceKind.Monitor, 0x6000), second = new(ResourceKind.Monitor, 0x7000);
        SnapshotBuilder threads = new SnapshotBuilder().Thread(1).Wait(1, second).Own(first, 1).Thread(2).Wait(2, first).Own(second, 2);
        Assert.Equal(2, Run(threads, new AsyncWaits { Cycles = [Cycle()] }).Verdicts.Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Heap_without_a_cycle_or_that_was_not_looked_at_accuses_nobody(bool isLarge) =>
        Assert.Empty(Run(new SnapshotBuilder().Thread(1), isLarge ? new AsyncWaits { HeapLeftOut = 1L << 32 } : new AsyncWaits()).Verdicts);
}
