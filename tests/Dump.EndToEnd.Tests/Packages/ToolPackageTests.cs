using System.IO.Compression;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The .NET tool, installed from a folder as its only source.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class ToolPackageTests : IDisposable
{
    private const long LargestPackage = 8L << 20;
    private readonly string _place = Directory.CreateTempSubdirectory("dump-tool-").FullName;
    private readonly LinuxLab _lab = new();

    private string[] Offline => ["--source", Path.Combine(Repository.Root, "dist")];

    [SkippableFact]
    public void Tool_is_installed_without_network_and_answers()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string package = Assert.Single(Distribution.Build("tool"));
        Assert.InRange(new FileInfo(package).Length, 1, LargestPackage);
        string[] command = ["dotnet", "tool", "install", "dumpanalyze", "--tool-path", Path.Combine(_place, "tools"), "--version", Distribution.Version,
            .. Offline];

        // NuGet keeps packages in this folder of its own: one of an earlier build with the same version would be taken.
        (string Name, string Value)[] environment = [.. ShellProgram.Environment, ("NUGET_PACKAGES", Path.Combine(_place, "packages")),
            ("DOTNET_CLI_HOME", _place)];
        ShellProgram installed = EmptyPlace.Unavailable is null
            ? ShellProgram.Run("unshare", ["--net", .. command], environment)
            : ShellProgram.Run(command[0], command[1..], environment);
        Assert.True(installed.ExitCode == 0, installed.Output + installed.Errors);

        string program = Path.Combine(_place, "tools", "dumpanalyze");
        Assert.StartsWith(Distribution.Version, ShellProgram.Run(program, ["--version"], environment).Output, StringComparison.Ordinal);
        PackageAssert.NamesLoaderDeadlock(ShellProgram.Run(program, [Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture)], environment));
        ShellProgram managed = ShellProgram.Run(program, [_lab.Dump("monitor-cycle2").Path], environment);
        Assert.True(managed.ExitCode == 10 && managed.Output.Contains("DUMP1002", StringComparison.Ordinal),
            $"{managed.ExitCode}: {managed.Output}{managed.Errors}");
    }

    [SkippableFact]
    public void Package_holds_the_program_and_all_notices()
    {
        string package = Assert.Single(Distribution.Build("tool"));
        ZipFile.ExtractToDirectory(package, _place);
        PackageAssert.HasNotices(_place);
        string files = Path.Combine(_place, "tools", "net10.0", "any");
        string[] libraries = [.. Directory.EnumerateFiles(files, "*.dll").Select(f => Path.GetFileName(f)!).Order(StringComparer.Ordinal)];
        Assert.Equal(
            Directory.EnumerateFiles(Verdicts.DumpAnalyze.BuildFolder, "*.dll").Select(f => Path.GetFileName(f)!).Order(StringComparer.Ordinal), libraries);
        string specification = File.ReadAllText(Path.Combine(_place, "dumpanalyze.nuspec"));
        Assert.Contains($"<version>{Distribution.Version}</version>", specification, StringComparison.Ordinal);
        Assert.Contains("<license type=\"expression\">MIT</license>", specification, StringComparison.Ordinal);
        Assert.Contains("<packageType name=\"DotnetTool\" />", specification, StringComparison.Ordinal);
    }

    public void Dispose()
    {
        Directory.Delete(_place, recursive: true);
        _lab.Dispose();
    }
}
