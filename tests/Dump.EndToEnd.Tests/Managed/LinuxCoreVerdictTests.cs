using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Scenes of the managed sample, hung for real on Linux and dumped from outside, get their verdicts; healthy ones get none.</summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxCoreVerdictTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Scene, expected verdict or null, roles of the threads that it must name (those with a repeated role are not listed).</summary>
    public static TheoryData<string, string?, string[]> Scenes => new()
    {
        { "monitor-cycle2", "DUMP1002", ["transfer-0", "transfer-1"] },
        { "monitor-cycle3", "DUMP1002", ["transfer-0", "transfer-1", "transfer-2"] },
        { "monitor-synchronized", "DUMP1002", ["instance-then-type", "type-then-instance"] },
        { "lock-cycle", "DUMP1002", ["left", "right"] },
        { "mixed-cycle", "DUMP1002", ["owns-monitor", "owns-lock", "owns-table"] },
        { "rwlock-cycle", "DUMP1002", ["left", "right"] },
        { "rwlock-reader-blocks-writer", "DUMP1002", ["reader", "writer"] },
        { "join-cycle", "DUMP1002", ["joining", "joined"] },
        { "task-wait-cycle", "DUMP1002", ["waiter", "worker"] },
        { "monitor-orphan", "DUMP1003", [] },
        { "monitor-head-blocker", "DUMP1005", ["owner"] },
        { "sync-over-async-context", "DUMP1006", ["context"] },
        { "pool-starvation", "DUMP1007", [] },
        { "dictionary-cycle", "DUMP3001", ["reader"] },
        { "sortedset-cycle", "DUMP3001", ["reader"] },
        { "linkedlist-cycle", "DUMP3001", ["reader"] },
        { "hashtable-writer-gone", "DUMP3001", ["reader"] },
        { "dictionary-race", "DUMP3002", ["writer", "reader"] },
        { "hashset-race", "DUMP3002", ["first-writer", "second-writer"] },
        { "sortedset-race", "DUMP3002", ["writer", "reader"] },
        { "dictionary-readers", null, [] },
        { "dictionary-one-writer", null, [] },
        { "concurrent-dictionary-writers", null, [] },
        { "hashset-arguments", null, [] },
        { "collections-sound", null, [] },
        { "collections-broken", null, [] },
        { "idle", null, [] },
        { "events", null, [] },
        { "monitor-slow-owner", null, [] },
        { "monitor-diamond", null, [] },
        { "monitor-timed", null, [] },
        { "monitor-wait", null, [] },
        { "monitor-many-locks", null, [] },
        { "monitor-recursive", null, [] },
        { "rwlock-readers", null, [] },
    };

    public static TheoryData<string> Cycles => ["monitor-cycle2", "mixed-cycle", "task-wait-cycle"];

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_gets_its_verdict(string scene, string? expected, string[] roles)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.Dump(scene);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is(expected, exitCode, report);
        if (roles.Length > 0)
        {
            Assert.Equal(roles.Select(dump.Thread).Order(), VerdictAssert.Threads(report));
        }
    }

    /// <summary>Scenes on runtimes whose waits look different; the runtime itself stands in no usual place, so it is named with --dac.</summary>
    public static TheoryData<string, string, string?> OtherRuntimes => new()
    {
        { "8.0.0", "monitor-cycle2", "DUMP1002" },
        { "8.0.0", "rwlock-reader-blocks-writer", "DUMP1002" },
        { "8.0.0", "task-wait-cycle", "DUMP1002" },
        { "8.0.0", "monitor-orphan", "DUMP1003" },
        { "8.0.0", "monitor-head-blocker", "DUMP1005" },
        { "8.0.0", "sync-over-async-context", "DUMP1006" },
        { "8.0.0", "sortedset-cycle", "DUMP3001" },
        { "8.0.0", "monitor-diamond", null },
        { "8.0.0", "monitor-timed", null },
        { "8.0.0", "events", null },

        // The runtime reports no reference for the type's monitor, so the cycle can be neither shown nor excluded.
        { "8.0.0", "monitor-synchronized", "DUMP9001" },
        { "8.0.0", "linkedlist-cycle", "DUMP3001" },
        { "8.0.0", "dictionary-race", "DUMP3002" },
        { "8.0.0", "dictionary-readers", null },
        { "9.0.18", "monitor-cycle3", "DUMP1002" },
        { "9.0.18", "mixed-cycle", "DUMP1002" },
        { "9.0.18", "join-cycle", "DUMP1002" },
        { "9.0.18", "pool-starvation", "DUMP1007" },
        { "9.0.18", "dictionary-cycle", "DUMP3001" },
        { "9.0.18", "hashset-race", "DUMP3002" },
        { "9.0.18", "hashset-arguments", null },
        { "9.0.18", "monitor-slow-owner", null },
        { "9.0.18", "monitor-many-locks", null },
        { "9.0.18", "rwlock-readers", null },
    };

    [SkippableTheory]
    [MemberData(nameof(OtherRuntimes))]
    public void Scene_on_another_runtime_gets_its_verdict(string version, string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string? framework = PrivateRuntimes.Shared.Add(version);
        Skip.If(framework is null, $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {version} is not restored");
        LabDump dump = _lab.DumpOn(scene, version, framework);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path, "--dac", PrivateRuntimes.Shared.Frameworks);
        VerdictAssert.Is(expected, exitCode, report);
    }

    [SkippableFact]
    public void Core_whose_runtime_is_not_here_says_so()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string? framework = PrivateRuntimes.Shared.Add("8.0.0");
        Skip.If(framework is null, "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 8.0.0 is not restored");
        LabDump dump = _lab.DumpOn("monitor-cycle2", "8.0.0", framework);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(13, exitCode);
        Assert.Contains("--dac DIR", report.GetProperty("detectors").GetRawText(), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [MemberData(nameof(Cycles))]
    public void Fully_optimised_code_gives_the_same_verdict(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.Dump(scene, "withheap", ("DOTNET_TieredCompilation", "0"));
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);
    }

    [SkippableTheory]
    [InlineData("normal")]
    [InlineData("triage")]
    public void Core_without_heap_never_says_that_there_is_no_problem(string kind)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.Dump("monitor-cycle2", kind);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.True(exitCode is 10 or 11 or 13, report.GetRawText());
    }

    public void Dispose() => _lab.Dispose();
}
