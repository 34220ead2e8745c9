using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Two cores of one real process.</summary>
[SupportedOSPlatform("linux")]
public sealed class PairTests : IDisposable
{
    private readonly LinuxLab _lab = new();
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-pair-").FullName;

    [SkippableFact]
    public void Deadlock_stands_still_in_both_whatever_the_order_of_the_files()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        string[] cores = TwoCores.Of(scene, _directory, () => { });
        foreach (string[] order in (string[][])[cores, [.. cores.Reverse()]])
        {
            (int exitCode, JsonElement report) = DumpAnalyze.Json(order[0], order[1]);
            VerdictAssert.Is("DUMP1002", exitCode, report);
            Assert.Equal(10, exitCode);
            Assert.Matches("shows the same waits for the same locks, and its threads have not run since: they have not moved", TwoCores.LastClaim(report));
            Assert.Equal(("second.core", "first.core"), (Name(report.Member("source")), Name(report.Member("source").Member("earlier"))));
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
        Assert.Contains("that they did not move in between is not proven", TwoCores.LastClaim(report), StringComparison.Ordinal);
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
    public void Second_dump_that_is_not_there_is_wrong_usage() =>
        Assert.Equal(2, DumpAnalyze.Run(Fixture.Named("loader-exit").Path, "/no/such/second.dmp").ExitCode);

    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private static string? Name(JsonElement source) => source.Member("name").GetString();
}
