using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>The folders of the shipped projects are their namespaces, and no folders of one project refer to each other in a circle.</summary>
public sealed partial class FolderTests
{
    /// <summary>A stand-in for another assembly, whose namespaces it has to have.</summary>
    private const string Stub = "Dump.AzureCoreStub";

    public static TheoryData<string> Projects =>
    [
        .. new[] { "analyzers", "ext-managed" }
            .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.csproj", SearchOption.AllDirectories))
            .Where(p => Path.GetFileNameWithoutExtension(p) != Stub)
            .Select(p => Path.GetRelativePath(Repository.Root, p).Replace('\\', '/')).Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Namespace_is_the_folder(string project)
    {
        string root = Path.Combine(Repository.Root, Path.GetDirectoryName(project)!);
        string[] sources = [.. Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)];
        Assert.NotEmpty(sources);
        Assert.All(sources, source =>
        {
            string folder = Path.GetRelativePath(root, Path.GetDirectoryName(source)!).Replace(Path.DirectorySeparatorChar, '.');
            string name = Path.GetFileNameWithoutExtension(project);
            Assert.Equal(folder == "." ? name : $"{name}.{folder}", Declaration().Match(File.ReadAllText(source)).Groups[1].Value);
        });
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_folders_refer_to_each_other_in_a_circle(string project)
    {
        string name = Path.GetFileNameWithoutExtension(project);
        string assembly = XDocument.Load(Path.Combine(Repository.Root, project)).Descendants("AssemblyName").FirstOrDefault()?.Value ?? name;
        FolderReferences folders = new(TypeReferences.Of(Path.Combine(AppContext.BaseDirectory, assembly + ".dll")), name);
        Assert.True(folders.Count > 0 || IsOneRoom(Path.GetDirectoryName(project)!), "No folder refers to another: nothing was measured.");
        IReadOnlyList<TypeReference> circle = folders.ShortestCircle();
        Assert.True(circle.Count == 0, $"Folders refer to each other in a circle:\n{string.Join('\n', circle)}");
    }

    private static bool IsOneRoom(string folder) => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories)
        .All(f => Path.GetDirectoryName(f) == Path.Combine(Repository.Root, folder));

    [GeneratedRegex(@"^namespace ([\w.]+);\r?$", RegexOptions.Multiline)]
    private static partial Regex Declaration();
}
