using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Managed;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>DbgShim of .NET Core 3.1.3 lists the runtime of a living process; without it nothing changes; one that nobody may trust is not loaded.</summary>
[SupportedOSPlatform("linux")]
public sealed class DbgShimTests : IDisposable
{
    private static readonly string s_library = Path.Combine(PrivateRuntimes.PackageDirectory("3.1.3"), "libdbgshim.so");
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-shim-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [SkippableFact]
    public void Runtime_of_a_living_process_is_listed()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(File.Exists(s_library), "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 3.1.3 is not restored");
        using LiveScene running = LinuxLab.StartApart("monitor-cycle2");
        (int exitCode, JsonElement report) = LiveLook.UntilDecided(running, "DUMP1002", "--dbgshim", s_library);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        string? origin = report.Member("source").Member("managedHalf").GetString();
        Assert.Matches(@"^DbgShim lists /.*/libcoreclr\.so \(.+\)$", origin);
    }

    /// <summary>The process has one beside its own runtime, which only the process names; the proof is the same file, named by the user.</summary>
    [SkippableFact]
    public void Library_beside_the_process_own_runtime_is_not_loaded()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string? runtime = PrivateRuntimes.Shared.Add("8.0.0");
        Skip.If(runtime is null, "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 8.0.0 is not restored");
        string planted = Path.Combine(runtime, "libdbgshim.so"), trace = PlantedLibrary.TraceOf(planted);
        try
        {
            string? unavailable = PlantedLibrary.ReplaceLinux(planted);
            Skip.If(unavailable is not null, unavailable);
            using LiveScene running = LinuxLab.StartWarmOn("idle", "8.0.0");
            Assert.DoesNotContain("DbgShim", LiveLook.At(running).Report.GetRawText(), StringComparison.Ordinal);
            Assert.False(File.Exists(trace), "the planted library was loaded");

            string? named = LiveLook.At(running, "--dbgshim", planted).Report.Member("source").Member("managedHalf").GetString();
            Assert.True(File.Exists(trace), "the planted library leaves no trace: this test proves nothing");
            Assert.StartsWith("DbgShim does not tell which runtimes run: it lacks EnumerateCLRs", named, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(planted);
            File.Delete(trace);
        }
    }

    [Theory]
    [InlineData("none.so", null, "does not exist")]
    [InlineData("text.so", "#!/bin/sh", "is no library of Linux")]
    [InlineData("short.so", "\u007fELF", "is no library of Linux")]
    public void File_that_cannot_be_it_is_wrong_use(string name, string? content, string expected)
    {
        string file = Path.Combine(_directory, name);
        if (content is not null)
        {
            File.WriteAllText(file, content);
        }

        DumpAnalyze run = DumpAnalyze.Run("live", "1", "--dbgshim", file);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(expected, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Version_says_whether_it_is_here()
    {
        DumpAnalyze none = DumpAnalyze.Run("--version", "--verbose", "--dbgshim", Path.Combine(_directory, "none.so"));
        Assert.Equal(0, none.ExitCode);
        Assert.Contains("DbgShim: not found: ", none.Output, StringComparison.Ordinal);
        Assert.Contains("none.so does not exist", none.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Version_names_the_library_that_is_here()
    {
        Skip.IfNot(File.Exists(s_library), "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 3.1.3 is not restored");
        string output = DumpAnalyze.Run("--verbose", "--version", "--dbgshim", s_library).Output;
        Assert.Contains($"DbgShim: found, {s_library} (named)", output, StringComparison.Ordinal);
    }
}
