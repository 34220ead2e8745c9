using System.Globalization;

namespace Dump.Analysis.Knowledge;

/// <summary>The comment with which procdump marks a dump that it took because a window did not answer (<c>procdump -h</c>: no message taken for 5 s).</summary>
internal static class HungWindowComment
{
    // As in published listings of such dumps: a line "*** Hung window detected: 140aa0", the number being the window's handle.
    private const string Line = "*** Hung window detected: ";

    /// <summary>The handle of the window, or null when the comment does not say so.</summary>
    /// <param name="comment">The dump's comment, or null.</param>
    public static ulong? WindowOf(string? comment)
    {
        foreach (ReadOnlySpan<char> line in (comment ?? "").AsSpan().EnumerateLines())
        {
            if (line.StartsWith(Line, StringComparison.Ordinal)
                && ulong.TryParse(line[Line.Length..].TrimEnd(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong window))
            {
                return window;
            }
        }

        return null;
    }
}
