using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Analysis;
using Dump.Analysis.Options;
using Dump.EndToEnd.Tests.Lab;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Two cores of one real process that does something in between.</summary>
[Collection(Undisturbed.Name)]
[SupportedOSPlatform("linux")]
public sealed class ChangingPairTests : IDisposable
{
    private static readonly TimeSpan s_longer = TimeSpan.FromSeconds(4.4);
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-pair-").FullName;

    [SkippableFact]
    public void Cycle_that_was_broken_in_between_is_no_deadlock()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle-broken");
        string[] cores = TwoCores.Of(scene, _directory, () => scene.Signal("CONT"));
        VerdictAssert.Is("DUMP1002", DumpAnalyze.Json(cores[0]).ExitCode, DumpAnalyze.Json(cores[0]).Report);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(cores[0], cores[1]);
        VerdictAssert.Is(null, exitCode, report);
        Assert.Contains("showed DUMP1002 Lock-cycle deadlock (Confirmed)", Assert.Single(report.Member("notes").EnumerateArray()).GetString(),
            StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Spinning_owner_is_measured_between_the_cores()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("spin-owner");
        string[] cores = TwoCores.Of(scene, _directory, () => Thread.Sleep(s_longer));
        (int exitCode, JsonElement report) = DumpAnalyze.Json(cores[0], cores[1]);
        JsonElement use = report.Member("threads").EnumerateArray().Single(t => t.Member("id").GetUInt32() == scene.Threads("owner").Single())
            .Member("recentUse");
        double load = use.Member("usedMicroseconds").GetDouble() / use.Member("overMicroseconds").GetDouble();
        Skip.If(load < AnalysisOptions.Default.BusyLoad, $"the machine let the sample's thread run for {load:P0} of the time only");
        VerdictAssert.Is("DUMP2001", exitCode, report);
        Assert.Matches(@"It held the same lock in the first dump, [0-9.]+ s earlier; it has used [0-9.]+ s of CPU time since", TwoCores.LastClaim(report));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);
}
