using Dump.Testing;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>Every relative link of the documentation leads to a file and a heading that are there, and the index leads to every page.</summary>
public sealed class DocumentationLinkTests : IDisposable
{
    private static readonly string s_docs = Path.Combine(Repository.Root, "docs");
    private readonly string _temporary = Directory.CreateTempSubdirectory("dump-links-").FullName;

    /// <summary>The pages that people read, relative to the repository.</summary>
    public static TheoryData<string> Pages =>
    [
        .. Directory.GetFiles(Repository.Root, "*.md").Concat(Directory.GetFiles(s_docs, "*.md", SearchOption.AllDirectories))
            .Concat(new[] { "dumps-fixtures", "analyzers", "ext-managed", "ext-native", "tests/Dump.Benchmarks" }.Select(f => Path.Combine(Repository.Root, f, "README.md")))
            .Select(p => Path.GetRelativePath(Repository.Root, p)).Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Links_lead_to_files_and_headings(string page) =>
        Assert.Empty(new MarkdownPage(Path.Combine(Repository.Root, page)).BrokenLinks(Repository.Root));

    /// <summary>Else the check proves nothing.</summary>
    [Theory]
    [InlineData("[sound](other.md#a-heading-with-code), [whole](other.md), [own](#first), [folder](.), [away](https://example.org/x#y)", "")]
    [InlineData("[page](othr.md)", "(othr.md) there is no such file")]
    [InlineData("[heading](other.md#a-heding)", "(other.md#a-heding) there is no such heading")]
    [InlineData("[own heading](#second)", "(#second) there is no such heading")]
    [InlineData("![picture](images/none.png)", "(images/none.png) there is no such file")]
    [InlineData("| a |\n|---|\n| [in a table](none.md) |", "(none.md) there is no such file")]
    [InlineData("[outside](../../other.md)", "(../../other.md) leaves the repository")]
    [InlineData("[by reference][x]\n\n[x]: none.md", "(none.md) there is no such file")]
    [InlineData("[no page](data.txt#part)", "(data.txt#part) only pages have headings")]
    public void Wrong_link_is_found(string text, string complaint)
    {
        File.WriteAllText(Path.Combine(_temporary, "page.md"), $"# First\n\n{text}\n");
        File.WriteAllText(Path.Combine(_temporary, "other.md"), "# Other\n\n## A heading with `code`\n");
        File.WriteAllText(Path.Combine(_temporary, "data.txt"), "");
        Assert.Equal(complaint, string.Join('\n', new MarkdownPage(Path.Combine(_temporary, "page.md")).BrokenLinks(_temporary)));
    }

    [Fact]
    public void Index_leads_to_every_page()
    {
        string index = Path.Combine(s_docs, "README.md");
        HashSet<string> linked = [.. new MarkdownPage(index).LinkedFiles()];
        Assert.Empty(Directory.GetFiles(s_docs, "*.md", SearchOption.AllDirectories).Where(p => p != index && !linked.Contains(p))
            .Select(p => Path.GetRelativePath(s_docs, p)));
    }

    public void Dispose() => Directory.Delete(_temporary, recursive: true);
}
