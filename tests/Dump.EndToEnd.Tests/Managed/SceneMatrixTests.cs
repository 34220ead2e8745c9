using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Every managed scene in every variant, as <c>lab/matrix.sh</c> prints it as a table: some hundred looks at living processes. The verdict does not depend on
/// the variant.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class SceneMatrixTests
{
    // Before .NET 10 nothing but native frames shows the wait for a class constructor.
    private static readonly Dictionary<(string Scene, string Version), string> s_different = new()
    {
        [("type-initializer-cycle", "8.0.0")] = "DUMP1002 Suspected",
        [("type-initializer-cycle", "9.0.18")] = "DUMP1002 Suspected",

        // The owner of a mutex is in native memory before .NET 11.
        [("mutex", "11.0.0")] = "DUMP1002",
    };

    // A look at a living process looks again where calls may stand still; a core is one look.
    private static readonly HashSet<string> s_standing = ["semaphore-requests", "source-requests", "pending-calls"];

    // System.Threading.Lock came with .NET 9.
    private static readonly HashSet<string> s_locks = ["lock-cycle", "lock-orphan", "lock-slow-owner", "lock-timed", "mixed-cycle"];

    /// <summary>Variant, scene, expected verdict or null.</summary>
    public static TheoryData<string, string, string?> Matrix
    {
        get
        {
            TheoryData<string, string, string?> all = [];
            foreach (SceneVariant variant in SceneVariant.All)
            {
                foreach ((string scene, string? expected) in Scenes().Where(s => variant.Version != "8.0.0" || !s_locks.Contains(s.Scene)))
                {
                    all.Add(variant.Name, scene, s_different.GetValueOrDefault((scene, variant.Version ?? ""), Living(scene, expected)!));
                }
            }

            return all;
        }
    }

    [SkippableTheory]
    [Trait("Category", "Matrix")]
    [MemberData(nameof(Matrix))]
    public void Scene_gets_its_verdict(string variant, string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        SceneVariant chosen = SceneVariant.All.Single(v => v.Name == variant);
        Skip.If(chosen.LeftOut(scene) is not null, chosen.LeftOut(scene));
        Skip.If(SingleFileLab.Installed.Unavailable is not null, SingleFileLab.Installed.Unavailable);
        Skip.If(chosen.Version is { } version && PrivateRuntimes.Shared.Add(version) is null,
            $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {chosen.Version} is not restored");
        using LiveScene running = chosen.Start(scene);
        string[] options = chosen.Version is null ? [] : ["--dac", PrivateRuntimes.Shared.Frameworks];
        (int exitCode, JsonElement report) = LiveLook.UntilDecided(running, expected, options);
        VerdictAssert.Is(expected, exitCode, report, amongWork: chosen.IsUnderLoad);
    }

    /// <summary>The verdict on a living process, where a core of it has another.</summary>
    internal static string? Living(string scene, string? ofCore) => s_standing.Contains(scene) ? "DUMP5002 Suspected" : ofCore;

    /// <summary>Each scene once, with its verdict or null.</summary>
    internal static IEnumerable<(string Scene, string? Expected)> Scenes() =>
        LinuxCoreVerdictTests.Scenes.Concat<object?[]>(LinuxCoreVerdictTests.FurtherScenes).Concat(AsyncOwnerTests.Scenes).Concat(AsyncOwnerTests.FurtherScenes)
            .Concat(RuntimeWaitTests.Scenes).Concat(RuntimeWaitTests.FurtherScenes).Concat(WarmCodeTests.Scenes).Concat(WarmCodeTests.FurtherScenes)
            .Concat(SemaphoreTests.Scenes).Concat(SourceWaitTests.Scenes).Concat(AsyncCycleTests.Scenes)
            .Select(s => ((string)s[0]!, (string?)s[1])).DistinctBy(s => s.Item1);
}
