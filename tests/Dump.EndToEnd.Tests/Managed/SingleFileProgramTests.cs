using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Programs in a single file, with the runtime inside, get the verdicts of others, living and as cores of all memory.</summary>
[SupportedOSPlatform("linux")]
public sealed class SingleFileProgramTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Runtime, scene and expected verdict or null.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(
        new TheoryData<string, string?> { { "monitor-cycle2", "DUMP1002" }, { "task-wait-cycle", "DUMP1002" }, { "pool-starvation", "DUMP1007" },
            { "events", null } },
        "8.0.30", "9.0.18");

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("task-wait-cycle", "DUMP1002")]
    [InlineData("nobody-releases", "DUMP5001 Suspected")]
    [InlineData("events", null)]
    public void Scene_gets_its_verdict_living_and_as_a_core(string scene, string? expected)
    {
        using LiveScene running = Start(scene, SingleFileLab.Installed);
        SceneVerdicts.CheckLiving(running, expected);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump(running, scene, "full").Path);
        VerdictAssert.Is(expected, exitCode, report);
    }

    /// <summary>In a container, by gcore from outside: the core has the ids that are known outside, and the runtime knows others.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Core_of_a_container_that_a_debugger_writes_outside_of_it_gets_its_verdict()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.If(SingleFileLab.Installed.Unavailable is not null, SingleFileLab.Installed.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to make a namespace for process ids");
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        string directory = Directory.CreateTempSubdirectory("dump-single-file-").FullName;
        try
        {
            using LiveScene running = LinuxLab.StartProgramInNamespace("monitor-cycle2", SingleFileLab.Installed.Program);
            File.WriteAllText($"/proc/{running.ProcessId}/coredump_filter", "0x3f");
            (int exitCode, JsonElement report) = DumpAnalyze.Json(NativeLinuxLab.CoreByDebugger(running, directory));
            VerdictAssert.Is("DUMP1002", exitCode, report);
            Assert.Equal(running.Threads("transfer-0").Concat(running.Threads("transfer-1")).Order(), VerdictAssert.Threads(report));
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    /// <summary>createdump does not look for a runtime inside of a program, and keeps the memory of no file for it.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Core_without_the_program_s_own_memory_says_what_is_missing()
    {
        using LiveScene running = Start("task-wait-cycle", SingleFileLab.Installed);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump(running, "task-wait-cycle").Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
        string missing = report.Member("missing").GetRawText();
        Assert.Contains("whether this process runs .NET", missing, StringComparison.Ordinal);
        Assert.Contains("createdump --full PID", missing, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Runtime_that_is_not_installed_is_named_and_read_with_its_library(string version, string scene, string? expected)
    {
        using LiveScene running = Start(scene, SingleFileLab.On(version));
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(13, exitCode);
        Assert.Matches($"of the \\.NET runtime {version.Replace(".", @"\.", StringComparison.Ordinal)} with build id [0-9a-f]{{40}}, which is inside the program", report.Member("missing").GetRawText());
        SceneVerdicts.CheckLiving(running, expected, "--dac", PrivateRuntimes.PackageDirectory(version));
    }

    public void Dispose() => _lab.Dispose();

    private static LiveScene Start(string scene, SingleFileLab program)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.If(program.Unavailable is not null, program.Unavailable);
        return LinuxLab.StartProgram(scene, program.Program);
    }
}
