using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Calls that ask for what nobody gives: one look leaves the answer open, two looks say that they stand still; their busy twins move on.</summary>
[SupportedOSPlatform("linux")]
public sealed class StandsStillTests : IDisposable
{
    private const int Looks = 2;
    private const string Type = "Dump.Samples.Managed.Scenes.DemandScenes.";
    private const string StandsStill = "DUMP5002 Suspected";
    private readonly LinuxLab _lab = new();

    /// <summary>Runtime, and scene.</summary>
    public static TheoryData<string, string> OnOthers => new()
    {
        { "8.0.0", "channel-full" }, { "9.0.18", "channel-full" }, { "8.0.0", "connections-kept" }, { "9.0.18", "connections-kept" },
    };

    [SkippableTheory]
    [InlineData("channel-full", "WriteAsync", "ChannelWriter.WriteAsync")]
    [InlineData("connections-kept", "GetPagesAsync", "TaskCompletionSource<HttpConnection>")]
    public void Calls_that_nobody_serves_stand_still_in_two_looks(string scene, string method, string awaited)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        LabDump first = _lab.Dump(running, $"{scene}-first");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(first.Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
        Assert.Contains(
            report.Member("openWaits").EnumerateArray(), w => w.Member("undecided").GetBoolean() && w.Member("text").GetString()!.Contains($"{Type}{method}", StringComparison.Ordinal));

        // A look between them takes its time, by which the two are apart.
        (exitCode, report) = LiveLook.At(running);
        VerdictAssert.Is(StandsStill, exitCode, report);
        Check(report.Member("verdicts")[0], method, awaited, "the first look");

        (exitCode, report) = DumpAnalyze.Json(first.Path, _lab.Dump(running, $"{scene}-second").Path);
        VerdictAssert.Is(StandsStill, exitCode, report);
        Check(report.Member("verdicts")[0], method, awaited, "the first dump");
        LiveLook.AssertGoesOn(running);
    }

    [SkippableFact]
    public void Pool_whose_workers_all_wait_for_a_signal_stands_still_while_work_is_queued()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("workers-unsignalled");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump(running, "workers-unsignalled").Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
        JsonElement wait = Assert.Single(report.Member("openWaits").EnumerateArray(), w => w.Member("kind").GetString() == "StarvedPool");
        Assert.Matches(@$"^(All )?\d+ workers of the thread pool wait in managed-hang[a-z-]*!{Type}Handle, without a known limit, while [0-9,]+ work items wait for ", wait.Member("text").GetString());
        Assert.True(wait.Member("undecided").GetBoolean());

        (exitCode, report) = LiveLook.At(running);
        VerdictAssert.Is(StandsStill, exitCode, report);
        Assert.Contains($"!{Type}Handle, without a known limit, while ", report.Member("verdicts")[0].Member("claims")[0].Member("text").GetString(), StringComparison.Ordinal);
        LiveLook.AssertGoesOn(running);
    }

    [SkippableTheory]
    [InlineData("channel-drained")]
    [InlineData("workers-signalled")]
    [InlineData("connections-returned")]
    public void Calls_that_are_served_one_after_the_other_are_cleared(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        (_, JsonElement report) = LiveLook.At(running);
        Assert.DoesNotContain(report.Member("verdicts").EnumerateArray(), v => v.Member("id").GetString() == "DUMP5002");
    }

    /// <summary>A loop that is served waits for the same object anew: it looks as if it stood there in two looks.</summary>
    [SkippableTheory]
    [InlineData("channel-slow")]
    [InlineData("turns-taken")]
    public void Loop_that_is_served_is_no_hang(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        for (int look = 0; look < Looks; look++)
        {
            (int exitCode, JsonElement report) = LiveLook.At(running);
            VerdictAssert.Is(null, exitCode, report);
        }
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(OnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene)
    {
        Skip.If(PrivateRuntimes.Shared.Add(version) is null, $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {version} is not restored");
        using LiveScene running = LinuxLab.StartOn(scene, version);
        (int exitCode, JsonElement report) = LiveLook.At(running, "--dac", PrivateRuntimes.Shared.Frameworks);
        VerdictAssert.Is(StandsStill, exitCode, report);
    }

    private static void Check(JsonElement verdict, string method, string awaited, string first)
    {
        Assert.Equal($"{Type}{method}", Assert.Single(verdict.Member("asyncMethods").EnumerateArray()).GetString());
        string[] claims = [.. verdict.Member("claims").EnumerateArray().Select(c => c.Member("text").GetString()!)];
        Assert.Matches($@"^24 calls of {Type}{method} DemandScenes\.cs:~?\d+ wait for {awaited} ", claims[0]);
        Assert.Matches($"^All that stood there in {first}(, [0-9.]+ s earlier,)? stand there still", claims[1]);
    }

    public void Dispose() => _lab.Dispose();
}
