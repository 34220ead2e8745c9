using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Triage;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The archive for Linux, unpacked where there is neither .NET nor a network.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed partial class LinuxArchiveTests : IDisposable
{
    private const long LargestArchive = 40L << 20;
    private static readonly Version s_oldestGlibc = new(2, 27);
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
        Assert.Equal(
            ["LICENSE", "THIRD-PARTY-NOTICES.txt", "dumpanalyze", "dumpanalyze.deps.json", "libcoreclr.so", "libe_sqlite3.so", "libmscordaccore.so",
                "libmscordbi.so"],
            Directory.EnumerateFileSystemEntries(Folder).Select(f => Path.GetFileName(f)!).Order(StringComparer.Ordinal));
        string notices = File.ReadAllText(Path.Combine(Folder, "THIRD-PARTY-NOTICES.txt"));
        Assert.All(["Npgsql", "Microsoft.Diagnostics.Runtime", "System.CommandLine", "Microsoft.NETCore.App.Runtime.NativeAOT.linux-x64"],
            c => Assert.Matches($@"\n{Regex.Escape(c)} [0-9.]+ \([A-Za-z]+\): inside of dumpanalyze\n", notices));
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

    /// <summary>The next file that the program opens would take the place of a closed output.</summary>
    [SkippableTheory]
    [InlineData(">&-")]
    [InlineData("<&- >&-")]
    [InlineData("> /dev/full")]
    public void Output_that_is_closed_or_full_is_an_error(string redirection)
    {
        Unpack();
        ShellProgram run = ShellProgram.Run("bash", ["-c", $"\"$0\" detectors {redirection}", Program]);
        Assert.Equal((1, ""), (run.ExitCode, run.Output));
        Assert.Contains("could not be written", Assert.Single(run.Errors.TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
    }

    /// <summary>It is linked on a machine with a newer C library than that of many servers; .NET itself asks for no more than this.</summary>
    [SkippableFact]
    public void Program_asks_for_no_newer_C_library_than_the_runtime_does()
    {
        Unpack();
        Version[] asked =
        [
            .. GlibcVersion().Matches(Encoding.Latin1.GetString(File.ReadAllBytes(Program))).Select(m => Version.Parse(m.Groups[1].Value)).Distinct(),
        ];
        Assert.Contains(new Version(2, 2, 5), asked);
        Assert.InRange(asked.Max()!, new Version(2, 2, 5), s_oldestGlibc);
    }

    public void Dispose()
    {
        _place.Dispose();
        _lab.Dispose();
    }

    /// <summary>Names of versions as a program for Linux lists them.</summary>
    [GeneratedRegex(@"\0GLIBC_([0-9.]+)(?=\0)")]
    private static partial Regex GlibcVersion();

    private string Unpack()
    {
        string archive = Assert.Single(Distribution.Build("linux-x64"));
        _place.Unpack(archive);
        return archive;
    }
}
