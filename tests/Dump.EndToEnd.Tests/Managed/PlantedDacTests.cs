using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// A data-access library that lies where only the dump says that the runtime lay is never loaded, though it is named and identified as the real one. Each test
/// ends with the proof that the planted library leaves its trace when the user names its directory.
/// </summary>
public sealed class PlantedDacTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-planted-").FullName;

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void Library_beside_the_path_of_a_core_is_not_loaded()
    {
        const string Planted = "8.0.99";
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string? framework = PrivateRuntimes.Shared.Add("8.0.0");
        Skip.If(framework is null, "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 8.0.0 is not restored");

        // The muxer takes the directory's name for the version.
        string planted = Path.Combine(PrivateRuntimes.Shared.Frameworks, Planted);
        try
        {
            Place(framework, planted, (from, to) => File.Copy(from, to));
            using LinuxLab lab = new();
            LabDump dump = lab.DumpOn("monitor-cycle2", Planted, planted);
            string library = Path.Combine(planted, "libmscordaccore.so");
            string? unavailable = PlantedLibrary.ReplaceLinux(library);
            Skip.If(unavailable is not null, unavailable);

            DumpAnalyze run = DumpAnalyze.Run(dump.Path);
            Assert.Equal(13, run.ExitCode);
            Assert.False(File.Exists(PlantedLibrary.TraceOf(library)), "the planted library was loaded");

            DumpAnalyze named = DumpAnalyze.Run(dump.Path, "--dac", planted);
            Assert.Equal(13, named.ExitCode);
            Assert.True(File.Exists(PlantedLibrary.TraceOf(library)), "the planted library leaves no trace: this test proves nothing");
        }
        finally
        {
            Directory.Delete(planted, recursive: true);
        }
    }

    /// <summary>
    /// A service of root reads a file of user 4242 that is called as the runtime and is its very copy; beside it lies another library than the runtime's.
    /// </summary>
    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void Library_beside_a_file_that_a_process_of_root_only_reads_is_not_loaded()
    {
        const string Monitors = "monitor-cycle2";
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to give files to another user");
        string planted = Path.Combine(_directory, "upload");
        Place(RuntimeEnvironment.GetRuntimeDirectory(), planted, (from, to) => File.Copy(from, to));
        string library = Path.Combine(planted, "libmscordaccore.so"), mapping = Path.Combine(_directory, "mapping.so");
        string? unavailable = PlantedLibrary.ReplaceLinux(library) ?? PlantedLibrary.BuildMapping(mapping);
        Skip.If(unavailable is not null, unavailable);
        Owner("4242", planted);
        string mapped = Path.Combine(planted, "libcoreclr.so");
        using LiveScene scene = LinuxLab.StartWith(Monitors, ("LD_PRELOAD", mapping), ("MAPPED_FILE", mapped));
        Assert.Equal(mapped, File.ReadLines($"/proc/{scene.ProcessId}/maps").First(l => l.EndsWith("/libcoreclr.so", StringComparison.Ordinal)).Split(' ')[^1]);

        DumpAnalyze run = DumpAnalyze.Run("live", $"{scene.ProcessId}");
        Assert.True(run.ExitCode == 10 && run.Output.Contains("DUMP1002", StringComparison.Ordinal), $"{run.ExitCode}: {run.Output}{run.Error}");
        Assert.Equal(10, DumpAnalyze.Run("live", $"{scene.ProcessId}", "--dac", planted).ExitCode);
        using LinuxLab lab = new();
        string core = lab.Dump(Monitors).Path;
        Assert.Equal(10, DumpAnalyze.Run(core, "--dac", planted).ExitCode);
        Assert.False(File.Exists(PlantedLibrary.TraceOf(library)), "the planted library was loaded");

        Owner("0", planted);
        Assert.NotEqual(10, DumpAnalyze.Run(core, "--dac", planted).ExitCode);
        Assert.True(File.Exists(PlantedLibrary.TraceOf(library)), "the planted library leaves no trace: this test proves nothing");
    }

    private static void Owner(string user, string folder)
    {
        using Process chown = Process.Start("chown", ["-R", user, folder]);
        chown.WaitForExit();
        Assert.Equal(0, chown.ExitCode);
    }

    [SkippableFact]
    public void Library_beside_the_path_of_a_Windows_dump_is_not_loaded()
    {
        const string Version = "8.0.30";
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? missing) = ManagedWineLab.Runtime(Version);
        Skip.If(missing is not null, missing);
        string planted = Path.Combine(_directory, "runtime");
        Place(runtime!, planted, (from, to) => File.CreateSymbolicLink(to, from));
        using ManagedWineLab lab = new();
        LabDump dump = lab.DumpAnew(Version, "monitor-cycle2", planted);
        string library = Path.Combine(planted, "mscordaccore.dll");
        string? unavailable = PlantedLibrary.ReplaceWindows(library);
        Skip.If(unavailable is not null, unavailable);

        Assert.Equal(13, UnderWine(dump).ExitCode);
        Assert.False(File.Exists(PlantedLibrary.TraceOf(library)), "the planted library was loaded");

        Assert.Equal(13, UnderWine(dump, "--dac", planted).ExitCode);
        Assert.True(File.Exists(PlantedLibrary.TraceOf(library)), "the planted library leaves no trace: this test proves nothing");
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static DumpAnalyze UnderWine(LabDump dump, params string[] options) =>
        DumpAnalyze.RunIn([("WINEPREFIX", WineLab.Prefix)], [dump.Path, "--wine", ManagedWineLab.Program, .. options]);

    /// <summary>A directory with the same files at another path. A core names the files that links lead to, so there they must be copies.</summary>
    private static void Place(string from, string to, Action<string, string> place)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.EnumerateFiles(from))
        {
            place(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }
}
