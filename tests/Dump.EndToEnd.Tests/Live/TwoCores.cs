using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Two cores of one scene, by the program itself, which records the CPU times.</summary>
[SupportedOSPlatform("linux")]
internal static class TwoCores
{
    private static readonly TimeSpan s_apart = TimeSpan.FromSeconds(2.2);

    /// <summary>Makes them; they lie in the directory.</summary>
    public static string[] Of(LiveScene scene, string directory, Action between)
    {
        string[] paths = [Path.Combine(directory, "first.core"), Path.Combine(directory, "second.core")];
        foreach (string path in paths)
        {
            Assert.True(DumpAnalyze.Run("live", $"{scene.ProcessId}", "--interval", "100ms", "--keep", path).ExitCode is 0 or 10 or 11 or 12);
            if (path == paths[0])
            {
                between();
                Thread.Sleep(s_apart);
            }
        }

        return paths;
    }

    /// <summary>What the first verdict says last: what the two together show.</summary>
    public static string LastClaim(JsonElement report) =>
        report.Member("verdicts")[0].Member("claims").EnumerateArray().Last().Member("text").GetString()!;
}
