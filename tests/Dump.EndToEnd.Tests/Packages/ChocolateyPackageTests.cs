using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The Chocolatey package: the archive for Windows in another wrapping, run under Wine as Chocolatey's command would run it.</summary>
[Trait("Category", "Slow")]
public sealed partial class ChocolateyPackageTests : IDisposable
{
    private const long LargestPackage = 49L << 20;

    /// <summary>What the package adds to the archive.</summary>
    private static readonly string[] s_added = ["LICENSE.txt", "VERIFICATION.txt", "createdump.exe.ignore"];

    private readonly string _place = Directory.CreateTempSubdirectory("dump-chocolatey-").FullName;

    private string Tools => Path.Combine(_place, "tools");

    [SkippableFact]
    public void Package_holds_the_archive_and_says_how_to_verify_that()
    {
        string package = Unpack();
        Assert.InRange(new FileInfo(package).Length, 1, LargestPackage);
        PackageAssert.HasNotices(Tools);
        string archive = Assert.Single(Distribution.Build("win-x64"));
        string shipped = Path.Combine(_place, "archive");
        ZipFile.ExtractToDirectory(archive, shipped);
        Dictionary<string, string> expected = Hashes(Assert.Single(Directory.GetDirectories(shipped)));
        Dictionary<string, string> actual = Hashes(Tools);
        Assert.Equal(expected.Keys.Concat(s_added).Order(StringComparer.Ordinal), actual.Keys.Order(StringComparer.Ordinal));
        Assert.All(expected, f => Assert.Equal(f.Value, actual[f.Key]));
        Assert.Equal(expected["LICENSE"], actual["LICENSE.txt"]);

        string verification = File.ReadAllText(Path.Combine(Tools, "VERIFICATION.txt"));
        Assert.Contains(Path.GetFileName(archive), verification, StringComparison.Ordinal);
        Assert.Contains(Hash(archive), verification, StringComparison.Ordinal);
        Assert.Equal(expected.OrderBy(f => f.Key, StringComparer.Ordinal),
            Line().Matches(verification).Select(m => KeyValuePair.Create(m.Groups[2].Value, m.Groups[1].Value)).OrderBy(f => f.Key, StringComparer.Ordinal));
    }

    [SkippableFact]
    public void Package_runs_no_script_and_has_what_Chocolatey_reads()
    {
        Unpack();
        Assert.DoesNotContain(Directory.EnumerateFiles(_place, "*", SearchOption.AllDirectories),
            f => Path.GetExtension(f).ToLowerInvariant() is ".ps1" or ".psm1" or ".cmd" or ".bat");
        Assert.All(["[Content_Types].xml", "_rels/.rels"], f => Assert.True(File.Exists(Path.Combine(_place, f)), f));

        // Every other program in the package would become a command of its own.
        Assert.Equal(["createdump.exe", "dumpanalyze.exe"],
            Directory.EnumerateFiles(Tools, "*.exe").Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal));
        Dictionary<string, string> metadata = XDocument.Load(Path.Combine(_place, "dumpanalyze.portable.nuspec")).Descendants()
            .Where(e => !e.HasElements).ToDictionary(e => e.Name.LocalName, e => e.Value);
        Assert.Equal(("dumpanalyze.portable", Distribution.Version), (metadata["id"], metadata["version"]));
        Assert.All(["title", "authors", "summary", "description", "tags"], e => Assert.NotEqual("", metadata[e]));

        // Elements of NuGet's that Chocolatey refuses.
        Assert.Empty(metadata.Keys.Intersect(["license", "icon", "readme", "repository", "packageTypes", "serviceable", "frameworkReferences"]));
        Assert.DoesNotContain(metadata.Values, v => v.Contains('@', StringComparison.Ordinal));
    }

    [SkippableFact]
    public void Program_answers()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        Unpack();
        PackageAssert.NamesLoaderDeadlock(WineProgram.Run(Path.Combine(Tools, "dumpanalyze.exe"),
            WineLab.WindowsPath(Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture))));
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    private static Dictionary<string, string> Hashes(string folder) => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
        .ToDictionary(f => Path.GetRelativePath(folder, f).Replace('\\', '/'), Hash);

    private static string Hash(string file) => Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(file)));

    private string Unpack()
    {
        string package = Assert.Single(Distribution.Build("chocolatey"));
        ZipFile.ExtractToDirectory(package, _place);
        return package;
    }

    [GeneratedRegex(@"^([0-9a-f]{64})  (\S+)\r$", RegexOptions.Multiline)]
    private static partial Regex Line();
}
