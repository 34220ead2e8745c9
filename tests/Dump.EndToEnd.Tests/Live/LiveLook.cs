using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>The program's look at a scene that is running.</summary>
[SupportedOSPlatform("linux")]
internal static class LiveLook
{
    private const int MostLooks = 3;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    public static (int ExitCode, JsonElement Report) At(LiveScene scene, params string[] options)
    {
        DumpAnalyze run = DumpAnalyze.Run(["live", $"{scene.ProcessId}", "--format", "json", .. options]);
        Assert.True(run.Output.Length > 0, run.Error);
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }

    /// <summary>The look at a scene that rests, and that at the core of the same moment, which it keeps; the scene goes on in between.</summary>
    /// <param name="scene">The scene.</param>
    /// <param name="directory">A folder for the core, which is the caller's to remove.</param>
    public static (int ExitCode, JsonElement Report)[] WithCore(LiveScene scene, string directory)
    {
        string core = Path.Combine(directory, "core");
        (int ExitCode, JsonElement Report) living = At(scene, "--keep", core);
        AssertGoesOn(scene);
        return [living, DumpAnalyze.Json(core)];
    }

    /// <summary>
    /// Looks again where a look cannot decide, as nothing but <c>DUMP9001</c> expects: one look in thirty at a thread that computes finds it where the runtime
    /// cannot walk its stack, and says so.
    /// </summary>
    public static (int ExitCode, JsonElement Report) UntilDecided(LiveScene scene, string? expected, params string[] options)
    {
        (int exitCode, JsonElement report) = At(scene, options);
        for (int look = 1; look < MostLooks && report.Member("undecidable").GetBoolean() && expected != "DUMP9001"; look++)
        {
            (exitCode, report) = At(scene, options);
        }

        return (exitCode, report);
    }

    /// <summary>Native programs at work: nothing above a suspicion in any look, and never an all-clear, which one moment of them does not tell.</summary>
    public static void AssertStaysHealthy(LiveScene scene, int looks)
    {
        for (int look = 0; look < looks; look++)
        {
            (int exitCode, JsonElement report) = At(scene);
            VerdictAssert.IsAtMostSuspected(report);
            Assert.Contains(exitCode, (int[])[12, 13]);
        }

        AssertGoesOn(scene);
    }

    public static void AssertGoesOn(LiveScene scene)
    {
        // The system lets the threads go one after the other.
        Assert.True(SpinWait.SpinUntil(() => scene.Tracer == 0 && !scene.ThreadStates.Any(s => s is 'T' or 't'), s_limit), scene.ThreadStates);
    }
}
