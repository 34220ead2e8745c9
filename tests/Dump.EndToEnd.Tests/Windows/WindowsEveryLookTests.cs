using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Managed;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>
/// Every native sample and its twins, and every scene of .NET 10 and 8, looked at while they live under Wine. A native one gets the verdicts of its dump by
/// Microsoft's writer; a scene gets the verdict that it has everywhere. Not part of the usual tests: CONTRIBUTING.md has the command; 15 to 30 minutes.
/// </summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Matrix")]
public sealed class WindowsEveryLookTests
{
    private const int MostLooks = 3;

    /// <summary>
    /// Samples that compute, or do something else at each moment: a look knows how much processor time each thread uses just then, a dump how much it has used,
    /// so that either may be surer. Those that are healthy are at most suspected.
    /// </summary>
    private static readonly HashSet<string> s_computing =
        ["spin-owner", "runaway", "busy-clients", "busy-readers", "busy-pollers", "ui-compute", "ui-hung", "loader-attach --spin",
            "pool-callbacks --healthy"];

    // Scenes that do not come up there: Wine tells no child process that the first could wait for, a number of .NET 10's threads does not come again for the
    // second, and .NET 8 finds no busy thread for the third.
    private static readonly HashSet<(string? Version, string Scene)> s_absent =
        [(null, "process-wait"), ("10.0.12", "monitor-reused-worker"), ("8.0.30", "dictionary-cycle")];

    // .NET 8 has no System.Threading.Lock.
    private static readonly HashSet<string> s_locks = ["lock-cycle", "lock-orphan", "lock-slow-owner", "lock-timed", "mixed-cycle"];

    // That nothing is left to end all waits is known on Linux alone.
    private static readonly Dictionary<string, string?> s_different = new(StringComparer.Ordinal) { ["nobody-releases"] = null };

    /// <summary>Sample and option.</summary>
    public static TheoryData<string> Samples =>
    [
        .. new[]
        {
            "loader-exit", "loader-exit --victims", "loader-exit --owner-word", "loader-exit --healthy", "loader-attach", "loader-attach --process-attach",
            "loader-attach --slow-owner", "loader-attach --spin", "loader-attach --healthy", "loader-join", "loader-join --healthy", "process-exit",
            "process-exit --lock", "process-exit --limited", "cs-cycle2", "cs-cycle3", "cs-orphan", "slow-owner", "diamond", "head-blocker",
            "head-blocker --healthy", "head-blocker --few", "head-blocker --peb-lock", "suspended-owner", "suspended-owner --healthy", "spin-owner", "runaway",
            "busy-clients", "busy-clients --stopped", "busy-readers", "busy-readers --stopped", "busy-pollers", "busy-pollers --stopped",
            "busy-pollers --sleep", "busy-pollers --sleep-stopped", "pool-callbacks", "pool-callbacks --healthy", "pipe-readers", "pipe-readers --healthy", "timed-wait", "idle",
            "mutex-cycle", "srw-cycle", "srw-cycle --slow-owner", "address-waits", "init-once", "init-once --self", "init-once --slow", "heap-lock",
            "heap-lock --healthy", "mutex-section", "join-section", "join-section --healthy", "join-section --alertable", "wait-all", "wait-any",
            "wait-any --open", "self-join", "process-wait", "outside", "ui-idle", "ui-modal", "ui-event", "ui-event --short", "ui-hung", "ui-hung --pumping",
            "ui-lock", "ui-lock --slow-owner", "ui-send", "ui-join", "ui-compute", "ui-sleep", "ui-message-wait", "ui-message-wait --any-message", "ui-cycle",
            "ui-none", "startup-lock", "posix-mutexes",
        },
    ];

    /// <summary>Runtime, scene, expected verdict or null.</summary>
    public static TheoryData<string, string, string?> Scenes
    {
        get
        {
            TheoryData<string, string, string?> all = [];
            foreach (string version in (string[])["10.0.12", "8.0.30"])
            {
                foreach ((string scene, string? expected) in SceneMatrixTests.Scenes().Where(s => IsThere(version, s.Scene)))
                {
                    all.Add(version, scene, s_different.GetValueOrDefault(scene, SceneMatrixTests.Living(scene, expected))!);
                }
            }

            return all;
        }
    }

    [SkippableTheory]
    [MemberData(nameof(Samples))]
    public void Living_sample_gets_the_verdicts_of_its_dump(string sample)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        string[] words = sample.Split(' ');
        (int exitCode, JsonElement ofDump) = DumpAnalyze.Json(WineLab.Shared.Dump(words[0], DumpKind.Full, words[1..]).Path);
        using WineSample living = WineSample.Start(words);
        (int exitCodeOfLook, JsonElement report, _) = WindowsLook.At(living);
        if (!s_computing.Contains(sample) && !s_computing.Contains(words[0]))
        {
            Assert.Equal((exitCode, Verdicts(ofDump)), (exitCodeOfLook, Verdicts(report)));
            return;
        }

        JsonElement[] sure = [.. ofDump.Member("verdicts").EnumerateArray().Where(v => v.Member("confidence").GetString() != "Suspected")];
        Assert.Superset(sure.Select(Id).ToHashSet(), report.Member("verdicts").EnumerateArray().Select(Id).ToHashSet());
        if (sample.StartsWith("busy-", StringComparison.Ordinal) || sample is "ui-hung --pumping" or "pool-callbacks --healthy")
        {
            VerdictAssert.IsAtMostSuspected(report);
        }
    }

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Living_scene_gets_its_verdict(string version, string scene, string? expected)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(version);
        Skip.If(unavailable is not null, unavailable);
        using WineSample living = WineSample.Start(ManagedWineLab.Command(version, scene));
        (int exitCode, JsonElement report, _) = WindowsLook.At(living, "--dac", WineLab.WindowsPath(runtime!));
        for (int look = 1; look < MostLooks && report.Member("undecidable").GetBoolean() && expected != "DUMP9001"; look++)
        {
            (exitCode, report, _) = WindowsLook.At(living, "--dac", WineLab.WindowsPath(runtime!));
        }

        VerdictAssert.Is(expected, exitCode, report);
    }

    private static bool IsThere(string version, string scene) => !scene.StartsWith("pthread-", StringComparison.Ordinal)
        && !(version == "8.0.30" && s_locks.Contains(scene)) && !s_absent.Contains((version, scene)) && !s_absent.Contains((null, scene));

    private static string Id(JsonElement verdict) => verdict.Member("id").GetString()!;

    private static string Verdicts(JsonElement report) => string.Join('\n', report.Member("verdicts").EnumerateArray()
        .Select(v => $"{v.Member("id").GetString()} {v.Member("confidence").GetString()}").Order(StringComparer.Ordinal));
}
