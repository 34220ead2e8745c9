using System.Text.RegularExpressions;
using Markdig;
using Markdig.Extensions.AutoIdentifiers;
using Markdig.Extensions.Tables;
using Markdig.Renderers.Html;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>A Markdown page of the repository: where its links lead, the anchors that links may lead to, its sentences and its code.</summary>
internal sealed partial class MarkdownPage
{
    private static readonly MarkdownPipeline s_pipeline = new MarkdownPipelineBuilder().UsePipeTables().UseAutoIdentifiers(AutoIdentifierOptions.GitHub).Build();
    private readonly string _path;
    private readonly MarkdownDocument _document;

    /// <summary>Reads a page.</summary>
    /// <param name="path">Path of the file.</param>
    /// <exception cref="IOException">There is no such file.</exception>
    public MarkdownPage(string path)
    {
        _path = Path.GetFullPath(path);
        _document = Markdown.Parse(File.ReadAllText(path), s_pipeline);
    }

    /// <summary>Targets of its links and pictures as they stand there, those outside of the repository among them.</summary>
    public IEnumerable<string> Targets => _document.Descendants<LinkInline>().Select(l => l.Url ?? "");

    /// <summary>Names of its headings, as GitHub makes them.</summary>
    public IEnumerable<string> Anchors => _document.Descendants<HeadingBlock>().Select(h => h.GetAttributes().Id ?? "");

    /// <summary>Its sentences outside of headings, tables and blocks of code. Code within a sentence is one word.</summary>
    public IEnumerable<string> Sentences => _document.Descendants<ParagraphBlock>().Where(p => p is { Parent: not TableCell, Inline: not null })
        .SelectMany(p => SentenceEnd().Split(Text(p.Inline!))).Select(s => s.Trim()).Where(s => s.Length > 0);

    /// <summary>The lines of its blocks of code.</summary>
    public IEnumerable<string> CodeLines => Lines(_document.Descendants<CodeBlock>().SelectMany(b => b.Lines.ToString().Split('\n')));

    /// <summary>The pieces of code within its sentences and tables.</summary>
    public IEnumerable<string> CodePieces => Lines(_document.Descendants<CodeInline>().Select(c => c.Content));

    /// <summary>Its links that lead nowhere, each as the target and what is wrong with it.</summary>
    /// <param name="root">The folder of the repository, which no relative link leaves.</param>
    public IEnumerable<string> BrokenLinks(string root) =>
        Targets.Where(IsRelative).Select(t => (Target: t, Fault: Fault(t, root))).Where(l => l.Fault is not null).Select(l => $"({l.Target}) {l.Fault}");

    /// <summary>The files that its relative links lead to, as full paths.</summary>
    public IEnumerable<string> LinkedFiles() => Targets.Where(IsRelative).Select(FileOf);

    private static IEnumerable<string> Lines(IEnumerable<string> code) => code.Select(l => l.Trim()).Where(l => l.Length > 0);

    private static string Text(Inline inline) => inline switch
    {
        CodeInline => "code",
        LineBreakInline => " ",
        LiteralInline literal => literal.Content.ToString(),
        ContainerInline container => string.Concat(container.Select(Text)),
        _ => "",
    };

    private static bool IsRelative(string target) => !Uri.TryCreate(target, UriKind.Absolute, out _) || target.StartsWith('/');

    private string FileOf(string target)
    {
        string path = Uri.UnescapeDataString(target.Split('#')[0]);
        return path.Length == 0 ? _path : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(_path)!, path));
    }

    private string? Fault(string target, string root)
    {
        string file = FileOf(target);
        string? anchor = target.Split('#') is [_, var name] ? name : null;
        return !file.StartsWith(Path.GetFullPath(root), StringComparison.Ordinal) ? "leaves the repository"
            : !Path.Exists(file) ? "there is no such file"
            : anchor is null ? null
            : !file.EndsWith(".md", StringComparison.Ordinal) ? "only pages have headings"
            : !new MarkdownPage(file).Anchors.Contains(anchor) ? "there is no such heading"
            : null;
    }

    [GeneratedRegex("""(?<=[.!?])["”)]*\s+""")]
    private static partial Regex SentenceEnd();
}
