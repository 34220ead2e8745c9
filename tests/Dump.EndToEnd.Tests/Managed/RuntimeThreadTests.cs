using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>What the runtime waits for without a verdict: foreground threads of a program whose Main has returned, and a finalizer that stands.</summary>
[SupportedOSPlatform("linux")]
public sealed class RuntimeThreadTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and verdict on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(
        [["main-returned", null], ["finalizer-alone", "DUMP9001"], ["finalizer-alone-slow", null]], "8.0.0", "9.0.18");

    [SkippableFact]
    public void Returned_main_names_the_foreground_threads_that_keep_the_process()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("main-returned");
        CheckMain(running, SceneVerdicts.CheckCore(_lab, running, "main-returned", null));
    }

    private static void CheckMain(LiveScene running, JsonElement report)
    {
        string text = Wait(report, running.Threads("main").Single()).Member("text").GetString()!;
        Assert.StartsWith("has returned from Main; 2 foreground threads keep the process alive: ", text, StringComparison.Ordinal);
        Assert.All(running.Threads("keeper-0").Concat(running.Threads("keeper-1")), t => Assert.Contains($"({t} ", text, StringComparison.Ordinal));
        Assert.Contains("RuntimeWaitScenes.Keep", text, StringComparison.Ordinal);
        Assert.DoesNotContain("'background'", text, StringComparison.Ordinal);
    }

    /// <summary>
    /// The frames of the executable lie below those of the runtime in the first thread's stack and have the program's name. That thread waits for the others to
    /// end and executes none of the program's code.
    /// </summary>
    [SkippableFact]
    public void Returned_main_of_a_program_with_its_own_executable_does_not_hide_that_everything_waits()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartByOwnExecutable("nobody-arrives");
        SceneVerdicts.CheckLiving(running, "DUMP5001 Suspected");
        CheckArrived(running, SceneVerdicts.CheckCore(_lab, running, "nobody-arrives", "DUMP5001 Suspected"));
    }

    private static void CheckArrived(LiveScene running, JsonElement report) =>
        Assert.Equal(running.Threads("early-0").Concat(running.Threads("early-1")).Order(), VerdictAssert.Threads(report));

    [SkippableFact]
    public void Program_whose_main_runs_says_nothing_of_it()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (_, JsonElement report) = DumpAnalyze.Json(_lab.Dump("idle").Path);
        Assert.DoesNotContain("has returned from Main", report.Member("openWaits").GetRawText(), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("finalizer-alone", "DUMP9001", true)]
    [InlineData("finalizer-alone-slow", null, false)]
    public void Finalizer_that_stands_is_named_before_anybody_waits_for_it(string scene, string? expected, bool leavesUndecided)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement wait = Wait(SceneVerdicts.CheckCore(_lab, running, scene, expected), running.Threads("finalizer").Single());
        Assert.Contains("Finalized.Finalize, behind which all others wait,", wait.Member("why").GetString(), StringComparison.Ordinal);
        Assert.Equal(leavesUndecided, wait.Member("undecided").GetBoolean());
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected)
    {
        LabDump dump = RuntimeCores.Make(_lab, version, scene);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path, "--dac", PrivateRuntimes.Shared.Frameworks);
        VerdictAssert.Is(expected, exitCode, report);
        Assert.Matches("has returned from Main; 2 foreground threads|behind which all others wait", report.Member("openWaits").GetRawText());
    }

    private static JsonElement Wait(JsonElement report, uint thread) =>
        Assert.Single(report.Member("openWaits").EnumerateArray(), w => w.Member("thread").GetUInt32() == thread);

    public void Dispose() => _lab.Dispose();
}
