using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Completion sources that many async methods await, told apart from those that a cancellation token completes.</summary>
[SupportedOSPlatform("linux")]
public sealed class SourceWaitTests : IDisposable
{
    private const string SceneType = "Dump.Samples.Managed.Scenes.SourceScenes.";
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "source-requests", "DUMP9001" },
        { "source-listeners", null },
    };

    /// <summary>Scene and verdict on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(Scenes, "8.0.0", "9.0.18");

    [SkippableTheory]
    [InlineData("source-requests", "DUMP9001", "No timer and no cancellation token is known to lead to it.")]
    [InlineData("source-listeners", null, "A timer or a cancellation token leads to it, and may end their wait.")]
    public void Many_requests_at_one_completion_source_are_told(string scene, string? expected, string ends)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, scene, expected);
        JsonElement wait = Assert.Single(
            report.GetProperty("openWaits").EnumerateArray(), w => w.GetProperty("text").GetString()!.Contains("completion source", StringComparison.Ordinal));
        Assert.Equal((JsonValueKind.Null, expected is not null), (wait.GetProperty("thread").ValueKind, wait.GetProperty("undecided").GetBoolean()));
        Assert.Matches(
            $@"^200 async methods wait for task 0x[0-9a-f]+ of one completion source \(TaskCompletionSource\), which nobody has completed, "
                + $@"without a time limit or a cancellation token\. {ends.Replace(".", "\\.", StringComparison.Ordinal)} Look at {SceneType}Catalog\.ReadyAsync \w+\.cs:~?\d+ \(200\)\.$",
            wait.GetProperty("text").GetString());
        SceneVerdicts.CheckLiving(running, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected) => SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);

    public void Dispose() => _lab.Dispose();
}
