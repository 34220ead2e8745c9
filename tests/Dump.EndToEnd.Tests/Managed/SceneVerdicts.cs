using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Scenes with the verdict that is expected of them: as a core, living, on another runtime.</summary>
[SupportedOSPlatform("linux")]
internal static class SceneVerdicts
{
    private const int MostCores = 3;

    /// <summary>
    /// Checks a core of a running scene, and gives the report on it. Of some hundred cores one stops a thread in the middle of making an object, where the heap
    /// cannot be walked and the report rightly says so: another one is made.
    /// </summary>
    public static JsonElement CheckCore(LinuxLab lab, LiveScene running, string scene, string? expected)
    {
        (_, (int exitCode, JsonElement report)) =
            ThrowingMoment.OfCores(MostCores, Make(), Make, d => DumpAnalyze.Json(d.Path), r => IsInWork(r.Report));
        VerdictAssert.Is(expected, exitCode, report);
        return report;

        LabDump Make() => lab.Dump(running, scene);
    }

    private static bool IsInWork(JsonElement report) => report.Member("detectors").EnumerateArray().SelectMany(d => d.Member("missing").EnumerateArray())
        .Any(m => m.Member("kind").GetString() == nameof(MissingKind.AsyncMethodsOfHeap));

    /// <summary>Checks a look at a running scene.</summary>
    public static void CheckLiving(LiveScene running, string? expected, params string[] options)
    {
        (int exitCode, JsonElement report) = LiveLook.At(running, options);
        VerdictAssert.Is(expected, exitCode, report);
    }

    /// <summary>Checks a core of a scene on a private runtime.</summary>
    public static void CheckCoreOf(LinuxLab lab, string version, string scene, string? expected)
    {
        (_, (int exitCode, JsonElement report)) = ThrowingMoment.Passed(
            scene, RuntimeCores.Make(lab, version, scene), () => RuntimeCores.Make(lab, version, scene),
            d => DumpAnalyze.Json(d.Path, "--dac", PrivateRuntimes.Shared.Frameworks), r => r.Report.Member("verdicts").GetArrayLength() == 0);
        VerdictAssert.Is(expected, exitCode, report);
    }

    /// <summary>Scenes with their verdicts on each of several runtimes.</summary>
    /// <param name="scenes">The scenes: name and verdict come first.</param>
    /// <param name="versions">The runtimes.</param>
    public static TheoryData<string, string, string?> On(IEnumerable<object?[]> scenes, params string[] versions)
    {
        TheoryData<string, string, string?> all = [];
        foreach (object?[] scene in scenes)
        {
            foreach (string version in versions)
            {
                all.Add(version, (string)scene[0]!, (string?)scene[1]);
            }
        }

        return all;
    }
}
