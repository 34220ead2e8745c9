using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Threads that wait for what nobody is left to do, while timers tick, and their busy healthy twins: living and as cores.</summary>
[SupportedOSPlatform("linux")]
public sealed class AbandonedWaitTests : IDisposable
{
    private const string Expected = "DUMP5001 Suspected";
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "abandoned-channel", Expected },
        { "abandoned-collection", Expected },
        { "abandoned-countdown", Expected },
        { "served-channel", null },
        { "served-collection", null },
        { "served-countdown", null },
    };

    /// <summary>Scene and verdict on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(Scenes, "3.1.3", "8.0.0", "9.0.18", "11.0.0");

    [SkippableFact]
    public void Wait_behind_async_methods_names_the_method_and_what_it_awaits()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("abandoned-channel");
        (int exitCode, JsonElement report) = LiveLook.At(running);
        VerdictAssert.Is(Expected, exitCode, report);
        Assert.Matches(
            "^Thread \\d+ .*'importing'.* waits for task .*; Dump.Samples.Managed.Scenes.AbandonedScenes.ImportAsync AbandonedScenes.cs:~?\\d+ awaits ChannelReader.WaitToReadAsync 0x[0-9a-f]+ there.$",
            report.Member("verdicts")[0].Member("claims")[0].Member("text").GetString());
    }

    [SkippableTheory]
    [InlineData("abandoned-countdown", Expected)]
    [InlineData("served-channel", null)]
    [InlineData("served-countdown", null)]
    public void Scene_gets_its_verdict_living_and_as_a_core(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        SceneVerdicts.CheckCore(_lab, running, scene, expected);
        SceneVerdicts.CheckLiving(running, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("abandoned-channel", Expected)]
    [InlineData("abandoned-collection", Expected)]
    [InlineData("served-collection", null)]
    public void Further_scene_gets_its_verdict_living_and_as_a_core(string scene, string? expected) => Scene_gets_its_verdict_living_and_as_a_core(scene, expected);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected) => SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);

    public void Dispose() => _lab.Dispose();
}
