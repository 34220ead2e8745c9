using System.Xml.Linq;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>
/// The layers: which project may reference which, and which packages the pure ones may use (none). The benchmarks and the fuzz command stand beside the layers:
/// they may use them, and of what ships nothing may use those.
/// </summary>
public sealed class ReferenceTests
{
    private static readonly Dictionary<string, string[]> s_allowed = new()
    {
        ["Dump.Model"] = [],
        ["Dump.Analysis"] = ["Dump.Model"],
        ["Dump.Reports"] = ["Dump.Model"],
        ["Dump.Readers"] = ["Dump.Model"],
        ["Dump.AzureCoreStub"] = [],
        ["Dump.Clr"] = ["Dump.Model", "Dump.Readers", "Dump.AzureCoreStub"],
        ["Dump.Fetching"] = ["Dump.Model", "Dump.Readers", "Dump.Clr"],
        ["Dump.Capture"] = ["Dump.Model", "Dump.Readers", "Dump.Clr"],
        ["Dump.Engine"] = ["Dump.Model", "Dump.Analysis", "Dump.Readers", "Dump.Clr", "Dump.Capture"],
        ["Dump.Triage"] = ["Dump.Model", "Dump.Analysis", "Dump.Reports", "Dump.Readers", "Dump.Clr", "Dump.Capture"],
        ["Dump.Store"] = ["Dump.Model", "Dump.Analysis", "Dump.Readers", "Dump.Triage"],
        ["Dump.Cli"] = ["Dump.Model", "Dump.Analysis", "Dump.Reports", "Dump.Readers", "Dump.Clr", "Dump.Fetching", "Dump.Capture", "Dump.Engine",
            "Dump.Triage", "Dump.Store"],
        ["Dump.Benchmarks"] = ["Dump.Model", "Dump.Analysis", "Dump.Readers", "Dump.Clr", "Dump.Cli", "Dump.Store", "Dump.Testing"],
        ["Dump.Fuzz"] = ["Dump.Model", "Dump.Analysis", "Dump.Reports", "Dump.Readers", "Dump.Clr", "Dump.Fetching", "Dump.Capture", "Dump.Triage",
            "Dump.Store", "Dump.Cli", "Dump.Testing"],
    };

    public static TheoryData<string> Projects =>
        [.. Layered().Select(p => Path.GetRelativePath(Repository.Root, p).Replace('\\', '/'))];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Project_references_only_what_its_layer_allows(string project)
    {
        XDocument document = XDocument.Load(Path.Combine(Repository.Root, project));
        string name = Path.GetFileNameWithoutExtension(project);
        Assert.True(s_allowed.ContainsKey(name), $"{name} is not in the table of allowed references.");
        string[] references = [.. document.Descendants("ProjectReference")
            .Select(r => Path.GetFileNameWithoutExtension(r.Attribute("Include")!.Value.Replace('\\', '/')))];
        Assert.Empty(references.Except(s_allowed[name]));
        if (project.StartsWith("analyzers/", StringComparison.Ordinal))
        {
            Assert.Empty(document.Descendants("PackageReference"));
        }
    }

    [Theory]
    [InlineData("analyzers")]
    [InlineData("ext-managed/Dump.Readers")]
    [InlineData("ext-managed/Dump.Capture")]
    [InlineData("ext-managed/Dump.Engine")]
    [InlineData("ext-managed/Dump.Fetching")]
    [InlineData("ext-managed/Dump.Triage")]
    [InlineData("ext-managed/Dump.Store")]
    public void Only_the_command_line_writes_to_the_console(string folder)
    {
        string[] offenders =
        [
            .. Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories)
                .Where(f => File.ReadAllText(f).Contains("Console.", StringComparison.Ordinal)),
        ];
        Assert.Empty(offenders);
    }

    private static IEnumerable<string> Layered() => new[] { "analyzers", "ext-managed", "tests/Dump.Benchmarks", "tests/Dump.Fuzz" }
        .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.csproj", SearchOption.AllDirectories));
}
