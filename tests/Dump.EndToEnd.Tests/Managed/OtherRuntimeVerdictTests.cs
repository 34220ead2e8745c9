using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Scenes on runtimes whose waits look different; the runtimes themselves stand in no usual place, so they are named with --dac.</summary>
[SupportedOSPlatform("linux")]
public sealed class OtherRuntimeVerdictTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>What is read in another way on that runtime.</summary>
    public static TheoryData<string, string, string?> Scenes => new()
    {
        { "3.1.3", "monitor-cycle2", "DUMP1002" },
        { "3.1.3", "monitor-orphan", "DUMP1003" },
        { "3.1.3", "sync-over-async-context", "DUMP1006" },
        { "3.1.3", "pool-starvation", "DUMP1007" },

        // Before .NET 10 nothing but native frames shows the wait for a class constructor.
        { "8.0.0", "type-initializer-slow", "DUMP9001" },
        { "8.0.0", "monitor-cycle2", "DUMP1002" },
        { "8.0.0", "task-wait-cycle", "DUMP1002" },
        { "9.0.18", "lock-orphan", "DUMP1003" },
        { "9.0.18", "dictionary-cycle", "DUMP3001" },

        // From .NET 11 on monitors, conditions and waits for handles are managed code.
        { "11.0.0", "monitor-synchronized", "DUMP1002" },
        { "11.0.0", "join-cycle", "DUMP1002" },
        { "11.0.0", "task-wait-cycle", "DUMP1002" },
        { "11.0.0", "rwlock-reader-blocks-writer", "DUMP1002" },
        { "11.0.0", "type-initializer-cycle", "DUMP1002" },
        { "11.0.0", "monitor-unrelated", "DUMP1005" },
        { "11.0.0", "sync-over-async-context", "DUMP1006" },
        { "11.0.0", "pool-starvation", "DUMP1007" },
        { "11.0.0", "pool-starvation-semaphore", "DUMP1007 Suspected" },
        { "11.0.0", "monitor-orphan", "DUMP1003" },
        { "11.0.0", "monitor-wait", null },
        { "11.0.0", "wait-handles", null },
        { "11.0.0", "monitor-slow-owner", "DUMP9001" },
        { "11.0.0", "mutex", "DUMP1002" },
    };

    /// <summary>What is read as on another runtime.</summary>
    public static TheoryData<string, string, string?> FurtherScenes => new()
    {
        { "3.1.3", "task-wait-cycle", "DUMP1002" },
        { "3.1.3", "rwlock-upgrade-slow", "DUMP9001" },
        { "3.1.3", "idle", null },
        { "3.1.3", "type-initializer-slow", "DUMP9001" },
        { "8.0.0", "monitor-synchronized", "DUMP1002" },
        { "8.0.0", "handler-cycle", "DUMP1002" },
        { "9.0.18", "rwlock-readers", null },
        { "3.1.3", "rwlock-reader-blocks-writer", "DUMP1002" },
        { "3.1.3", "events", null },
        { "3.1.3", "filter-cycle", "DUMP1002" },
        { "8.0.0", "dictionary-race", "DUMP3002" },
        { "8.0.0", "monitor-timed", null },
        { "9.0.18", "handler-cycle", "DUMP1002" },
        { "9.0.18", "mixed-cycle", "DUMP1002" },
        { "3.1.3", "monitor-synchronized", "DUMP1002" },
        { "3.1.3", "join-cycle", "DUMP1002" },
        { "3.1.3", "task-wait-all-cycle", "DUMP1002" },
        { "3.1.3", "lazy-cycle", "DUMP1002" },
        { "3.1.3", "monitor-head-blocker", "DUMP1005 Suspected" },
        { "3.1.3", "dictionary-cycle", "DUMP3001" },
        { "3.1.3", "monitor-diamond", "DUMP9001" },
        { "3.1.3", "monitor-timed", null },
        { "8.0.0", "rwlock-reader-blocks-writer", "DUMP1002" },
        { "8.0.0", "lazy-cycle", "DUMP1002" },
        { "8.0.0", "monitor-orphan", "DUMP1003" },
        { "8.0.0", "monitor-head-blocker", "DUMP1005 Suspected" },
        { "8.0.0", "sync-over-async-context", "DUMP1006" },
        { "8.0.0", "sortedset-cycle", "DUMP3001" },
        { "8.0.0", "linkedlist-cycle", "DUMP3001" },
        { "8.0.0", "dictionary-readers", null },
        { "8.0.0", "filter-waits", "DUMP9001" },
        { "8.0.0", "monitor-diamond", "DUMP9001" },
        { "8.0.0", "events", null },
        { "9.0.18", "monitor-cycle3", "DUMP1002" },
        { "9.0.18", "join-cycle", "DUMP1002" },
        { "9.0.18", "pool-starvation", "DUMP1007" },
        { "8.0.0", "pool-starvation-semaphore", "DUMP1007 Suspected" },
        { "9.0.18", "pool-starvation-semaphore", "DUMP1007 Suspected" },
        { "9.0.18", "hashset-race", "DUMP3002" },
        { "9.0.18", "hashset-arguments", null },
        { "9.0.18", "filter-cycle", "DUMP1002" },
        { "9.0.18", "monitor-slow-owner", "DUMP9001" },
        { "9.0.18", "monitor-many-locks", "DUMP9001" },
        { "9.0.18", "lock-timed", null },
        { "11.0.0", "monitor-cycle3", "DUMP1002" },
        { "11.0.0", "mixed-cycle", "DUMP1002" },
        { "11.0.0", "lazy-cycle", "DUMP1002" },
        { "11.0.0", "legacy-rwlock-cycle", "DUMP1002" },
        { "11.0.0", "lock-orphan", "DUMP1003" },
        { "11.0.0", "nobody-releases", "DUMP5001 Suspected" },
        { "11.0.0", "monitor-timed", null },
        { "11.0.0", "join-slow", null },
        { "11.0.0", "idle", null },
    };

    /// <summary>The lock behind a monitor of .NET 11 belongs to the runtime: what the program knows is the object, and the cycle is as certain as before.</summary>
    [SkippableFact]
    public void Monitor_of_managed_code_has_the_name_of_its_object()
    {
        LabDump dump = RuntimeCores.Make(_lab, "11.0.0", "monitor-cycle2", "full");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path, "--dac", PrivateRuntimes.Shared.Frameworks);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal("Confirmed", report.Member("verdicts")[0].Member("confidence").GetString());
        Assert.Equal(["Monitor", "Monitor"], report.Member("waits").EnumerateArray().Select(w => w.Member("resource").Member("kind").GetString()));
        Assert.All(report.Member("ownerships").EnumerateArray(), o => Assert.Equal("Proven", o.Member("grade").GetString()));
    }

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_on_another_runtime_gets_its_verdict(string version, string scene, string? expected)
    {
        SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_scene_on_another_runtime_gets_its_verdict(string version, string scene, string? expected) =>
        Scene_on_another_runtime_gets_its_verdict(version, scene, expected);

    [SkippableFact]
    public void Spin_lock_in_a_frame_that_takes_no_time_limit_is_a_deadlock()
    {
        // Only .NET Core 3.1 keeps the frame of SpinLock.Enter, which says that the wait has no end.
        SceneVerdicts.CheckCoreOf(_lab, "3.1.3", "spinlock-each-other", "DUMP2003");
    }

    [SkippableFact]
    public void Core_whose_runtime_is_not_here_says_so()
    {
        LabDump dump = RuntimeCores.Make(_lab, "8.0.0", "monitor-cycle2");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(13, exitCode);
        Assert.Contains("--dac DIR", report.Member("detectors").GetRawText(), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Methods_whose_metadata_are_missing_have_no_name()
    {
        LabDump dump = RuntimeCores.Make(_lab, "3.1.3", "monitor-cycle2", "withheap");
        DumpAnalyze run = DumpAnalyze.Run(dump.Path, "--stacks", "all", "--dac", PrivateRuntimes.Shared.Frameworks);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("{error}", run.Output, StringComparison.Ordinal);
    }

    public void Dispose() => _lab.Dispose();
}
