using System.IO.Compression;
using System.Runtime.Versioning;
using System.Xml.Linq;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The NuGet libraries, and the two sample programs built against them from the folder <c>dist</c> as a source.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class LibraryPackagesTests : IDisposable
{
    private readonly string _place = Directory.CreateTempSubdirectory("dump-libraries-").FullName;
    private readonly LinuxLab _lab = new();

    [SkippableFact]
    public void Packages_have_documentation_licence_and_their_dependencies()
    {
        Dictionary<string, string[]> expected = new()
        {
            ["Dump.Model"] = [],
            ["Dump.Analysis"] = ["Dump.Model"],
            ["Dump.Reports"] = ["Dump.Model"],
            ["Dump.Readers"] = ["Dump.Model", "Iced", "ZstdSharp.Port"],
            ["Dump.Clr"] = ["Dump.Model", "Dump.Readers", "Microsoft.Diagnostics.Runtime"],
            ["Dump.Capture"] = ["Dump.Clr", "Dump.Model", "Dump.Readers"],
            ["Dump.Engine"] = ["Dump.Analysis", "Dump.Capture", "Dump.Clr", "Dump.Model", "Dump.Readers"],
        };
        string[] packages = Distribution.Build("libraries");
        Assert.Equal(expected.Keys.Select(n => $"{n}.{Distribution.Version}.nupkg"), packages.Select(p => Path.GetFileName(p)));
        Assert.All(expected.Keys.Zip(packages), package =>
        {
            (string name, string file) = package;
            using ZipArchive archive = ZipFile.OpenRead(file);
            string[] files = [.. archive.Entries.Select(e => e.FullName)];
            Assert.Equal([$"lib/net10.0/{name}.dll", $"lib/net10.0/{name}.xml"], files.Where(f => f.StartsWith("lib/", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal));
            Assert.Superset(new HashSet<string>(["LICENSE", "README.md"]), files.ToHashSet());
            using Stream specification = archive.GetEntry($"{name}.nuspec")!.Open();
            XElement[] metadata = [.. XDocument.Load(specification).Descendants()];
            Assert.Equal(expected[name], metadata.Where(e => e.Name.LocalName == "dependency").Select(e => e.Attribute("id")!.Value)
                .Order(StringComparer.Ordinal));
            Assert.Equal((Distribution.Version, "MIT"), (Value(metadata, "version"), Value(metadata, "license")));
            Assert.False(Value(metadata, "description").StartsWith("Package Description", StringComparison.Ordinal));
        });
    }

    [SkippableFact]
    public void Sample_program_prints_the_lock_cycle_of_a_managed_core()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string program = BuildSample("managed-core");
        ShellProgram run = ShellProgram.Run("dotnet", [program, _lab.Dump("monitor-cycle2").Path]);
        Assert.True(run.ExitCode == 0 && run.Output.StartsWith("DUMP1002 ", StringComparison.Ordinal), run.Output + run.Errors);
        Assert.Equal(8, SampleLines("managed-core", "Program.cs"));
    }

    [SkippableFact]
    public void Sample_program_judges_with_a_detector_of_its_own()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string program = BuildSample("own-detector");
        ShellProgram found = ShellProgram.Run("dotnet", [program, _lab.DumpAnew("lock-slow-owner").Path]);
        Assert.True(found.ExitCode == 0 && found.Output.Contains("SHOP0001 Sleep under a lock (Likely)", StringComparison.Ordinal), found.Output
            + found.Errors);
        ShellProgram healthy = ShellProgram.Run("dotnet", [program, _lab.Dump("idle").Path]);
        Assert.True(healthy.ExitCode == 0 && healthy.Output == "SHOP0001: NotDetected\n", healthy.Output + healthy.Errors);
        Assert.True(SampleLines("own-detector", "SleepUnderLockDetector.cs") <= 30);
    }

    public void Dispose()
    {
        Directory.Delete(_place, recursive: true);
        _lab.Dispose();
    }

    /// <summary>
    /// Builds a sample where nothing of this repository is above it but what the sample's own files name. Packages of others come from NuGet's folder where
    /// they are there.
    /// </summary>
    private string BuildSample(string name)
    {
        string dist = Path.GetDirectoryName(Distribution.Build("libraries")[0])!;
        string project = Path.Combine(Repository.Root, "samples", "libraries", name, $"{name}.csproj");
        ShellProgram build = ShellProgram.RunWithin(
            TimeSpan.FromMinutes(10),
            "dotnet",
            [
                "build", project, "-c", "Release", "--nologo", "--artifacts-path", _place, $"-p:RestoreAdditionalProjectSources={dist}",
                $"-p:RestorePackagesPath={Path.Combine(_place, "packages")}", $"-p:RestoreFallbackFolders={Distribution.RestoredPackages}",
            ],
            ("MSBUILDDISABLENODEREUSE", "1"));
        Skip.If(build.Output.Contains("error NU1101", StringComparison.Ordinal)
            && !build.Output.Contains("NU1101: Unable to find package Dump.", StringComparison.Ordinal), build.Output);
        Assert.True(build.ExitCode == 0, build.Output + build.Errors);
        return Path.Combine(_place, "bin", name, "release", $"{name}.dll");
    }

    private static int SampleLines(string sample, string file) =>
        File.ReadLines(Path.Combine(Repository.Root, "samples", "libraries", sample, file)).Count();

    private static string Value(XElement[] metadata, string name) => metadata.Single(e => e.Name.LocalName == name).Value;
}
