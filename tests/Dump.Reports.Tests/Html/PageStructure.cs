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

    /// <summary>
    /// What is wrong with a page: elements that are not ended in order, ids that stand twice, links within the page that lead nowhere. Empty when it is well
    /// formed.
    /// </summary>
    public static IReadOnlyList<string> Errors(string page)
    {
        List<string> errors = [];
        Stack<string> open = new();
        foreach (string name in Of(page).Select(t => t.Split(' ')[0]).Where(n => n[0] != '!' && n is not ("meta" or "input" or "br")))
        {
            if (name[0] != '/')
            {
                open.Push(name);
            }
            else if (!open.TryPop(out string? started) || started != name[1..])
            {
                errors.Add(started is null ? $"<{name}> ends nothing" : $"<{name}> ends <{started}>");
            }
        }

        errors.AddRange(open.Select(name => $"<{name}> is not ended"));
        string[] ids = [.. Ids().Matches(page).Select(m => m.Groups[1].Value)];
        errors.AddRange(ids.GroupBy(i => i).Where(g => g.Count() > 1).Select(g => $"{g.Key} is an id twice"));
        errors.AddRange(Anchors().Matches(page).Select(m => m.Groups[1].Value).Except(ids).Select(a => $"#{a} leads nowhere"));
        return errors;
    }

    [GeneratedRegex("<[^<>]*\\sid=\"([^\"]*)\"")]
    private static partial Regex Ids();

    [GeneratedRegex("<[^<>]*\\shref=\"#([^\"]*)\"")]
    private static partial Regex Anchors();

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
