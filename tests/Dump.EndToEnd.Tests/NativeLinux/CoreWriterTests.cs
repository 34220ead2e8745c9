using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>Hangs of native programs on the cores of gcore and of the kernel: the same answer as on the core that this program keeps.</summary>
[SupportedOSPlatform("linux")]
public sealed class CoreWriterTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-core-writers-").FullName;

    /// <summary>Scene and expected verdict, DUMP9001 for what stores no owner; a few of them, and the rest.</summary>
    public static TheoryData<string, string> Scenes => new()
    {
        { "writers", "DUMP1002" },
        { "inheriting-cycle", "DUMP1002" },
        { "static-cycle", "DUMP9001" },
    };

    /// <inheritdoc cref="Scenes"/>
    public static TheoryData<string, string> FurtherScenes
    {
        get
        {
            string[] known = [.. Scenes.Select(s => (string)((object[])s)[0])];
            TheoryData<string, string> all = [];
            foreach (object[] scene in NativeLockVerdictTests.Scenes.Concat(NativeLockVerdictTests.FurtherScenes).Where(s => !known.Contains(s[0])))
            {
                all.Add((string)scene[0], (string)scene[1]);
            }

            foreach (string scene in (string[])
                [
                    "static-init", "stuck-once", "locked-file", "locked-range", "locked-files", "locked-open-file", "own-locked-open-file", "calls",
                    "initialised", "empty-ring", "own-ends", "several-words", "held-arena",
                ])
            {
                all.Add(scene, "DUMP9001");
            }

            return all;
        }
    }

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Core_of_the_debugger_gets_its_verdict(string scene, string expected)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        AssertIs(expected, DumpAnalyze.Json(NativeLinuxLab.CoreByDebugger(scene, _directory)));
    }

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Core_of_the_kernel_gets_its_verdict(string scene, string expected)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        KernelCores.SkipWithoutThem();
        AssertIs(expected, DumpAnalyze.Json(NativeLinuxLab.CoreByKernel(scene, _directory)));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_core_of_the_debugger_gets_its_verdict(string scene, string expected) => Core_of_the_debugger_gets_its_verdict(scene, expected);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_core_of_the_kernel_gets_its_verdict(string scene, string expected) => Core_of_the_kernel_gets_its_verdict(scene, expected);

    /// <summary>An owner that executes code while two wait for its lock: looks like a busy one, which two cores would tell.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Spinning_owner_is_suspected_living_and_in_both()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        KernelCores.SkipWithoutThem();
        using (LiveScene running = NativeLinuxLab.Start("spin-owner", rests: false))
        {
            AssertIs("DUMP2001 Suspected", LiveLook.At(running));
            AssertIs("DUMP2001 Suspected", DumpAnalyze.Json(NativeLinuxLab.CoreByDebugger(running, _directory)));
        }

        AssertIs("DUMP2001 Suspected", DumpAnalyze.Json(NativeLinuxLab.CoreByKernel("spin-owner", Directory.CreateDirectory(
            Path.Combine(_directory, "kernel")).FullName)));
    }

    /// <summary>The healthy twins: locks of every kind, conditions, barriers, joins, forks, libraries and streams in use.</summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("busy")]
    [InlineData("inheriting-busy")]
    [InlineData("busy-signals")]
    [InlineData("busy-kinds")]
    [InlineData("file-turns")]
    public void Cores_of_a_busy_program_have_no_verdict(string scene)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        KernelCores.SkipWithoutThem();
        VerdictAssert.IsAtMostSuspected(DumpAnalyze.Json(NativeLinuxLab.CoreByDebugger(scene, _directory, rests: false)).Report);
        VerdictAssert.IsAtMostSuspected(DumpAnalyze.Json(NativeLinuxLab.CoreByKernel(
            scene, Directory.CreateDirectory(Path.Combine(_directory, "kernel")).FullName)).Report);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static void AssertIs(string expected, (int ExitCode, JsonElement Report) look)
    {
        if (expected == "DUMP9001")
        {
            Assert.Equal(13, look.ExitCode);
            Assert.Empty(look.Report.Member("verdicts").EnumerateArray());
            return;
        }

        VerdictAssert.Is(expected, look.ExitCode, look.Report);
    }
}
