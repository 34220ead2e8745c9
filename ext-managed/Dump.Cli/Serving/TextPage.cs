using System.Globalization;

namespace Dump.Cli.Serving;

/// <summary>
/// A part of a long text that is not longer than a limit: whole paragraphs, each a line at the margin with the indented and empty lines below it. Of one that
/// is too long by itself, whole lines; of a line that is, its beginning.
/// </summary>
internal static class TextPage
{
    private const string Cut = " ... [line cut]";

    /// <summary>Takes a part.</summary>
    /// <param name="text">The text, with line feeds.</param>
    /// <param name="from">The line to begin with, from 1 on.</param>
    /// <param name="limit">Most characters; more than a few hundred.</param>
    /// <returns>The part, and what was left out and how to ask for it; null when nothing was.</returns>
    /// <exception cref="RefusedRequestException">There are not so many lines.</exception>
    public static (string Text, string? LeftOut) Take(string text, int from, int limit)
    {
        string[] lines = text.TrimEnd('\n').Split('\n');
        int first = Math.Max(from, 1) - 1;
        if (first >= lines.Length)
        {
            throw new RefusedRequestException(Invariant($"{ServedTools.FromLine} {from} is behind the end: the text has {lines.Length} lines"));
        }

        int last = first;
        int length = 0;
        for (; last < lines.Length && length + lines[last].Length + 1 <= limit; last++)
        {
            length += lines[last].Length + 1;
        }

        if (last == first)
        {
            lines[last] = string.Concat(lines[last].AsSpan(0, limit - Cut.Length - 1), Cut);
            last++;
        }
        else if (last < lines.Length && Array.FindLastIndex(lines, last, last - first, IsAtMargin) is var paragraph && paragraph > first)
        {
            last = paragraph;
        }

        return (string.Concat(lines[first..last].Select(l => l + "\n")), LeftOut(first, last, lines.Length));
    }

    private static bool IsAtMargin(string line) => line.Length > 0 && !char.IsWhiteSpace(line[0]);

    private static string? LeftOut(int first, int last, int all) => first == 0 && last == all ? null
        : last == all ? Invariant($"These are lines {first + 1} to {last} of {all}, the last ones.")
        : Invariant(
            $"These are lines {first + 1} to {last} of {all}; {all - last} lines follow. To read on, ask again with {ServedTools.FromLine} {last + 1}.");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
