using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Hosts of tests: "no hang found" while a test runs or awaits time, never while one waits for ever.</summary>
[SupportedOSPlatform("linux")]
public sealed class CallTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and verdict on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(
        [["call-test-hangs", "DUMP9001"], ["call-test-runs", null], ["call-test-awaits", null]], "8.0.0", "9.0.18");

    [SkippableTheory]
    [InlineData("call-test-hangs", "DUMP9001")]
    [InlineData("call-test-runs", null)]
    [InlineData("call-test-awaits", null)]
    public void Host_is_judged_by_whether_its_tests_go_on(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, scene, expected);
        SceneVerdicts.CheckLiving(running, expected);
        if (expected is not null)
        {
            Assert.Contains("CallScenes", OpenWait(report, running.Threads("runs-test").Single()).Member("lookAt").GetRawText(), StringComparison.Ordinal);
            Assert.True(OpenWait(report, running.Threads("messages").Single()).Member("undecided").GetBoolean());
        }
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);
    }

    private static JsonElement OpenWait(JsonElement report, uint thread) =>
        Assert.Single(report.Member("openWaits").EnumerateArray(), w => w.Member("thread").GetUInt32() == thread);

    public void Dispose() => _lab.Dispose();
}
