using System.Text;
using System.Text.RegularExpressions;
using Dump.Model.Text;
using Dump.Reports;

namespace Dump.Cli.Output;

/// <summary>Prints the Markdown of the project's own pages for people at a terminal: headings, paragraphs, lists and code; links become their text.</summary>
internal static partial class MarkdownText
{
    private const string Fence = "```";

    /// <summary>Writes a page. Lines that belong to one paragraph are put together, so that the output breaks them where its lines end.</summary>
    /// <param name="markdown">The page.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis of headings.</param>
    public static void Write(string markdown, TextWriter output, TextStyle style)
    {
        StringBuilder paragraph = new();
        bool isCode = false;
        foreach (string line in SafeText.Clean(markdown, markdown.Length, allowLineBreaks: true).Split('\n'))
        {
            if (isCode || line.StartsWith(Fence, StringComparison.Ordinal))
            {
                End(paragraph, output);
                WriteCode(line, ref isCode, output);
            }
            else if (line.StartsWith('#'))
            {
                End(paragraph, output);
                output.WriteLine(style.Heading(Inline(line.TrimStart('#').Trim())));
            }
            else if (line.Trim().Length == 0 || Item().IsMatch(line))
            {
                End(paragraph, output);
                Begin(line, paragraph, output);
            }
            else
            {
                paragraph.Append(paragraph.Length > 0 ? " " : "").Append(paragraph.Length > 0 ? line.Trim() : line);
            }
        }

        End(paragraph, output);
    }

    private static void Begin(string line, StringBuilder paragraph, TextWriter output)
    {
        if (line.Trim().Length == 0)
        {
            output.WriteLine();
        }
        else
        {
            paragraph.Append(line);
        }
    }

    private static void End(StringBuilder paragraph, TextWriter output)
    {
        if (paragraph.Length > 0)
        {
            output.WriteLine(Inline(paragraph.ToString()));
            paragraph.Clear();
        }
    }

    private static void WriteCode(string line, ref bool isCode, TextWriter output)
    {
        if (line.StartsWith(Fence, StringComparison.Ordinal))
        {
            isCode = !isCode;
        }
        else
        {
            output.WriteLine(line.Length == 0 ? "" : $"    {line}");
        }
    }

    /// <summary>Text without the marks of links, code and emphasis; links to other sites keep their address.</summary>
    private static string Inline(string text) =>
        Emphasis().Replace(Code().Replace(Link().Replace(text, m => m.Groups[2].Value.Contains("://", StringComparison.Ordinal)
            ? $"{m.Groups[1].Value} ({m.Groups[2].Value})"
            : m.Groups[1].Value), "$1"), "$1");

    [GeneratedRegex(@"^\s*([-*]|[0-9]+\.) ")]
    private static partial Regex Item();

    [GeneratedRegex(@"\[([^\]]+)\]\(([^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex(@"\*\*([^*]+)\*\*")]
    private static partial Regex Emphasis();
}
