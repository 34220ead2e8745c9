using System.IO.Compression;
using System.Security.Cryptography;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;
using YamlDotNet.RepresentationModel;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The manifests for winget, and what winget would do by them: take the archive, compare its hash, run the program that they name in it.</summary>
[Trait("Category", "Slow")]
public sealed class WingetManifestTests : IDisposable
{
    private const string Identifier = "DumpAuthors.dumpanalyze";
    private const string Address = "https://downloads.example/v1/";
    private readonly string _place = Directory.CreateTempSubdirectory("dump-winget-").FullName;

    [SkippableFact]
    public void Manifests_are_of_one_package_version_and_schema()
    {
        string[] files = Manifests();
        Assert.Equal([$"{Identifier}.yaml", $"{Identifier}.installer.yaml", $"{Identifier}.locale.en-US.yaml"], files.Select(f => Path.GetFileName(f)));
        Assert.Equal(["version", "installer", "defaultLocale"], files.Select(f => Text(Read(f), "ManifestType")));
        Assert.All(files, f =>
        {
            YamlMappingNode manifest = Read(f);
            Assert.Equal((Identifier, Distribution.Version, "1.10.0"),
                (Text(manifest, "PackageIdentifier"), Text(manifest, "PackageVersion"), Text(manifest, "ManifestVersion")));
            Assert.StartsWith($"# yaml-language-server: $schema=https://aka.ms/winget-manifest.{Text(manifest, "ManifestType")}.1.10.0.schema.json\n",
                File.ReadAllText(f), StringComparison.Ordinal);
        });
        Assert.Equal("en-US", Text(Read(files[0]), "DefaultLocale"));
        YamlMappingNode locale = Read(files[2]);
        Assert.Equal(("en-US", "dumpanalyze", "MIT"), (Text(locale, "PackageLocale"), Text(locale, "PackageName"), Text(locale, "License")));
        Assert.InRange(Text(locale, "ShortDescription").Length, 3, 256);
        Assert.InRange(Text(locale, "Publisher").Length, 2, 256);
    }

    [SkippableFact]
    public void Installer_is_the_archive_that_was_built()
    {
        YamlMappingNode manifest = Read(Manifests()[1]);
        string archive = Assert.Single(Distribution.Build("win-x64"));
        Assert.Equal(("zip", "portable", "true"),
            (Text(manifest, "InstallerType"), Text(manifest, "NestedInstallerType"), Text(manifest, "ArchiveBinariesDependOnPath")));
        YamlMappingNode installer = Assert.IsType<YamlMappingNode>(Assert.Single(Assert.IsType<YamlSequenceNode>(manifest["Installers"])));
        Assert.Equal(("x64", $"{Address}{Path.GetFileName(archive)}"), (Text(installer, "Architecture"), Text(installer, "InstallerUrl")));
        Assert.Equal(Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(archive))), Text(installer, "InstallerSha256"));
        string[] sums = File.ReadAllLines(Path.Combine(Path.GetDirectoryName(archive)!, "SHA256SUMS"));
        Assert.All(Manifests(), f => Assert.Contains(
            $"{Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(f)))}  dumpanalyze-{Distribution.Version}-winget/{Path.GetFileName(f)}", sums));
    }

    [SkippableFact]
    public void Program_that_the_manifest_names_answers()
    {
        YamlMappingNode nested = Assert.IsType<YamlMappingNode>(Assert.Single(
            Assert.IsType<YamlSequenceNode>(Read(Manifests()[1])["NestedInstallerFiles"])));
        Assert.Equal("dumpanalyze", Text(nested, "PortableCommandAlias"));
        ZipFile.ExtractToDirectory(Assert.Single(Distribution.Build("win-x64")), _place);
        string program = Path.Combine(_place, Text(nested, "RelativeFilePath").Replace('\\', '/'));
        Assert.True(File.Exists(program), program);
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        PackageAssert.NamesLoaderDeadlock(WineProgram.Run(program,
            WineLab.WindowsPath(Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture))));
    }

    [SkippableTheory]
    [InlineData("")]
    [InlineData("http://downloads.example/")]
    [InlineData("https://downloads.example/|e id")]
    public void Without_an_address_nothing_is_written_and_one_line_says_why(string address)
    {
        Skip.If(OperatingSystem.IsWindows(), "needs bash");
        ShellProgram run = ShellProgram.Run("bash", [Path.Combine(Repository.Root, "dist.sh"), "winget"], ("DownloadUrl", address));
        Assert.Equal((2, "", "dist: winget needs DownloadUrl=https://..., the folder from which the win-x64 archive will be downloaded\n"),
            (run.ExitCode, run.Output, run.Errors));
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    private static string[] Manifests() => Distribution.Build("winget", ("DownloadUrl", Address));

    private static YamlMappingNode Read(string file)
    {
        YamlStream stream = [];
        using StreamReader reader = new(file);
        stream.Load(reader);
        return Assert.IsType<YamlMappingNode>(Assert.Single(stream.Documents).RootNode);
    }

    private static string Text(YamlMappingNode node, string key) => Assert.IsType<YamlScalarNode>(node[key]).Value!;
}
