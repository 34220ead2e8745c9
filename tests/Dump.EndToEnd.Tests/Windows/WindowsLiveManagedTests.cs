using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>Scenes on Windows runtimes, looked at while they live under Wine, get their verdicts from both halves; healthy ones get none.</summary>
public sealed class WindowsLiveManagedTests
{
    private const int MostLooks = 3;

    /// <summary>Runtime, scene, expected verdict or null, roles of the threads that it must name.</summary>
    public static TheoryData<string, string, string?, string[]> Scenes => new()
    {
        { "10.0.12", "mixed-cycle", "DUMP1002", ["owns-monitor", "owns-lock", "owns-table"] },
        { "10.0.12", "idle", null, [] },
        { "8.0.30", "task-wait-cycle", "DUMP1002", ["waiter", "worker"] },
    };

    /// <summary>More of the same.</summary>
    public static TheoryData<string, string, string?, string[]> FurtherScenes => new()
    {
        { "8.0.30", "pool-starvation", "DUMP1007", [] },
        { "10.0.12", "native-cycle", "DUMP1002", ["owns-native", "owns-monitor"] },
        { "10.0.12", "sync-over-async-context", "DUMP1006", ["context"] },
        { "10.0.12", "monitor-timed", null, [] },
        { "10.0.12", "monitor-orphan", "DUMP1003", [] },
        { "10.0.12", "monitor-slow-owner", "DUMP9001", [] },
        { "8.0.30", "monitor-cycle2", "DUMP1002", ["transfer-0", "transfer-1"] },
        { "8.0.30", "join-cycle", "DUMP1002", ["joining", "joined"] },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Living_scene_gets_its_verdict(string version, string scene, string? expected, string[] roles)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(version);
        Skip.If(unavailable is not null, unavailable);
        using WineSample living = WineSample.Start(ManagedWineLab.Command(version, scene));
        (int exitCode, JsonElement report) = Look();

        // A look may catch a thread of the runtime in the act of ending, which is rightly undecidable.
        for (int look = 1; look < MostLooks && exitCode == 13 && expected != "DUMP9001"; look++)
        {
            (exitCode, report) = Look();
        }

        VerdictAssert.Is(expected, exitCode, report);
        Assert.Equal("living Windows process, full memory", report.Member("source").Member("kind").GetString());
        if (roles.Length > 0)
        {
            Assert.Equal(roles.Select(living.Facts.Thread).Order(), VerdictAssert.Threads(report));
        }

        (int ExitCode, JsonElement Report) Look()
        {
            (int code, JsonElement read, _) = WindowsLook.At(living, "--dac", WineLab.WindowsPath(runtime!));
            return (code, read);
        }
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_living_scene_gets_its_verdict(string version, string scene, string? expected, string[] roles) =>
        Living_scene_gets_its_verdict(version, scene, expected, roles);
}
