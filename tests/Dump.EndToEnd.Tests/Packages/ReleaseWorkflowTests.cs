using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The release builds every package, by nothing but lines that tests run: <c>dist.sh</c> with a name that a test class builds.</summary>
public sealed partial class ReleaseWorkflowTests
{
    private static string Workflow => File.ReadAllText(Path.Combine(Repository.Root, ".github", "workflows", "release.yml"));

    private static string[] Names { get; } =
        [.. PackageName().Matches(File.ReadAllText(Path.Combine(Repository.Root, "dist.sh"))).SelectMany(m => m.Groups[1].Value.Split(", "))
            .Order(StringComparer.Ordinal)];

    [Fact]
    public void Release_builds_every_package_and_runs_nothing_else()
    {
        Assert.NotEmpty(Names);
        string[] lines = Runs(Workflow[..Workflow.IndexOf("windows-check:", StringComparison.Ordinal)]);
        Assert.Equal(Names.Select(n => $"- run: ./dist.sh {n}"), lines.Order(StringComparer.Ordinal));
        Assert.DoesNotContain("run: |", Workflow, StringComparison.Ordinal);
    }

    /// <summary>Only a real Windows can run the last of these lines; the projects and options that they name are here.</summary>
    [Fact]
    public void Samples_are_checked_on_Windows_by_the_lines_of_the_guide()
    {
        string[] lines = Runs(Workflow[Workflow.IndexOf("windows-check:", StringComparison.Ordinal)..]);
        string guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "windows-check.md"));
        Assert.Equal(3, lines.Length);
        Assert.All(lines, l => Assert.Contains(l["- run: ".Length..], guide, StringComparison.Ordinal));
    }

    /// <summary>An action's tag can be moved to other code, its commit cannot.</summary>
    [Fact]
    public void Actions_are_named_by_their_commits()
    {
        string[] uses = [.. Workflow.Split('\n').Select(l => l.Trim()).Where(l => l.StartsWith("- uses: ", StringComparison.Ordinal))];
        Assert.NotEmpty(uses);
        Assert.All(uses, u => Assert.Matches("^- uses: [a-z-]+/[a-z-]+@[0-9a-f]{40} # v[0-9]+\\.[0-9]+\\.[0-9]+$", u));
    }

    /// <summary>Images whose digest nobody could look up yet: no registry of images is reached where this was written. Each other one has its digest.</summary>
    [Fact]
    public void Images_are_named_by_their_digests_where_these_are_known()
    {
        string[] unknown = ["buildpack-deps:bookworm"];
        string[] images = [.. Workflow.Split('\n').Select(l => l.Trim()).Where(l => l.StartsWith("container: ", StringComparison.Ordinal)).Select(l => l["container: ".Length..])];
        Assert.All(images.Except(unknown), i => Assert.Matches("@sha256:[0-9a-f]{64}$", i));
        Assert.All(unknown, u => Assert.Contains(u, images));
    }

    /// <summary>The release is signed by its last step, which only the release itself can run.</summary>
    [Fact]
    public void Packages_are_attested_when_they_are_built() =>
        Assert.Matches(@"attest-build-provenance@[0-9a-f]{40} # v[0-9.]+\n\s+with:\n\s+subject-path: dist/\*", Workflow);

    /// <summary>Each project of the solution, and each way to publish the program, has a lock file with the versions that Directory.Packages.props asks for.</summary>
    [Fact]
    public void Packages_are_locked_by_version_and_hash()
    {
        string[] projects =
            [.. SolutionProject().Matches(File.ReadAllText(Path.Combine(Repository.Root, "Dump.sln"))).Select(m => Path.Combine(Repository.Root, m.Groups[1].Value.Replace('\\', '/')))];
        Assert.NotEmpty(projects);
        string[] locks =
        [
            .. projects.Select(p => Path.Combine(Path.GetDirectoryName(p)!, "packages.lock.json")),
            .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "ext-managed", "Dump.Cli", "Properties", "PublishProfiles"), "*.pubxml")
                .Select(p => Path.ChangeExtension(p, ".lock.json")),
        ];
        var versions = XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props")).Descendants("PackageVersion")
            .ToDictionary(v => v.Attribute("Include")!.Value, v => v.Attribute("Version")!.Value, StringComparer.OrdinalIgnoreCase);
        Assert.All(locks, l => AssertLocked(l, versions));
        Assert.Contains("\n  RestoreLockedMode: true\n", Workflow, StringComparison.Ordinal);
    }

    private static void AssertLocked(string file, Dictionary<string, string> versions)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(file));
        foreach (var package in document.RootElement.GetProperty("dependencies").EnumerateObject().SelectMany(f => f.Value.EnumerateObject()))
        {
            if (package.Value.GetProperty("type").GetString() == "Project")
                continue;
            Assert.Equal(64, Convert.FromBase64String(package.Value.GetProperty("contentHash").GetString()!).Length);
            if (versions.TryGetValue(package.Name, out string? version) && !version.StartsWith('$'))
                Assert.Equal(version, package.Value.GetProperty("resolved").GetString());
        }
    }

    [GeneratedRegex(@"^Project\(.*?, ""([^""]+\.csproj)""", RegexOptions.Multiline)]
    private static partial Regex SolutionProject();

    private static string[] Runs(string job) =>
        [.. job.Split('\n').Select(l => l.Trim()).Where(l => l.StartsWith("- run:", StringComparison.Ordinal))];

    [Fact]
    public void Each_package_has_tests_that_build_it()
    {
        string tests = string.Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests", "Dump.EndToEnd.Tests"), "*Tests.cs",
            SearchOption.AllDirectories)
            .Select(File.ReadAllText));
        Assert.All(Names, n => Assert.True(
            tests.Contains($"Distribution.Build(\"{n}\"", StringComparison.Ordinal) || tests.Contains($"\"dist.sh\"), \"{n}\"", StringComparison.Ordinal), n));
    }

    [Fact]
    public void Guide_tells_how_to_install_each_package()
    {
        string guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "install.md"));
        Assert.All(Names, n => Assert.Contains($"| `{n}` |", guide, StringComparison.Ordinal));
    }

    /// <summary>
    /// The version stands in Directory.Build.props; whatever else has to have it gets it from there when it is built. Lock files have versions of others.
    /// </summary>
    [Fact]
    public void Version_stands_in_one_place()
    {
        string[] files =
        [
            Path.Combine(Repository.Root, "dist.sh"), Path.Combine(Repository.Root, "docs", "install.md"),
                Path.Combine(Repository.Root, ".github", "workflows", "release.yml"),
            .. new[] { "packaging", "ext-native/package", "samples/libraries", "ext-managed/Dump.Cli/Properties" }
                .SelectMany(f => Directory.EnumerateFiles(Path.Combine(Repository.Root, f), "*", SearchOption.AllDirectories)),
        ];
        Assert.All(files.Where(f => !f.Contains("/obj/", StringComparison.Ordinal) && !f.Contains("/bin/", StringComparison.Ordinal)
                && !f.EndsWith(".lock.json", StringComparison.Ordinal)),
            f => Assert.False(Regex.IsMatch(File.ReadAllText(f), $@"(?<![\d.]){Regex.Escape(Distribution.Version)}(?!\.?\d)"), f));
    }

    [GeneratedRegex(@"^#   ([a-z0-9-]+(?:, [a-z0-9-]+)*)  ", RegexOptions.Multiline)]
    private static partial Regex PackageName();
}
