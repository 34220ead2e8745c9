using Dump.Testing;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>
/// The sentences of the pages are short and use the field's words: what of plain English a machine can check. Printed text in quotation marks of code,
/// tables and examples are not looked at.
/// </summary>
public sealed class DocumentationStyleTests : IDisposable
{
    private readonly string _temporary = Directory.CreateTempSubdirectory("dump-style-").FullName;

    /// <summary>The pages that people read, relative to the repository.</summary>
    public static TheoryData<string> Pages =>
    [
        .. Directory.GetFiles(Repository.Root, "*.md").Concat(Directory.GetFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories))
            .Select(p => Path.GetRelativePath(Repository.Root, p).Replace('\\', '/')).Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Sentences_are_short_and_plain(string page) => Assert.Empty(Faults(Path.Combine(Repository.Root, page)));

    /// <summary>Else the check proves nothing.</summary>
    [Theory]
    [InlineData("A wait `a; b` has no limit. See [the page](x.md).", "")]
    [InlineData("```\nnobody stands here; anew\n```\n\n| a; b |\n|---|\n| nobody |", "")]
    [InlineData("- One is short\n- two is short too", "")]
    [InlineData("One is here; two is there.", "a semicolon: One is here; two is there.")]
    [InlineData("Of two dumps, the last counts.", "'Of': Of two dumps, the last counts.")]
    [InlineData("The thread stands in a call.", "'stands': The thread stands in a call.")]
    [InlineData("It is optimised code.", "'optimised': It is optimised code.")]
    [InlineData("a b c d e f g h i j k l m n o p q r s t u v w x y `z z`", "26 words: a b c d e f g h i j k l m n o p q r s t u v w x y code")]
    public void Wrong_sentence_is_found(string text, string complaint)
    {
        string page = Path.Combine(_temporary, "page.md");
        File.WriteAllText(page, $"# Nobody; a heading\n\n{text}\n");
        Assert.Equal(complaint, string.Join('\n', Faults(page)));
    }

    public void Dispose() => Directory.Delete(_temporary, recursive: true);

    private static IEnumerable<string> Faults(string page) => PlainEnglish.Faults(new MarkdownPage(page).Sentences);
}
