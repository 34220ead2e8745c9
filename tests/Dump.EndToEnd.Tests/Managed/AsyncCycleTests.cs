using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Async methods that await each other: the verdict on them, which no thread shows.</summary>
[SupportedOSPlatform("linux")]
public sealed partial class AsyncCycleTests : IDisposable
{
    private const string SceneType = "Dump.Samples.Managed.Scenes.AsyncScenes.";
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new() { { "async-cycle", "DUMP1002" }, { "async-ring", null } };

    /// <summary>Scene and verdict on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(Scenes, "8.0.0", "9.0.18");

    [SkippableFact]
    public void Methods_that_await_each_other_are_named_with_their_number()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("async-cycle");
        JsonElement verdict = SceneVerdicts.CheckCore(_lab, running, "async-cycle", "DUMP1002").Member("verdicts")[0];
        Assert.Equal(
            [$"{SceneType}PlaceOrderAsync", $"{SceneType}WriteInvoiceAsync"], verdict.Member("asyncMethods").EnumerateArray().Select(m => m.GetString()));
        string[] claims = [.. verdict.Member("claims").EnumerateArray().Select(c => c.Member("text").GetString()!)];
        Assert.StartsWith("3 tasks await each other and none can go on, a deadlock", claims[0], StringComparison.Ordinal);
        Assert.Contains(claims, c => AwaitWithLine().IsMatch(c));
        Assert.Contains("2 more cycles of the same methods stand beside it.", claims);
        Assert.Contains("1 further async method awaits one of these tasks, directly or through others.", claims);
        SceneVerdicts.CheckLiving(running, "DUMP1002");
    }

    [SkippableFact]
    public void Ring_in_which_one_waits_with_a_limit_is_no_hang()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("async-ring");
        SceneVerdicts.CheckCore(_lab, running, "async-ring", null);
        SceneVerdicts.CheckLiving(running, null);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected) => SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);

    public void Dispose() => _lab.Dispose();

    [GeneratedRegex(@"^\S+WriteInvoiceAsync \w+\.cs:~?\d+ \(task 0x[0-9a-f]+\) awaits ")]
    private static partial Regex AwaitWithLine();
}
