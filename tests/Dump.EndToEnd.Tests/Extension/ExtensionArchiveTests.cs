using System.Diagnostics;
using System.IO.Compression;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dump.EndToEnd.Tests.Packages;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>The archive that <c>dist.sh</c> builds, and the extension gallery of Microsoft's debugger engine that takes it in.</summary>
[Collection(ExtensionModelTests.Collection)]
public sealed partial class ExtensionArchiveTests
{
    private const string Folder = "dump-win-x64";
    private static readonly Lazy<string> s_built = new(Build);

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    private static string Version => XDocument.Load(Path.Combine(Repository.Root, "Directory.Build.props")).Descendants("Version").Single().Value;

    [SkippableFact]
    public void Archive_holds_what_is_needed_and_all_of_one_version()
    {
        string unpacked = Built();
        using ZipArchive archive = ZipFile.OpenRead(unpacked + ".zip");
        string[] names = [.. archive.Entries.Select(e => e.FullName).Where(n => !n.EndsWith('/'))];
        string[] expected =
        [
            "LICENSE", "README.txt", "dumpext.alz", "dumpext.dll", "gallery/GalleryManifest.xml", "gallery/README.txt",
            "install.cmd", "install.ps1",
        ];
        Assert.Equal(expected.Select(n => $"{Folder}/{n}"), names.Where(n => !n.StartsWith($"{Folder}/engine/", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal));
        Assert.Contains($"{Folder}/engine/dumpanalyze.exe", names);
        PackageAssert.HasNotices(Path.Combine(unpacked, "engine"));
        PackageAssert.IsBill(File.ReadAllText(unpacked + ".cdx.json"), Path.Combine(unpacked, "engine"));
        Assert.All(names.Where(n => Path.GetFileName(n).StartsWith("install.", StringComparison.Ordinal)),
            n => Assert.DoesNotMatch(@"(?<!\r)\n", File.ReadAllText(Path.Combine(Path.GetDirectoryName(unpacked)!, n))));
        Assert.All(Directory.EnumerateFiles(unpacked, "*.*", SearchOption.AllDirectories).Where(f => Path.GetExtension(f) is ".txt" or ".cmd"),
            f => Assert.DoesNotContain("@VERSION@", File.ReadAllText(f), StringComparison.Ordinal));

        Assert.Equal($"{Version}.0", Manifest(unpacked).Descendants("Version").Single().Value);
        Assert.StartsWith(Version, FileVersionInfo.GetVersionInfo(Path.Combine(unpacked, "engine", "dumpanalyze.dll")).FileVersion, StringComparison.Ordinal);
        string chain = ExtensionLab.Shipped.Run(Fixture, ".chain")[0];
        Assert.Contains($"dumpext.dll: image {Version}, ", chain, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Gallery_manifest_names_every_command_and_loads_the_extension_at_its_first_use()
    {
        string unpacked = Built();
        IEnumerable<string> listed = ListedCommand().Matches(ExtensionLab.Shipped.Run(Fixture, "!dumphelp")[0]).Select(m => m.Groups[1].Value);
        Assert.Equal(listed, Manifest(unpacked).Descendants("EngineCommand").Select(c => c.Attribute("Name")!.Value));

        string package = Path.Combine(LocalData(), "DBG", "UserExtensions", "Dump");
        string library = Path.Combine(package, $"{Version}.0");
        if (Directory.Exists(package))
        {
            // Left by a run that was killed.
            Directory.Delete(package, recursive: true);
        }

        try
        {
            // Spelt as the debugger spells it: a folder that Wine makes would get the installer's spelling, and only Windows takes them for one.
            Directory.CreateDirectory(Path.GetDirectoryName(package)!);
            ShellProgram installed = Install(unpacked);
            Assert.True(installed.ExitCode == 0 && Directory.Exists(library), installed.Output);
            Assert.Equal(
                Directory.EnumerateFiles(unpacked, "*", SearchOption.AllDirectories).Select(f => Path.GetRelativePath(unpacked, f))
                    .Order(StringComparer.Ordinal),
                Directory.EnumerateFiles(library, "*", SearchOption.AllDirectories).Select(f => Path.GetRelativePath(library, f))
                    .Order(StringComparer.Ordinal));
            Assert.All(listed, c => Assert.StartsWith($"> !{c} -?\n!{c} [", WineLab.Shared.RunDebugger(Fixture, $"!{c} -?"), StringComparison.Ordinal));
            Assert.Contains("DUMP1001 Loader-lock deadlock [Likely]", WineLab.Shared.RunDebugger(Fixture, "dx @$hang()"), StringComparison.Ordinal);
        }
        finally
        {
            Install(unpacked, "/remove");
        }

        Assert.False(Directory.Exists(package));

        Assert.Contains("No export verdict found", WineLab.Shared.RunDebugger(Fixture, "!verdict -?"), StringComparison.Ordinal);
    }

    private static ShellProgram Install(string unpacked, params string[] arguments) =>
        WineProgram.Run(["cmd", "/c", WineLab.WindowsPath(Path.Combine(unpacked, "install.cmd")), .. arguments]);

    private static XDocument Manifest(string unpacked) => XDocument.Load(Path.Combine(unpacked, "gallery", "GalleryManifest.xml"));

    private static string Built()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        return s_built.Value;
    }

    /// <summary>Builds the archive; gives the folder beside it that holds the same files.</summary>
    private static string Build()
    {
        ProcessStartInfo start = new("bash", [Path.Combine(Repository.Root, "dist.sh"), "windbg"]) { RedirectStandardOutput = true, RedirectStandardError =
            true };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("bash did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, errors.GetAwaiter().GetResult());
        Assert.Equal($"dist/{Folder}.zip", output.Trim());
        return Path.Combine(Repository.Root, "dist", Folder);
    }

    /// <summary>The directory that programs under Wine know as <c>%LOCALAPPDATA%</c>.</summary>
    private static string LocalData() =>
        Directory.EnumerateDirectories(Path.Combine(WineLab.Prefix, "drive_c", "users")).Select(u => Path.Combine(u, "AppData", "Local"))
            .Single(Directory.Exists);

    [GeneratedRegex("(?m)^  !([a-z]+) ")]
    private static partial Regex ListedCommand();
}
