using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Scenes of the managed sample, hung for real on Linux and dumped from outside, get their verdicts; healthy ones get none.</summary>
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
