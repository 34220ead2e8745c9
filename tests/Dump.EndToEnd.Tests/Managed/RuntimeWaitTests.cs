using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Waits for what the runtime itself does: for finalizers, for the end of the process, for callbacks that run.</summary>
[SupportedOSPlatform("linux")]
public sealed class RuntimeWaitTests : IDisposable
{
    private const int MostAttempts = 5;

    private readonly LinuxLab _lab = new();

    /// <summary>Scene, expected verdict or null, and a method that the verdict must name.</summary>
    public static TheoryData<string, string?, string?> Scenes => new()
    {
        { "finalizer-cycle", "DUMP1002", "EnterAndLeave" },
        { "finalizer-sleeps", "DUMP1005", "Finalized.Finalize" },
        { "finalizer-slow", null, null },
        { "exit-cycle", "DUMP1002", "ExitCycle" },
        { "registration-dispose-cycle", "DUMP1002", "Registration" },
        { "timer-dispose-cycle", "DUMP1002", "DisposeTimer" },
    };

    /// <summary>Healthy twins.</summary>
    public static TheoryData<string, string?, string?> FurtherScenes => new()
    {
        { "exit-slow", null, null },
        { "collection-works", null, null },
        { "registration-dispose-slow", null, null },
        { "timer-dispose-slow", null, null },
    };

    /// <summary>All of them on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(Scenes.Concat(FurtherScenes), "8.0.0", "9.0.18");

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Runtime_s_work_has_an_owner(string scene, string? expected, string? method)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, scene, expected);
        if (method is not null)
        {
            Assert.Contains(method, report.Member("verdicts")[0].Member("lookAt").GetRawText(), StringComparison.Ordinal);
        }
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Scenes))]
    [MemberData(nameof(FurtherScenes))]
    public void Living_cold_process_gets_the_same(string scene, string? expected, string? method)
    {
        Runtime_s_work_has_an_owner(scene, expected, method);
        using LiveScene running = LinuxLab.Start(scene);
        SceneVerdicts.CheckLiving(running, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected)
    {
        SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);
    }

    /// <summary>
    /// A thread in native code that was called without telling the runtime keeps a collection from beginning: it is named, and no exception is blamed. The scene
    /// says that it is ready before it asks for the collection, which keeps it from saying anything later. A core may come too early then: another is made.
    /// </summary>
    [SkippableFact]
    public void Thread_that_does_not_stop_for_a_collection_is_named()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        int attempt = 1;
        while (!LooksAtSuspension(isLast: attempt == MostAttempts))
        {
            attempt++;
        }
    }

    /// <summary>Looks at the scene; false when the core does not show the thread and it is not the last attempt.</summary>
    private bool LooksAtSuspension(bool isLast)
    {
        using LiveScene running = LinuxLab.StartWarm("collection-suspended");
        uint native = running.Threads("native").Single();
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump(running, "collection-suspended").Path);
        Assert.Equal(13, exitCode);
        JsonElement[] waits = [.. report.Member("openWaits").EnumerateArray().Where(w => w.Member("thread").GetUInt32() == native)];
        bool isSuspending = report.Member("waits").EnumerateArray().Any(w => w.Member("resource").Member("kind").GetString() == "Suspension"
            && w.Member("thread").GetUInt32() == running.Threads("collects").Single());
        if (!isLast && (waits.Length == 0 || !isSuspending))
        {
            return false;
        }

        JsonElement wait = Assert.Single(waits);
        Assert.Contains("RuntimeWaitScenes.", wait.Member("lookAt").Member("function").GetString(), StringComparison.Ordinal);
        Assert.True(isSuspending);
        Assert.DoesNotContain("exception", report.Member("missing").GetRawText(), StringComparison.Ordinal);
        return true;
    }

    public void Dispose() => _lab.Dispose();
}
