using System.Text.Json;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Two minidumps of one process: made by hand, and of samples that hang for real under Wine.</summary>
public sealed class MinidumpPairTests
{
    private const int SecondsApart = 5;
    private const int MostAttempts = 3;
    private const uint A = 0x20;
    private const uint B = 0x24;

    [Fact]
    public void Deadlock_that_stands_still()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(0), Cycle(0)).Result.Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.EndsWith("its threads have used next to no CPU time since: they have not moved.", verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Locks_released_and_taken_again_are_no_deadlock()
    {
        Verdict verdict = Assert.Single(Judge(Cycle(0), Cycle(1.5)).Result.Verdicts);
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
    }

    [Fact]
    public void Thread_that_burnt_time_once_is_no_runaway_and_one_that_burns_it_now_is()
    {
        Assert.Empty(Judge(Runner(90), Runner(90.01)).Result.Verdicts);
        Verdict verdict = Assert.Single(Judge(Runner(1), Runner(5.9)).Result.Verdicts);
        Assert.Equal("DUMP2002", verdict.DetectorId);
        Assert.Contains("4.9 s of CPU time in the last 5 s", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Real_deadlock_dumped_twice_stands_still()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        (LabDump first, string second) = WineLab.Shared.DumpTwice(3, "cs-cycle2");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(second, first.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Matches(@"The first dump, \d+ s earlier, shows the same waits for the same locks, and its threads have used .* since: they have not moved",
            Claims(report));
    }

    [SkippableFact]
    public void Real_loader_deadlock_with_a_spinning_thread_stands_in_both_although_it_burns_time()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        List<string> others = [];
        while (others.Count < MostAttempts)
        {
            (LabDump first, string second) = WineLab.Shared.DumpTwice(3, "loader-exit");
            (int exitCode, JsonElement report) = DumpAnalyze.Json(first.Path, second);
            string[] pictures = [.. new[] { first.Path, second }.Select(d => Picture(d, first.Thread("exiting")))];
            if (pictures.All(p => p.StartsWith("ntdll.dll!NtYieldExecution < kernelbase.dll!SwitchToThread < mathplug.dll!mathplug_lock <", StringComparison.Ordinal)))
            {
                VerdictAssert.Is("DUMP1001", exitCode, report);
                Assert.Matches("shows the same waits for the same locks, and the threads that do not spin have used .* since: they have not moved",
                    Claims(report));
                return;
            }

            // Stopped outside of a yield, a thread that got little time shows no spinning.
            others.Add(string.Join(" and ", pictures));
        }

        Skip.If(true, $"loader-exit was not met yielding: {string.Join("; ", others)}");
    }

    /// <summary>The frames of a thread, innermost first.</summary>
    private static string Picture(string dump, uint thread)
    {
        using JsonDocument threads = JsonDocument.Parse(DumpAnalyze.Run("threads", dump, "--format", "json").Output);
        return string.Join(" < ", threads.RootElement.Member("threads").EnumerateArray().Single(t => t.Member("id").GetUInt32() == thread)
            .Member("frames").EnumerateArray().Select(f => $"{f.Member("module").GetString()}!{f.Member("function").GetString()}"));
    }

    [SkippableFact]
    public void Dumps_of_two_real_processes_are_refused()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run(WineLab.Shared.Dump("idle", DumpKind.Full).Path, WineLab.Shared.Dump("cs-orphan", DumpKind.Full).Path);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("these are not two dumps of one process", run.Error, StringComparison.Ordinal);
    }

    private static PairResult Judge(FakeProcess first, FakeProcess second)
    {
        second.SecondsLater = SecondsApart;
        SnapshotPair? pair = SnapshotPair.Create(SyntheticAnalysis.Read(first), SyntheticAnalysis.Read(second), out string? difference);
        Assert.True(pair is not null, difference);
        Assert.Equal(TimeSpan.FromSeconds(SecondsApart), pair.Elapsed);
        return PairAnalysis.Run(pair);
    }

    private static FakeProcess Cycle(double processorSeconds)
    {
        CriticalSectionScene scene = new();
        ulong left = scene.Section(A, 1), right = scene.Section(B, 1);
        scene.Waiter(A, right, LockTrace.Argument, processorSeconds: processorSeconds);
        scene.Waiter(B, left, LockTrace.Argument);
        return scene.Process;
    }

    private static FakeProcess Runner(double processorSeconds)
    {
        CriticalSectionScene scene = new();
        scene.Runner(A, processorSeconds);
        return scene.Process;
    }

    private static string Claims(JsonElement report) =>
        string.Join('\n', report.Member("verdicts")[0].Member("claims").EnumerateArray().Select(c => c.Member("text").GetString()));
}
