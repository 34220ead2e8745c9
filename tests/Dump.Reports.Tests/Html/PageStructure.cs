using System.Text.RegularExpressions;

namespace Dump.Reports.Tests.Html;

/// <summary>The tags of a page with the names of their attributes, in order: what a browser would build, without any text.</summary>
internal static partial class PageStructure
{
    /// <summary>Style, script and data blocks, whose content is no markup.</summary>
    public static string WithoutAssets(string page) => Assets().Replace(Policy().Replace(page, "content=\"(policy)\""), "<$1>(asset)</$1>");

    /// <summary>The tags.</summary>
    public static IReadOnlyList<string> Of(string page)
    {
        string rest = RawBlocks().Replace(page, "<$1$2></$1>");
        List<string> tags = [];
        foreach (Match tag in Tags().Matches(rest))
        {
            tags.Add(tag.Groups[1].Value + string.Concat(Attributes().Matches(tag.Groups[2].Value).Select(a => " " + a.Groups[1].Value)));
        }

        return tags;
    }

    /// <summary>What stands between the tags.</summary>
    public static string Text(string page) => Tags().Replace(RawBlocks().Replace(page, ""), "\n");

    [GeneratedRegex("<(style|script)>[\\s\\S]*?</\\1>")]
    private static partial Regex Assets();

    [GeneratedRegex("content=\"default-src[^\"]*\"")]
    private static partial Regex Policy();

    [GeneratedRegex("<(style|script)([^>]*)>[\\s\\S]*?</\\1>")]
    private static partial Regex RawBlocks();

    // An attribute value in quotation marks may hold a bracket, so tags are read as a browser does.
    [GeneratedRegex("<(/?[a-zA-Z!][a-zA-Z0-9]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")]
    private static partial Regex Tags();

    [GeneratedRegex("\\s([^\\s=\"'>/]+)(?:=\"[^\"]*\"|='[^']*'|=[^\\s\"'>]+)?")]
    private static partial Regex Attributes();
}
