using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Async methods without state machines, which .NET 11 suspends itself: living programs, hung ones and their busy twins.</summary>
[SupportedOSPlatform("linux")]
public sealed class RuntimeAsyncTests
{
    private const string Version = "11.0.0";

    /// <summary>Scene, expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "sync-over-async-context", "DUMP1006" },
        { "async-lock-cycle", "DUMP1002" },
        { "async-lock-elsewhere", null },
        { "semaphore-requests", "DUMP5002 Suspected" },
        { "semaphore-busy", null },
    };

    /// <summary>What differs from these in the scene, not in how the methods are suspended.</summary>
    public static TheoryData<string, string?> FurtherScenes => new()
    {
        { "async-lock-cycle-all", "DUMP1002" },
        { "async-lock-cycle-awaited", "DUMP1002" },
        { "async-lock-cycle-unwrapped", "DUMP1002" },
        { "async-lock-cycle-continued", "DUMP1002" },
        { "pool-starvation", "DUMP1007" },
        { "semaphore-leaked", "DUMP5001 Suspected" },
        { "semaphore-shared", "DUMP9001" },
        { "semaphore-held", "DUMP9001" },
        { "semaphore-reentered", "DUMP9001" },
        { "semaphore-crossed", "DUMP9001" },
        { "turns-taken", null },
        { "channel-slow", null },
        { "abandoned-channel", "DUMP5001 Suspected" },
        { "served-channel", null },
        { "source-requests", "DUMP5002 Suspected" },
        { "source-listeners", null },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_gets_its_verdict(string scene, string? expected)
    {
        using LiveScene running = Start(scene);
        (int exitCode, JsonElement report) = LiveLook.UntilDecided(running, expected, "--dac", PrivateRuntimes.Shared.Frameworks);
        VerdictAssert.Is(expected, exitCode, report);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_scene_gets_its_verdict(string scene, string? expected) => Scene_gets_its_verdict(scene, expected);

    /// <summary>All pending methods are counted, and each names itself and the line of its await.</summary>
    [SkippableFact]
    public void Pending_methods_are_listed_with_the_lines_of_their_awaits()
    {
        using LiveScene running = Start("semaphore-requests");
        DumpAnalyze run = DumpAnalyze.Run("tasks", "live", $"{running.ProcessId}", "--format", "json", "--dac", PrivateRuntimes.Shared.Frameworks);
        JsonElement tasks = JsonDocument.Parse(run.Output).RootElement;
        JsonElement[] steps = [.. tasks.Member("chains")[0].Member("steps").EnumerateArray()];
        JsonElement own = Assert.Single(steps, s => s.Member("name").GetString() == "Dump.Samples.Managed.Scenes.SemaphoreScenes.Store.ReadAsync");
        string[] lines = File.ReadAllLines(Path.Combine(Repository.Root, "samples", "managed", "Scenes", "SemaphoreScenes.cs"));
        string source = lines[own.Member("source").Member("line").GetInt32() - 1];
        Assert.Contains("await ", source, StringComparison.Ordinal);
        Assert.Contains("WaitAsync", source, StringComparison.Ordinal);
    }

    private static LiveScene Start(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.If(PrivateRuntimes.Shared.Add(Version) is null, $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {Version} is not restored");
        return LinuxLab.StartRuntimeAsync(scene, Version);
    }
}
