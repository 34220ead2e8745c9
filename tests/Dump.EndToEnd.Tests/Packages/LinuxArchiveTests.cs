using System.Runtime.Versioning;
using System.Security.Cryptography;
using Dump.EndToEnd.Tests.Triage;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The archive for Linux, unpacked where there is neither .NET nor a network.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class LinuxArchiveTests : IDisposable
{
    private const long LargestArchive = 40L << 20;
    private readonly EmptyPlace _place = new();
    private readonly LinuxLab _lab = new();

    private string Folder => Path.Combine(_place.Folder, $"dumpanalyze-{Distribution.Version}-linux-x64");

    private string Program => Path.Combine(Folder, "dumpanalyze");

    [SkippableFact]
    public void Archive_holds_the_program_with_its_runtime_and_all_notices()
    {
        string archive = Unpack();
        Assert.InRange(new FileInfo(archive).Length, 1, LargestArchive);
        PackageAssert.HasNotices(Folder);
        PackageAssert.IsBill(File.ReadAllText($"{Folder.Replace(_place.Folder, Path.GetDirectoryName(archive)!, StringComparison.Ordinal)}.cdx.json"), Folder);
        string[] files = [.. Directory.EnumerateFileSystemEntries(Folder).Select(f => Path.GetFileName(f)!)];
        Assert.Superset(new HashSet<string>(["dumpanalyze", "dumpanalyze.r2r.dll", "libcoreclr.so", "libmscordaccore.so", "libmscordbi.so"]),
            files.ToHashSet());
        Assert.Equal(UnixFileMode.UserExecute, File.GetUnixFileMode(Program) & UnixFileMode.UserExecute);
        string sums = Path.Combine(Path.GetDirectoryName(archive)!, "SHA256SUMS");
        Assert.Contains($"{Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(archive)))}  {Path.GetFileName(archive)}\n", File.ReadAllText(sums),
            StringComparison.Ordinal);
        Assert.StartsWith(Distribution.Version, ShellProgram.Run(Program, ["--version"]).Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Program_answers_for_a_native_dump_and_for_a_managed_core()
    {
        Skip.If(EmptyPlace.Unavailable is not null, EmptyPlace.Unavailable);
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Unpack();
        Assert.NotEqual(0, _place.Run("dotnet", "--version").ExitCode);
        PackageAssert.NamesLoaderDeadlock(_place.Run(Program, Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture)));
        ShellProgram managed = _place.Run(Program, _lab.Dump("monitor-cycle2").Path);
        Assert.True(managed.ExitCode == 10 && managed.Output.Contains("DUMP1002", StringComparison.Ordinal),
            $"{managed.ExitCode}: {managed.Output}{managed.Errors}");
    }

    /// <summary>What trimming might take away would be missing here: every format, collections and tasks, and the look at a living process.</summary>
    [SkippableFact]
    public void Program_prints_what_the_untrimmed_one_prints()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Unpack();
        string core = _lab.Dump("collections-broken").Path;
        string pending = _lab.Dump("async-pending").Path;
        string[][] questions =
        [
            .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "dumps-fixtures"), "*.dmp").Select(f => new[] { f, "--stacks", "all" }),
            [Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture), "--format", "json"],
            [core, "--format", "json"], ["dictloop", core, "--heap"], ["tasks", pending], ["threads", pending], ["locks", core], ["detectors"], ["--help"],
        ];
        Assert.All(questions, q =>
        {
            DumpAnalyze expected = DumpAnalyze.Run(q);
            ShellProgram actual = ShellProgram.Run(Program, q);
            Assert.Equal((expected.ExitCode, expected.Output), (actual.ExitCode, actual.Output));
        });
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        ShellProgram live = ShellProgram.Run(Program, ["live", $"{scene.ProcessId}"]);
        Assert.True(live.ExitCode == 10 && live.Output.Contains("DUMP1002", StringComparison.Ordinal), $"{live.ExitCode}: {live.Output}{live.Errors}");
    }

    /// <summary>Most of what it calls is compiled before (<c>packaging/start-methods.txt</c>); without that list it compiled 734 methods here.</summary>
    [SkippableFact]
    public void Program_compiles_little_when_it_runs()
    {
        Unpack();
        string list = Path.Combine(_place.Folder, "compiled.txt");
        ShellProgram run = ShellProgram.Run(Program, [Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture)], ("DOTNET_JitStdOutFile", list),
            ("DOTNET_JitDisasmSummary", "1"));
        PackageAssert.NamesLoaderDeadlock(run);
        Assert.InRange(File.ReadLines(list).Count(l => l.Contains(": JIT compiled ", StringComparison.Ordinal)), 1, 299);
    }

    public void Dispose()
    {
        _place.Dispose();
        _lab.Dispose();
    }

    private string Unpack()
    {
        string archive = Assert.Single(Distribution.Build("linux-x64"));
        _place.Unpack(archive);
        return archive;
    }
}
