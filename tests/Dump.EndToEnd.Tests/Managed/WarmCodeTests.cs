using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Scenes as they run in production get their verdicts too: in optimised code waits lie inside of their callers' frames, the runtime's markers carry the native
/// functions, and objects that are no longer needed have no root.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class WarmCodeTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "task-wait-cycle", "DUMP1002" },
        { "join-cycle", "DUMP1002" },
        { "sync-over-async-context", "DUMP1006" },
        { "pool-starvation", "DUMP1007" },

        // The search keeps a node of the tree, and the set itself no longer.
        { "sortedset-cycle", "DUMP3001" },

        // A later thread has the id of the owner that has ended.
        { "monitor-reused-worker", "DUMP1003" },

        // A worker that sleeps under the lock: no verdict, and one look does not say whether it goes on.
        { "monitor-pool-owner", "DUMP9001" },
        { "wait-handles", null },
    };

    /// <summary>The same with live looks at some of them.</summary>
    public static TheoryData<string, string?> FurtherScenes => new()
    {
        { "rwlock-cycle", "DUMP1002" },
        { "pool-starvation-event", "DUMP1007 Suspected" },
        { "pool-starvation-semaphore", "DUMP1007 Suspected" },
        { "monitor-head-blocker", "DUMP1005 Suspected" },
        { "monitor-idle-owner", "DUMP1003" },
        { "rwlock-endless-sleep", "DUMP1005" },
        { "sortedset-search", null },
        { "monitor-reused-thread", "DUMP1003 Suspected" },
        { "monitor-reused-cycle", "DUMP1002" },
        { "mixed-cycle", "DUMP1002" },
        { "rwlock-reader-blocks-writer", "DUMP1002" },
        { "lazy-cycle", "DUMP1002" },
        { "monitor-orphan", "DUMP1003" },
        { "rwlock-idle-owner", "DUMP1003" },
        { "idle", null },
        { "pool-busy", null },
        { "events", null },
        { "process-wait", null },
        { "rwlock-readers", null },
        { "task-slow", "DUMP9001" },
        { "waits", "DUMP9001" },
        { "waits-timed", "DUMP9001" },
        { "mutex", "DUMP9001" },
    };

    /// <summary>What other runtimes' optimised code shows in another way.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => new()
    {
        { "8.0.0", "task-wait-cycle", "DUMP1002" },
        { "8.0.0", "join-cycle", "DUMP1002" },
        { "8.0.0", "rwlock-cycle", "DUMP1002" },
        { "8.0.0", "sync-over-async-context", "DUMP1006" },
        { "8.0.0", "pool-starvation", "DUMP1007" },
        { "8.0.0", "monitor-idle-owner", "DUMP1003" },
        { "8.0.0", "rwlock-idle-owner", "DUMP1003" },
        { "8.0.0", "rwlock-endless-sleep", "DUMP1005" },
        { "8.0.0", "wait-handles", null },
        { "9.0.18", "task-wait-cycle", "DUMP1002" },
        { "9.0.18", "join-cycle", "DUMP1002" },
        { "9.0.18", "rwlock-cycle", "DUMP1002" },
        { "9.0.18", "sync-over-async-context", "DUMP1006" },
        { "9.0.18", "pool-starvation", "DUMP1007" },
        { "9.0.18", "wait-handles", null },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Warm_scene_gets_its_verdict(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        SceneVerdicts.CheckCore(_lab, running, scene, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("task-wait-cycle", "DUMP1002")]
    [InlineData("events", null)]
    public void Living_warm_scene_gets_its_verdict(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        SceneVerdicts.CheckLiving(running, expected);
    }

    /// <summary>In code that default tiering has compiled anew by what it saw, the runtime's own stub stands between a wait and the native function.</summary>
    [SkippableFact]
    public void Lock_that_was_queued_for_often_is_found()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartOptimised("lock-hot-cycle", ("DOTNET_TC_CallCountingDelayMs", "10"));
        SceneVerdicts.CheckLiving(running, "DUMP1002");
        SceneVerdicts.CheckCore(_lab, running, "lock-hot-cycle", "DUMP1002");
    }

    /// <summary>All lambda expressions of a method have one closure: a thread that runs one of them has the locks of the others, cold as optimised.</summary>
    [SkippableFact]
    public void Lock_that_a_thread_has_in_a_shared_closure_alone_is_only_possibly_held_by_it()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-reused-cycle");
        (int exitCode, JsonElement report) = LiveLook.At(running);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal("Likely", report.Member("verdicts")[0].Member("confidence").GetString());
    }

    /// <summary>The lock was waited for before its owner ended, so that it stores the system's id of that one: the cycle by the managed ids is none.</summary>
    [SkippableFact]
    public void Lock_that_names_another_thread_by_the_id_of_the_system_is_orphaned()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-reused-waited");
        SceneVerdicts.CheckLiving(running, "DUMP1003");
        SceneVerdicts.CheckCore(_lab, running, "monitor-reused-waited", "DUMP1003");
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Scenes))]
    [MemberData(nameof(FurtherScenes))]
    public void Warm_scene_gets_one_verdict_living_and_as_a_core(string scene, string? expected)
    {
        Warm_scene_gets_its_verdict(scene, expected);
        Living_warm_scene_gets_its_verdict(scene, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Warm_scene_on_another_runtime_gets_its_verdict(string version, string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.If(PrivateRuntimes.Shared.Add(version) is null, $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {version} is not restored");
        using LiveScene running = LinuxLab.StartWarmOn(scene, version);
        SceneVerdicts.CheckLiving(running, expected, "--dac", PrivateRuntimes.Shared.Frameworks);
    }

    public void Dispose() => _lab.Dispose();
}
