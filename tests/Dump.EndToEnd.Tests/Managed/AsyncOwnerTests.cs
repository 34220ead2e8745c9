using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// A thread that waits for a task under a lock which the task's own code needs: who runs the task is followed through async methods, promises, continuations
/// and attached children.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class AsyncOwnerTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "async-lock-cycle", "DUMP1002" },
        { "async-lock-cycle-all", "DUMP1002" },
        { "async-lock-cycle-child", "DUMP1002" },

        // Who cancels the token of the wait ends it.
        { "async-lock-cycle-token", "DUMP1002 Suspected" },
        { "async-lock-elsewhere", null },
    };

    /// <summary>Variants.</summary>
    public static TheoryData<string, string?> FurtherScenes => new()
    {
        { "async-lock-cycle-awaited", "DUMP1002" },
        { "async-lock-cycle-unwrapped", "DUMP1002" },
        { "async-lock-cycle-continued", "DUMP1002" },
        { "async-parallel-cycle", "DUMP1002" },
        { "async-query-cycle", "DUMP1002" },

        // Another one of the tasks might end the wait, and nobody has it.
        { "async-lock-any", "DUMP5001 Suspected" },
    };

    /// <summary>All of them on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(Scenes.Concat(FurtherScenes), "3.1.3", "8.0.0", "9.0.18");

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Task_is_run_by_the_thread_that_must_end_what_it_needs(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, scene, expected);
        if (expected == "DUMP1002")
        {
            Assert.Contains(running.Threads("owner").Single(), VerdictAssert.Threads(report));
            Assert.Equal(2, VerdictAssert.Threads(report).Count());
        }
    }

    [SkippableTheory]
    [InlineData("async-lock-cycle", "DUMP1002")]
    [InlineData("async-lock-cycle-token", "DUMP1002 Suspected")]
    [InlineData("async-lock-elsewhere", null)]
    public void Living_cold_process_gets_the_same(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start(scene);
        SceneVerdicts.CheckLiving(running, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_task_is_run_by_the_thread_that_must_end_what_it_needs(string scene, string? expected)
    {
        Task_is_run_by_the_thread_that_must_end_what_it_needs(scene, expected);
        Living_cold_process_gets_the_same(scene, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Task_on_another_runtime_is_run_by_that_thread(string version, string scene, string? expected)
    {
        SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);
    }

    public void Dispose() => _lab.Dispose();
}
