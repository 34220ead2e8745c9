using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Completion sources that many async methods await, all the same one or each its own, told apart from those that a cancellation token or the reader of a
/// connection completes.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class SourceWaitTests : IDisposable
{
    private const string SceneType = "Dump.Samples.Managed.Scenes.SourceScenes.";
    private const string CallType = "Dump.Samples.Managed.Scenes.PendingCallScenes.Client.";

    // Looked at twice, the same calls wait for the same.
    private const string StandsStill = "DUMP5002 Suspected";
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "source-requests", "DUMP9001" },
        { "source-listeners", null },
        { "pending-calls", "DUMP9001" },
        { "pending-calls-in-flight", null },
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
            report.Member("openWaits").EnumerateArray(), w => w.Member("text").GetString()!.Contains("completion source", StringComparison.Ordinal));
        Assert.Equal((JsonValueKind.Null, expected is not null), (wait.Member("thread").ValueKind, wait.Member("undecided").GetBoolean()));
        Assert.Matches(
            $@"^200 async methods wait for task 0x[0-9a-f]+ of one completion source \(TaskCompletionSource\), which nobody has completed, "
                + $@"without a time limit or a cancellation token\. {ends.Replace(".", "\\.", StringComparison.Ordinal)} Look at {SceneType}Catalog\.ReadyAsync \w+\.cs:~?\d+ \(200\)\.$",
            wait.Member("text").GetString());
        SceneVerdicts.CheckLiving(running, expected is null ? null : StandsStill);
    }

    [SkippableTheory]
    [InlineData("pending-calls", "DUMP9001", "No time limit, no cancellation token and nothing that waits for something from outside is known to lead to them.")]
    [InlineData("pending-calls-in-flight", null, "What goes on by itself leads to them, and may complete them: " + CallType + "ReadAsync (a socket) (120).")]
    public void Many_calls_at_completion_sources_of_their_own_are_told(string scene, string? expected, string ends)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, scene, expected);
        JsonElement wait = Assert.Single(
            report.Member("openWaits").EnumerateArray(), w => w.Member("text").GetString()!.Contains("of their own", StringComparison.Ordinal));
        Assert.Equal((JsonValueKind.Null, expected is not null), (wait.Member("thread").ValueKind, wait.Member("undecided").GetBoolean()));
        Assert.Matches(
            $@"^120 calls of {Regex.Escape(CallType)}CallAsync PendingCallScenes\.cs:~?\d+ each wait for the task of a completion source of their own "
                + $@"\(TaskCompletionSource, the first is 0x[0-9a-f]+\), which nobody has completed\. {Regex.Escape(ends)}$",
            wait.Member("text").GetString());
        SceneVerdicts.CheckLiving(running, expected is null ? null : StandsStill);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected) => SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);

    public void Dispose() => _lab.Dispose();
}
