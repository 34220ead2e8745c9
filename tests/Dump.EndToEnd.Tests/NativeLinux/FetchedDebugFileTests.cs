using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Testing.Lab;
using Dump.Testing.Network;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>Frames of a stripped program get their names when a debuginfod server has its debug file: of a core, and of the living process.</summary>
[SupportedOSPlatform("linux")]
public sealed class FetchedDebugFileTests : IDisposable
{
    private const string Function = "take_second";
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-debug-files-").FullName;
    private readonly LocalServer _server = new();

    private string Cache => Path.Combine(_folder, "cache");

    private string Core => Path.Combine(_folder, "core");

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [SkippableFact]
    public void Stripped_program_gets_its_names_from_the_server_when_asked()
    {
        (string program, string debugFile) = Stripped();
        using LiveScene running = NativeLinuxLab.StartProgram("mutex-cycle2", program);
        DumpAnalyze live = Run("live", $"{running.ProcessId}", "--keep", Core);
        Assert.Equal(10, live.ExitCode);
        Assert.DoesNotContain(Function, live.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(Function, Run(Core).Output, StringComparison.Ordinal);

        DumpAnalyze listed = Run("fetch", Core);
        Assert.Equal(13, listed.ExitCode);
        string id = ElfBuildId.Read(program)!;
        string address = $"{_server.Address}buildid/{id}/debuginfo";
        Assert.Contains($"debug file of stripped-hang, build id {id}, size unknown\n  {address}\n", listed.Output, StringComparison.Ordinal);
        Assert.Empty(_server.Requests);

        _server.Give($"buildid/{id}/debuginfo", File.ReadAllBytes(debugFile));
        DumpAnalyze fetched = Run(Core, "--fetch", "--yes");
        Assert.Equal(10, fetched.ExitCode);
        Assert.Contains($"asked: GET {address}\n", fetched.Error, StringComparison.Ordinal);
        Assert.Contains(Function, fetched.Output, StringComparison.Ordinal);

        // From then on nobody is asked.
        int asked = _server.Requests.Count;
        Assert.Contains(Function, Run(Core).Output, StringComparison.Ordinal);
        Assert.Contains(Function, Run("live", $"{running.ProcessId}").Output, StringComparison.Ordinal);
        Assert.Equal(asked, _server.Requests.Count);
    }

    [SkippableFact]
    public void Debug_file_of_another_build_is_not_used()
    {
        (string program, _) = Stripped();
        using (LiveScene running = NativeLinuxLab.StartProgram("mutex-cycle2", program))
        {
            Run("live", $"{running.ProcessId}", "--keep", Core);
        }

        _server.Give($"buildid/{ElfBuildId.Read(program)}/debuginfo", File.ReadAllBytes(Path.Combine(Path.GetDirectoryName(NativeLinuxLab.Program)!,
            "libloading.so")));
        DumpAnalyze fetched = Run(Core, "--fetch", "--yes");
        Assert.Equal(10, fetched.ExitCode);
        Assert.Contains("is not used: it belongs to another build", fetched.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Function, fetched.Output, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Cache));
    }

    [Theory]
    [InlineData("--debuginfod https://debug.example", "dumpanalyze: --debuginfod belongs to --fetch; add --fetch")]
    [InlineData("--fetch --yes --debuginfod http://debug.example",
        "dumpanalyze: --debuginfod http://debug.example: its address is plain http, which anybody on the way can change; give an https address")]
    public void Wrong_use_says_what_to_type(string arguments, string line)
    {
        DumpAnalyze run = DumpAnalyze.Run([Dump.Testing.Fixtures.Fixture.Named("loader-exit").Path, .. arguments.Split(' ')]);
        Assert.Equal((2, line), (run.ExitCode, run.Error.TrimEnd()));
    }

    private DumpAnalyze Run(params string[] arguments) =>
        DumpAnalyze.RunIn([("DEBUGINFOD_URLS", _server.Address), ("DEBUGINFOD_CACHE_PATH", Cache)], arguments);

    /// <summary>The program as distributions ship it, and its debug file beside.</summary>
    private (string Program, string DebugFile) Stripped()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        string program = Path.Combine(_folder, "stripped-hang"), debugFile = Path.Combine(_folder, "stripped-hang.debug");
        Tool("objcopy", "--only-keep-debug", NativeLinuxLab.Program, debugFile);
        Tool("strip", "--strip-all", "-o", program, NativeLinuxLab.Program);
        Skip.If(ElfBuildId.Read(program) is null, "the linker here gives no build id");
        return (program, debugFile);
    }

    private static void Tool(string name, params string[] arguments)
    {
        try
        {
            using System.Diagnostics.Process tool = System.Diagnostics.Process.Start(name, arguments);
            tool.WaitForExit();
            Assert.Equal(0, tool.ExitCode);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            throw new SkipException($"needs {name}");
        }
    }
}
