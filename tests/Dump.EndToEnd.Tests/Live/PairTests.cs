using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Analysis.Options;
using Dump.EndToEnd.Tests.Lab;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Two cores of one real process.</summary>
[Collection(Undisturbed.Name)]
[SupportedOSPlatform("linux")]
public sealed class PairTests : IDisposable
{
    private static readonly TimeSpan s_apart = TimeSpan.FromSeconds(2.2);
    private readonly LinuxLab _lab = new();
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-pair-").FullName;

    [SkippableFact]
    public void Deadlock_stands_still_in_both_whatever_the_order_of_the_files()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        string[] cores = Cores(scene, () => { });
        foreach (string[] order in (string[][])[cores, [.. cores.Reverse()]])
        {
            (int exitCode, JsonElement report) = DumpAnalyze.Json(order[0], order[1]);
            VerdictAssert.Is("DUMP1002", exitCode, report);
            Assert.Equal(10, exitCode);
            Assert.Matches("shows the same waits for the same locks, and its threads have used (no|at most 0.0[0-5] s of) CPU time since: they have not moved", LastClaim(report));
            Assert.Equal(("second.core", "first.core"), (Name(report.GetProperty("source")), Name(report.GetProperty("source").GetProperty("earlier"))));
            Assert.False(report.TryGetProperty("notes", out _));
        }
    }

    [SkippableFact]
    public void Cores_without_processor_times_do_not_prove_standing_still()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        string first = _lab.Dump(scene, "first").Path, second = _lab.Dump(scene, "second").Path;
        (int exitCode, JsonElement report) = DumpAnalyze.Json(first, second);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Contains("that they did not move in between is not proven", LastClaim(report), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Cycle_that_was_broken_in_between_is_no_deadlock()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle-broken");
        string[] cores = Cores(scene, () => scene.Signal("CONT"));
        VerdictAssert.Is("DUMP1002", DumpAnalyze.Json(cores[0]).ExitCode, DumpAnalyze.Json(cores[0]).Report);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(cores[0], cores[1]);
        VerdictAssert.Is(null, exitCode, report);
        Assert.Contains("showed DUMP1002 Lock-cycle deadlock (Confirmed)", Assert.Single(report.GetProperty("notes").EnumerateArray()).GetString(), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Spinning_owner_is_measured_between_the_cores()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("spin-owner");
        string[] cores = Cores(scene, () => Thread.Sleep(s_apart + s_apart));
        (int exitCode, JsonElement report) = DumpAnalyze.Json(cores[0], cores[1]);
        JsonElement use = report.GetProperty("threads").EnumerateArray().Single(t => t.GetProperty("id").GetUInt32() == scene.Threads("owner").Single()).GetProperty("recentUse");
        double load = use.GetProperty("usedMicroseconds").GetDouble() / use.GetProperty("overMicroseconds").GetDouble();
        Skip.If(load < AnalysisOptions.Default.BusyLoad, $"the machine let the sample's thread run for {load:P0} of the time only");
        VerdictAssert.Is("DUMP2001", exitCode, report);
        Assert.Matches(@"It held the same lock in the first dump, [0-9.]+ s earlier; it has used [0-9.]+ s of CPU time since", LastClaim(report));
    }

    [SkippableFact]
    public void Cores_of_two_processes_are_refused()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene one = LinuxLab.Start("idle"), other = LinuxLab.Start("idle");
        DumpAnalyze run = DumpAnalyze.Run(_lab.Dump(one, "one").Path, _lab.Dump(other, "other").Path);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains($"not two dumps of one process: their process ids are {one.ProcessId} and {other.ProcessId}", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Second_dump_that_is_not_there_is_unreadable() =>
        Assert.Equal(3, DumpAnalyze.Run(Fixture.Named("loader-exit").Path, "/no/such/second.dmp").ExitCode);

    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private string[] Cores(LiveScene scene, Action between)
    {
        string[] paths = [Path.Combine(_directory, "first.core"), Path.Combine(_directory, "second.core")];
        foreach (string path in paths)
        {
            Assert.True(DumpAnalyze.Run("live", $"{scene.ProcessId}", "--interval", "100ms", "--keep", path).ExitCode is 0 or 10 or 11 or 12);
            if (path == paths[0])
            {
                between();
                Thread.Sleep(s_apart);
            }
        }

        return paths;
    }

    private static string LastClaim(JsonElement report) =>
        report.GetProperty("verdicts")[0].GetProperty("claims").EnumerateArray().Last().GetProperty("text").GetString()!;

    private static string? Name(JsonElement source) => source.GetProperty("name").GetString();
}
